import type { Decision, Instant, Occurrence, RelatedMemory } from '../ports/index.ts';
import type { ExtractedStatement } from './extract-statements.ts';
import { findPostponed, findReplaced, statesEnding } from './supersession-cues.ts';
import { compareSignatures, coverage, signatureOf, type TextSignature } from './text-similarity.ts';

/** A statement with the time of what it tells. */
export type DatedStatement = ExtractedStatement & { occurred: Occurrence | null };

type ComparedMemory = RelatedMemory & { gist: TextSignature };
type ReconcileVerdict = Pick<Decision, 'event' | 'target' | 'reason' | 'slot'>;

/**
 * What statements mean for what is stored: something new, a repetition, or a change of something
 * known, which is updated in place. Only memories of the same speaker are compared.
 */
export function reconcile(
  statements: readonly DatedStatement[],
  { known, said_at }: { known: readonly RelatedMemory[]; said_at: Instant },
): Decision[] {
  const open = known
    .filter(({ immutable, created_at }) => !immutable && created_at <= said_at)
    .map((memory) => ({ ...memory, gist: signatureOf(memory.memory, speakerOf(memory)) }));
  const said: { statement: DatedStatement; gist: TextSignature }[] = [];
  return statements.map((statement) => {
    const gist = signatureOf(statement.text, statement.speaker);
    const own = open.filter((memory) => speakerOf(memory) === statement.speaker);
    const again = said.some((before) => repeatsEarlier({ statement, gist }, before));
    said.push({ statement, gist });
    const verdict = again ? repeatedVerdict : decide({ statement, gist }, own);
    const { text, message, type, occurred, around } = statement;
    const words = around ?? statement.said;
    return { ...verdict, text, message, type, occurred, said: words === text ? null : words };
  });
}

const repeatedVerdict: ReconcileVerdict = {
  event: 'NOOP',
  target: null,
  slot: null,
  reason: 'said before in these messages',
};

function speakerOf({ role, speaker }: Pick<RelatedMemory, 'role' | 'speaker'>): string {
  return speaker === null || speaker === role ? 'User' : speaker;
}

type ComparedStatement = { statement: DatedStatement; gist: TextSignature };

function repeatsEarlier(
  { statement, gist }: ComparedStatement,
  before: ComparedStatement,
): boolean {
  if (statement.text === before.statement.text || isOccurrence(statement)) return false;
  if (statement.speaker !== before.statement.speaker) return false;
  const like = compareSignatures(gist, before.gist);
  return like === 'same' || like === 'less';
}

/** What happens may happen again. */
function isOccurrence({ type }: Pick<ExtractedStatement, 'type'>): boolean {
  return type === 'event' || type === 'plan';
}

function decide(read: ComparedStatement, known: readonly ComparedMemory[]): ReconcileVerdict {
  const { statement } = read;
  const slot = statement.slot?.name ?? null;
  if (statement.isQuestion) return addVerdict(null);
  if (statement.slot !== null) return fillSlot(read, known);
  return (
    supersedeReplaced(read, known) ??
    supersedePostponed(read, known) ??
    supersedeEnded(read, known) ??
    mergeSimilar(read, known) ??
    addVerdict(slot)
  );
}

function addVerdict(slot: string | null): ReconcileVerdict {
  return { event: 'ADD', target: null, reason: null, slot };
}

/** The memory that fills the slot is changed; what is over must be what it tells. */
function fillSlot(read: ComparedStatement, known: readonly ComparedMemory[]): ReconcileVerdict {
  const { slot, text } = read.statement;
  const current = known.findLast((memory) => memory.slot === slot?.name);
  const name = slot?.name ?? null;
  if (current === undefined) return supersedeReplaced(read, known, name) ?? addVerdict(name);
  if (current.memory === text) return addVerdict(name);
  if (slot?.ended && coverage(signatureOfHead(current), read.gist) < endedCoverageMin)
    return addVerdict(null);
  return updateVerdict(current, name);
}

const endedCoverageMin = 0.6;

/** "I'm vegan, so keep that in mind": what is over is what comes first. */
function signatureOfHead(memory: ComparedMemory): TextSignature {
  const [head = ''] = memory.memory.split(/[,;.]\s/, 1);
  return head.length < memory.memory.length - 1
    ? signatureOf(head, speakerOf(memory))
    : memory.gist;
}

function updateVerdict({ id, memory }: ComparedMemory, slot: string | null): ReconcileVerdict {
  const shown = memory.slice(0, reasonMaxChars).toWellFormed();
  return { event: 'UPDATE', target: id, slot, reason: `supersedes "${shown}"` };
}

const reasonMaxChars = 200;

/** "Switched from X to Y" supersedes what tells of X. */
function supersedeReplaced(
  { statement }: ComparedStatement,
  known: readonly ComparedMemory[],
  slot: string | null = null,
) {
  const old = findReplaced(statement.said ?? statement.text);
  if (old === null) return null;
  const gist = signatureOf(old, statement.speaker);
  const meant = known.findLast(
    (memory) => !isOccurrence(withType(memory)) && coverage(gist, memory.gist) === 1,
  );
  return meant === undefined ? null : updateVerdict(meant, meant.slot ?? slot);
}

