import type { Decision, Instant, Occurrence, RelatedMemory } from '../ports/index.ts';
import type { ExtractedStatement } from './extract-statements.ts';
import { findPostponed, findReplaced, statesEnding } from './supersession-cues.ts';
import { compareSignatures, coverage, signatureOf, type TextSignature } from './text-similarity.ts';

/** A statement with the time of its event. */
export type DatedStatement = ExtractedStatement & { occurred: Occurrence | null };

type ComparedMemory = RelatedMemory & { signature: TextSignature };
type ReconcileVerdict = Pick<Decision, 'event' | 'target' | 'reason' | 'slot'>;

/**
 * Decides what each statement does to the stored memories: it adds one, repeats one, or updates one
 * in place. Only memories of the same speaker are compared.
 */
export function reconcile(
  statements: readonly DatedStatement[],
  { known, said_at }: { known: readonly RelatedMemory[]; said_at: Instant },
): Decision[] {
  const open = known
    .filter(({ immutable, created_at }) => !immutable && created_at <= said_at)
    .map((memory) => ({ ...memory, signature: signatureOf(memory.memory, speakerOf(memory)) }));
  const said: { statement: DatedStatement; signature: TextSignature }[] = [];
  return statements.map((statement) => {
    const signature = signatureOf(statement.text, statement.speaker);
    const own = open.filter((memory) => speakerOf(memory) === statement.speaker);
    const again = said.some((before) => repeatsEarlier({ statement, signature }, before));
    said.push({ statement, signature });
    const verdict = again ? repeatedVerdict : decide({ statement, signature }, own);
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

type ComparedStatement = { statement: DatedStatement; signature: TextSignature };

function repeatsEarlier(
  { statement, signature }: ComparedStatement,
  before: ComparedStatement,
): boolean {
  if (statement.text === before.statement.text || isOccurrence(statement)) return false;
  if (statement.speaker !== before.statement.speaker) return false;
  const like = compareSignatures(signature, before.signature);
  return like === 'same' || like === 'less';
}

/** Events and plans may happen again. */
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

/** Updates the memory that fills the slot. An ending must match the fact of that memory. */
function fillSlot(read: ComparedStatement, known: readonly ComparedMemory[]): ReconcileVerdict {
  const { slot, text } = read.statement;
  const current = known.findLast((memory) => memory.slot === slot?.name);
  const name = slot?.name ?? null;
  if (current === undefined) return supersedeReplaced(read, known, name) ?? addVerdict(name);
  if (current.memory === text) return addVerdict(name);
  if (slot?.ended && coverage(signatureOfHead(current), read.signature) < endedCoverageMin)
    return addVerdict(null);
  return updateVerdict(current, name);
}

const endedCoverageMin = 0.6;

/** The first clause holds the fact: "I'm vegan, so keep that in mind". */
function signatureOfHead(memory: ComparedMemory): TextSignature {
  const [head = ''] = memory.memory.split(/[,;.]\s/, 1);
  return head.length < memory.memory.length - 1
    ? signatureOf(head, speakerOf(memory))
    : memory.signature;
}

function updateVerdict({ id, memory }: ComparedMemory, slot: string | null): ReconcileVerdict {
  const shown = memory.slice(0, reasonMaxChars).toWellFormed();
  return { event: 'UPDATE', target: id, slot, reason: `supersedes "${shown}"` };
}

const reasonMaxChars = 200;

/** "Switched from X to Y" supersedes the memory about X. */
function supersedeReplaced(
  { statement }: ComparedStatement,
  known: readonly ComparedMemory[],
  slot: string | null = null,
) {
  const old = findReplaced(statement.said ?? statement.text);
  if (old === null) return null;
  const signature = signatureOf(old, statement.speaker);
  const meant = known.findLast(
    (memory) => !isOccurrence(withType(memory)) && coverage(signature, memory.signature) === 1,
  );
  return meant === undefined ? null : updateVerdict(meant, meant.slot ?? slot);
}

/** A rescheduled plan updates the memory of the plan, unless two plans match. */
function supersedePostponed(
  { statement }: ComparedStatement,
  known: readonly ComparedMemory[],
): ReconcileVerdict | null {
  const old = statement.occurred === null ? null : findPostponed(statement.said ?? statement.text);
  if (old === null) return null;
  const signature = signatureOf(old, statement.speaker);
  const [meant, ...others] = known.filter(
    ({ type, signature: of, memory }) =>
      type === 'plan' && coverage(signature, of) === 1 && !taskPattern.test(memory),
  );
  return meant === undefined || others.length > 0 ? null : updateVerdict(meant, meant.slot);
}

/** "User plans to buy a couch" is not an appointment named "couch". */
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

/** "No longer" supersedes the memory of the former fact. */
function supersedeEnded(
  { statement, signature }: ComparedStatement,
  known: readonly ComparedMemory[],
): ReconcileVerdict | null {
  if (!statesEnding(statement.said ?? statement.text)) return null;
  const meant = known.findLast(
    (memory) =>
      !isOccurrence(withType(memory)) &&
      ((memory.signature.terms.size >= endedMinTerms &&
        coverage(memory.signature, signature) >= endedTermCoverageMin) ||
        isLostPreference(statement, memory)),
  );
  return meant === undefined ? null : updateVerdict(meant, meant.slot);
}

/**
 * "I don't like sushi anymore" ends "I love sushi"; "no coffee after three any more" does not end
 * "I like coffee", because it says more than that.
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
  const others = [...said.terms].filter((term) => term !== 'not' && !liked.terms.has(term));
  return coverage(liked, said) === 1 && others.length === 0;
}

const preferenceWords =
  '(?:lov|lik|enjoy|ador)(?:e?s|e|ed|ing)?|prefers?|encantan?|gustan?|adore|aime|' +
  'mag|liebe|gerne?|piac(?:e|ciono)|amo|adoro|gosto|любл[юи]т?|обожаю|нрав[ия]тся';
const unspacedPreferenceWords = '[がは]?(?:大好き|好き)(?:です|じゃ|では)?|喜欢';

/** Words of liking, articles and words of ending: they are not the thing that is liked. */
const preferenceFiller = new RegExp(
  `(?<!\\p{L})(?:${preferenceWords}|el|los?|las?|les?|il|gli|der|die|das|the|os?|as?|` +
    'any ?more|no longer|really|honestly|actually|nicht mehr|ya no|plus|più|mais|больше не|' +
    `ich|je|n['’]|ne|pas|eu|io|me|mi|я|мне)(?!\\p{L})|${unspacedPreferenceWords}|もう|不再`,
  'giu',
);

/** Liking, eating or drinking a thing, but not "don't eat with my sister". */
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

/** A repeated fact is not stored again; a longer version replaces the shorter one. */
function mergeSimilar(
  { statement, signature }: ComparedStatement,
  known: readonly ComparedMemory[],
): ReconcileVerdict | null {
  if (isOccurrence(statement)) return null;
  for (const memory of known.toReversed()) {
    if (memory.memory === statement.text) return null;
    const like = compareSignatures(signature, memory.signature);
    if (like === null || isOccurrence(withType(memory))) continue;
    if (like === 'more') {
      return { event: 'UPDATE', target: memory.id, slot: memory.slot, reason: 'adds detail to it' };
    }
    return { event: 'NOOP', target: memory.id, slot: null, reason: `repeats ${memory.id}` };
  }
  return null;
}
