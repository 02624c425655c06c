import { shortIdOf } from '../../../contract/short-id.ts';
import { analyze, analyzeQuery } from '../../language/analyze.ts';
import { functionWords } from '../../language/function-words.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import type { Decision, ExtractionModels } from '../../ports/index.ts';
import { cosineSimilarity } from '../../search/semantic/vector-scale.ts';
import type { ComparedMemory, DatedStatement } from '../comparable-memories.ts';
import { cached } from '../contradictions.ts';

type ForgetVerdict = Pick<Decision, 'event' | 'target' | 'reason' | 'slot'>;

/** A sentence that asks to forget, and the message that it stands in, which may say what. */
type AskedToForget = { sentence: string; message: string; isSure: boolean };

export type ForgetDecider = (
  request: AskedToForget,
  known: readonly ComparedMemory[],
) => ForgetVerdict[];

/**
 * Decides what a request to forget does: it deletes the memory that it means, or all about what it
 * names if it asks for that. Where none or several may be meant nothing is changed, and the reason
 * says what was found and which tool to call. `models` is null where only words are compared.
 */
export function createForgetDecider(models: ExtractionModels | null): ForgetDecider {
  const embed = cached((text) => models?.embed(text) ?? null);
  const objectAround = cached(objectOf);
  return ({ sentence, message, isSure }, known) => {
    const named = objectOf(sentence);
    const object = named ?? objectAround(message);
    if (object === null) return [noop(isSure ? notSaid : mayAsk)];
    const ranked = rank(object, known, embed);
    const [first, second] = ranked;
    const isPlain = isSure && named !== null;
    const { score, lead } = needed(first, isPlain);
    if (first === undefined || first.score < score) return [noop(isSure ? notMeant : mayAsk)];
    const about = sharingWords(first, ranked);
    if (isPlain && about.length > 1 && everythingPattern.test(sentence)) return about.map(deletion);
    const isAhead = (second?.score ?? 0) < first.score - lead;
    if (isAhead && about.length <= 1) return [deletion(first)];
    const alike = ranked.filter((one) => one.score >= first.score - lead || about.includes(one));
    return [noop(isSure ? severalMeant(alike) : mayAsk)];
  };
}

/** What is said beside a request to forget may change the very memory that is meant. */
export function forgetsFirst(statements: readonly DatedStatement[]): DatedStatement[] {
  const asksToForget = ({ kind }: DatedStatement) => kind !== 'statement' && kind !== 'question';
  const others = statements.filter((one) => !asksToForget(one));
  return [...statements.filter(asksToForget), ...others];
}

type Ranked = { memory: ComparedMemory; shared: readonly string[]; score: number };

/** What a request is about: its words without those that ask, and their terms. */
type ForgetObject = { text: string; terms: ReadonlySet<string> };

function objectOf(text: string): ForgetObject | null {
  const words = wordsOf(text).filter((word) => {
    const terms = analyzeQuery(word);
    const isPlain =
      functionWords.has(foldWord(word)) || terms.every((term) => requestTerms.has(term));
    return terms.length > 0 && !isPlain;
  });
  if (words.length === 0) return null;
  return { text: words.join(' '), terms: new Set(words.flatMap((word) => analyzeQuery(word))) };
}

/** The cosine of the angle between their vectors, and something for each word that they share. */
function rank(
  { text, terms }: ForgetObject,
  known: readonly ComparedMemory[],
  embed: (text: string) => Float32Array | null,
): Ranked[] {
  const vector = embed(text);
  const ranked = known.map((memory) => {
    const shared = [...terms].filter((term) => memory.signature.terms.has(term));
    const other = vector === null ? null : embed(factOf(memory.memory));
    const near = vector === null || other === null ? 0 : cosineSimilarity(vector, other);
    return { memory, shared, score: near + sharedWeight * Math.min(shared.length, sharedMax) };
  });
  return ranked.sort((one, other) => other.score - one.score);
}

/** All that share with the request what the best one shares with it. */
function sharingWords(first: Ranked, ranked: readonly Ranked[]): Ranked[] {
  if (first.shared.length === 0) return [first];
  return ranked.filter(({ shared }) => first.shared.every((term) => shared.includes(term)));
}

/** Who it is of says nothing about which one is meant. */
function factOf(memory: string): string {
  return memory.replace(/^User(?:['’]s)? /, '');
}

function deletion({ memory: { id } }: Ranked): ForgetVerdict {
  return { event: 'DELETE', target: id, slot: null, reason: 'the user asked to forget it' };
}

function noop(reason: string): ForgetVerdict {
  return { event: 'NOOP', target: null, slot: null, reason };
}

function severalMeant(found: readonly Ranked[]): string {
  const named = found
    .slice(0, namedMax)
    .map(({ memory: { id, memory } }) => `${shortIdOf(id)} "${shorten(memory)}"`);
  const count = found.length > namedMax ? ` and ${found.length - namedMax} more` : '';
  return `several may be meant: ${named.join(', ')}${count}; call delete_memory for each`;
}

const mayAsk = 'it may ask to forget something; delete_memory deletes what search_memories finds';
const notSaid = 'it does not say what to forget; delete_all_memories forgets everything';
const notMeant =
  'no stored memory is clearly meant; search_memories finds it, delete_memory deletes it';

/**
 * How near the best memory has to be, and how far ahead of the next one, set on
 * `test/extraction/forgetting/development.jsonl`: more where the sentence may be no request, where
 * it does not say what, and where memory and request share no word.
 */
function needed(first: Ranked | undefined, isPlain: boolean): { score: number; lead: number } {
  if (!isPlain) return { score: 0.45, lead: 0.2 };
  return first?.shared.length === 0 ? { score: 0.35, lead: 0.15 } : { score: 0.3, lead: 0.1 };
}

const sharedWeight = 0.25;
const sharedMax = 3;

/** So many found memories are named. */
const namedMax = 5;

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`;
}

/** Who asks for everything about something means each memory of it. */
const everythingPattern = new RegExp(
  '(?<!\\p{L})(?:everything|anything|whatever|all|alles|tout(?:es)?|todo|todos|tutto|tudo|всё|все)' +
    '(?!\\p{L})|全部|すべて|全て|所有|都',
  'iu',
);

/** How people ask to forget: these words do not say what. */
const requestTerms = new Set(
  [
    'forget delete remove erase drop wipe scrap clear memory memories remember stored saved record',
    'note notes thing things stuff please said told mentioned everything anything all about whole',
    'bit part longer never again mind ask asked know want need keep list data profile info',
    'del bin scratch strike purge ditch lose let rid off gone get got hold take go going stop put',
    'pls plz thanks thank thx ok okay lol asap ur im hi hey one fact entry file rest rather like',
    'would could should can may might literally really private business anymore mention bring',
    'porfa stp svp mal danke könntest kannst nehmen gedächtnis speicher notizen guardes garder',
    'vergiss vergessen lösche löschen streiche entferne bitte alles erinnerung gesagt erzählt',
    'oublie oubliez oublier supprime supprimez efface effacez tout souvenir dit parlé mémoire',
    'olvida olvide olvidar borra borre elimina elimine todo recuerdo dije conté memoria favor',
    'dimentica dimenticare cancella elimina tutto ricordo detto raccontato memoria favore',
    'esquece esqueça apaga apague remova tudo lembrança disse contei memória favor',
    'забудь забудьте удали удалите сотри сотрите пожалуйста всё память сказал сказала говорил',
    '忘れて 消して 削除 覚えて 全部 忘掉 忘记 删除 删掉 记住 所有',
  ].flatMap((words) => analyze(words)),
);