/** Of a plan that moves only the new time is to come; which of two it is can't be told. */
function supersedePostponed(
  { statement }: ComparedStatement,
  known: readonly ComparedMemory[],
): ReconcileVerdict | null {
  const old = statement.occurred === null ? null : findPostponed(statement.said ?? statement.text);
  if (old === null) return null;
  const gist = signatureOf(old, statement.speaker);
  const [meant, ...others] = known.filter(
    ({ type, gist: of, memory }) =>
      type === 'plan' && coverage(gist, of) === 1 && !taskPattern.test(memory),
  );
  return meant === undefined || others.length > 0 ? null : updateVerdict(meant, meant.slot);
}

/** "User plans to buy a couch" is no plan of the couch's own. */
const taskPattern = new RegExp(
  '(?<!\\p{L})(?:to (?!(?:the|an?|be|go|attend|have|join|hold|my|our|their|his|her|your|this|' +
    'that|next)(?!\\p{L}))\\p{Ll}{2,}|' +
    '(?:buy|sell|order|paint|repaint|learn|study|repair|fix|clean|build|read|writ|replac|' +
    'find|look|prepar)(?:e?s|ing|e)?|kaufen|lernen|streichen|verkaufen|vorbereiten|' +
    'acheter|vendre|apprendre|peindre|préparer|comprar|vender|aprender|estudiar|estudar|' +
    'pintar|preparar|comprare|vendere|imparare|studiare|dipingere|preparare|купить|куплю|' +
    'продать|учить|выучить|покрасить|подготовить)(?!\\p{L})|買|売|学び|勉強|买|卖|学习',
  'u',
);

/** "No longer" supersedes what tells that it was so. */
function supersedeEnded(
  { statement, gist }: ComparedStatement,
  known: readonly ComparedMemory[],
): ReconcileVerdict | null {
  if (!statesEnding(statement.said ?? statement.text)) return null;
  const meant = known.findLast(
    (memory) =>
      !isOccurrence(withType(memory)) &&
      ((memory.gist.terms.size >= endedMinTerms &&
        coverage(memory.gist, gist) >= endedTermCoverageMin) ||
        isLostPreference(statement, memory)),
  );
  return meant === undefined ? null : updateVerdict(meant, meant.slot);
}

/**
 * "I love sushi" is over with "I don't like sushi anymore", not with "no coffee after three any
 * more": besides what was liked, hardly anything is said.
 */
function isLostPreference(
  { text, speaker }: ExtractedStatement,
  { type, memory }: ComparedMemory,
): boolean {
  if (type !== 'preference') return false;
  const [head = ''] = text.split(/[,;.]\s/, 1);
  if (!preferencePattern.test(head)) return false;
  const liked = signatureOf(memory.replace(preferenceFiller, ' '), speaker);
  const said = signatureOf(
    head.replace(preferenceFiller, ' ').replace(preferencePattern, ' '),
    speaker,
  );
  const besides = [...said.terms].filter((term) => term !== 'not' && !liked.terms.has(term));
  return coverage(liked, said) === 1 && besides.length === 0;
}

const preferenceWords =
  '(?:lov|lik|enjoy|ador)(?:e?s|e|ed|ing)?|prefers?|encantan?|gustan?|adore|aime|' +
  'mag|liebe|gerne?|piac(?:e|ciono)|amo|adoro|gosto|любл[юи]т?|обожаю|нрав[ия]тся';
const unspacedPreferenceWords = '[がは]?(?:大好き|好き)(?:です|じゃ|では)?|喜欢';

/** What says that one likes, articles, and what says that it is over: none is what is liked. */
const preferenceFiller = new RegExp(
  `(?<!\\p{L})(?:${preferenceWords}|el|los?|las?|les?|il|gli|der|die|das|the|os?|as?|` +
    'any ?more|no longer|really|honestly|actually|nicht mehr|ya no|plus|più|mais|больше не|' +
    `ich|je|n['’]|ne|pas|eu|io|me|mi|я|мне)(?!\\p{L})|${unspacedPreferenceWords}|もう|不再`,
  'giu',
);

/** That one likes, eats or drinks a thing; "don't eat with my sister" says nothing of her. */
const preferencePattern = new RegExp(
  `(?<!\\p{L})(?:${preferenceWords}|(?:eat|drink|esse|trinke|mange|bois|como|tomo|bebo|mangio|bevo|` +
    'ем|пью)(?! (?:with|at|in|out|from|mit|bei|avec|chez|con|com|en|em|с|в)(?!\\p{L})))' +
    `(?!\\p{L})|${unspacedPreferenceWords}|食べ|飲|吃|喝`,
  'iu',
);

const endedMinTerms = 2;
const endedTermCoverageMin = 0.75;

function withType({ type }: ComparedMemory): Pick<ExtractedStatement, 'type'> {
  return { type: type ?? 'fact' };
}

/** What is known is not stored anew; with more words it takes the place of the shorter one. */
function mergeSimilar(
  { statement, gist }: ComparedStatement,
  known: readonly ComparedMemory[],
): ReconcileVerdict | null {
  if (isOccurrence(statement)) return null;
  for (const memory of known.toReversed()) {
    if (memory.memory === statement.text) return null;
    const like = compareSignatures(gist, memory.gist);
    if (like === null || isOccurrence(withType(memory))) continue;
    if (like === 'more') {
      return { event: 'UPDATE', target: memory.id, slot: memory.slot, reason: 'says more of it' };
    }
    return { event: 'NOOP', target: memory.id, slot: null, reason: `repeats ${memory.id}` };
  }
  return null;
}
