import { shortIdOf } from '../../contract/short-id.ts';
import { analyze } from '../language/analyze.ts';
import type { Decision, ExtractionModels, RelatedMemory } from '../ports/index.ts';
import { forgetFeatures } from './classifier/forget-features.ts';
import { classify } from './classifier/linear-model.ts';
import { coverage, type TextSignature } from './text-similarity.ts';

/** A request to forget, and whether a sentence is surely one. */
export type ForgetRequest = 'forget' | 'perhaps forget';

/**
 * Reads whether sentences ask to forget something, in the languages of the rules; without a model,
 * only the plainest do.
 */
export function createForgetReader(models: ExtractionModels | null) {
  return (sentence: string): ForgetRequest | null => {
    if (negated.test(sentence) || neverMind.test(sentence)) return null;
    if (asksPlainly(sentence)) return 'forget';
    if (models === null || sentence.length > requestMaxChars) return null;
    const vector = models.embed(sentence);
    const given = classify(models.forgetting, forgetFeatures(sentence), vector);
    const sureness = given.get('forget') ?? 0;
    if (sureness < perhapsMin) return null;
    return sureness < sureMin ? 'perhaps forget' : 'forget';
  };
}

/** Who asks to forget does so in few words. */
const requestMaxChars = 300;

/** See `tools/classifier/README.md`. */
const perhapsMin = 0.6;
const sureMin = 0.8;

function asksPlainly(sentence: string): boolean {
  return forgetting.test(sentence) || (deleting.test(sentence) && fromMemory.test(sentence));
}

const politely =
  '(?:(?:please|pls|can you|could you|would you|will you|you can|you should|i want you to|just|' +
  "i(?:['’]d| would) like you to|ok|okay|hey|hi|and|also|actually|now|bitte|kannst du|könntest du|" +
  "s[’']il te plaît|peux-tu|pourrais-tu|tu peux|por favor|puedes|podrías|per favore|puoi|potresti|" +
  'pode|poderia|você pode|пожалуйста|можешь|можно|请|請|麻烦你?)[\\s,]*)*';

const forgetting = new RegExp(
  `^[\\s¡¿]*${politely}(?:forget|stop remembering|vergiss|vergessen sie|vergisst du|oublie[zr]?|` +
    'olvid(?:a|e|ar|ate)|dimentic(?:a|are|hi)|scorda(?:re|ti)?|esque(?:ce|ça|cer)|забудь(?:те)?)' +
    '(?!\\p{L})|忘れて(?:ください|下さい|ほしい|くれ)?[。！!]*$|^(?:请|請)?忘(?:掉|记|了)',
  'iu',
);

const deleting = new RegExp(
  `^[\\s¡¿]*${politely}(?:delete|remove|erase|drop|wipe|scrap|lösch(?:e|en)?|streiche|entferne|` +
    'supprime[zr]?|efface[zr]?|borr(?:a|e|ar)|elimin(?:a|e|ar|are)|cancell(?:a|are|i)|apag(?:a|ue|ar)|' +
    'удали(?:те)?|сотри(?:те)?)(?!\\p{L})|(?:消して|削除して)|^(?:删除|删掉|清除)',
  'iu',
);

/** "Delete the second paragraph" is a task: what is to be forgotten was told or is remembered. */
const fromMemory = new RegExp(
  '(?<!\\p{L})(?:memor(?:y|ies)|remember(?:ed)?|you know|i (?:have |just )?(?:told|said|mentioned)|' +
    'gedächtnis|erinnerung(?:en)?|gesagt|erzählt|gemerkt|mémoire|souvenirs?|dit|raconté|' +
    'memorias?|recuerdos?|dije|conté|ricordi?|detto|raccontato|memória|lembranças?|disse|contei|' +
    'памят[иь]|говорил[аи]?|сказал[аи]?|запомнил[аи]?)(?!\\p{L})|記憶|覚え|メモ|记忆|记住|说过',
  'iu',
);

const negated =
  /(?<!\p{L})(?:don['’]?t|do not|never|nicht|nie|pas|no|non|não|не)(?!\p{L})[^.]{0,20}(?:forget|verg[ei]ss|oubli|olvid|dimentic|scord|esque[cç]|забы)|(?<!\p{L})(?:verg[ei]ss|oublie)\p{L}{0,20} (?:[^.]{1,30} )?(?:nicht|pas)(?!\p{L})|忘れないで|[别別不]忘/iu;

const neverMind = /^(?:(?:oh|ah|ok|well),? )?forget (?:about )?it[.!]*$/iu;

type KnownMemory = RelatedMemory & { signature: TextSignature };
type ForgetVerdict = Pick<Decision, 'event' | 'target' | 'reason' | 'slot'>;

/**
 * What a request to forget does: it deletes the one memory that it means. Where none or several may
 * be meant nothing is changed, and the reason says what was found and which tool to call.
 */
export function decideForgetting(
  request: TextSignature,
  known: readonly KnownMemory[],
  isSure: boolean,
): ForgetVerdict {
  if (!isSure)
    return unchanged(
      'it may ask to forget something; delete_memory deletes what search_memories finds',
    );
  const named = [...request.terms].filter((term) => !requestTerms.has(term));
  if (named.length === 0)
    return unchanged('it does not say what to forget; delete_all_memories forgets everything');
  const asked = { terms: new Set(named), salientTerms: new Set<string>() };
  const meant = known.filter(({ signature }) => coverage(asked, signature) === 1);
  const [only, ...others] = meant;
  if (only === undefined)
    return unchanged(
      'no stored memory is clearly meant; search_memories finds it, delete_memory deletes it',
    );
  if (others.length === 0) {
    return { event: 'DELETE', target: only.id, slot: null, reason: 'the user asked to forget it' };
  }
  const found = meant
    .slice(0, namedMax)
    .map(({ id, memory }) => `${shortIdOf(id)} "${shorten(memory)}"`);
  const count = meant.length > namedMax ? ` and ${meant.length - namedMax} more` : '';
  return unchanged(
    `several may be meant: ${found.join(', ')}${count}; call delete_memory for each`,
  );
}

function unchanged(reason: string): ForgetVerdict {
  return { event: 'NOOP', target: null, slot: null, reason };
}

/** So many found memories are named. */
const namedMax = 5;

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59).toWellFormed()}…`;
}

/** How people ask to forget: these words do not say what. */
const requestTerms = new Set(
  [
    'forget delete remove erase drop wipe scrap clear memory memories remember stored saved record',
    'note notes thing things stuff please said told mentioned everything anything all about whole',
    'bit part longer never again mind ask asked know want need keep list data profile info',
    'vergiss vergessen lösche löschen streiche entferne bitte alles erinnerung gesagt erzählt',
    'oublie oubliez oublier supprime supprimez efface effacez tout souvenir dit parlé mémoire',
    'olvida olvide olvidar borra borre elimina elimine todo recuerdo dije conté memoria favor',
    'dimentica dimenticare cancella elimina tutto ricordo detto raccontato memoria favore',
    'esquece esqueça apaga apague remova tudo lembrança disse contei memória favor',
    'забудь забудьте удали удалите сотри сотрите пожалуйста всё память сказал сказала говорил',
    '忘れて 消して 削除 覚えて 全部 忘掉 忘记 删除 删掉 记住 所有',
  ].flatMap((words) => analyze(words)),
);
