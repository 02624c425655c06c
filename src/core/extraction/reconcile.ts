import { createTurns, mapInTurns, runInTurns } from '../../turns.ts';
import { compareSignatures, coverage, signatureOf } from '../language/text-similarity.ts';
import type { Decision, Instant, RelatedMemory } from '../ports/index.ts';
import {
  type ComparedMemory,
  type ComparedStatement,
  type DatedStatement,
  findContradicted,
  type MemoryComparison,
} from './comparable-memories.ts';
import type { ContradictionFinder } from './contradictions.ts';
import { type ExtractedStatement, memoryTypeOf } from './extract-statements.ts';
import { type ForgetDecider, forgetsFirst } from './forgetting/forget-targets.ts';
import type { NotedFact } from './languages/notes.ts';
import { detectRuleLanguages, rulesOf } from './rule-languages.ts';
import { factOfSlot } from './slot-facts.ts';
import { findSlot } from './slots.ts';
import {
  findPostponed,
  findReplaced,
  preferenceFiller,
  preferencePattern,
  statesEnding,
  taskPattern,
} from './supersession-cues.ts';

type ReconcileVerdict = Pick<Decision, 'event' | 'target' | 'reason' | 'slot' | 'supersedes'> & {
  /** Which fact of the target is superseded, where that is certain. */
  gone?: NotedFact | null;
};

type ReconcileContext = {
  known: readonly RelatedMemory[];
  said_at: Instant;
  finder: ContradictionFinder;
  forget: ForgetDecider;
};

/**
 * Decides what each statement does to the stored memories: it adds one, repeats one, or updates one
 * in place. Only memories of the same speaker are compared.
 */
export async function reconcile(
  statements: readonly DatedStatement[],
  { known, said_at, finder, forget }: ReconcileContext,
): Promise<Decision[]> {
  const changeable = known.filter(
    ({ immutable, created_at }) => !immutable && created_at <= said_at,
  );
  const open = await runInTurns(mapInTurns(changeable, toCompared));
  const said: ComparedStatement[] = [];
  const decisions: Decision[] = [];
  const rest = createTurns();
  for (const statement of forgetsFirst(statements)) {
    await rest();
    const signature = signatureOf(statement.text, statement.speaker);
    const own = open.filter((memory) => speakerOf(memory) === statement.speaker);
    const again = said.some((before) => repeatsEarlier({ statement, signature }, before));
    said.push({ statement, signature });
    if (said.length > repeatedWithin) said.shift();
    const verdicts = again
      ? [repeatedVerdict]
      : await decide({ statement, signature }, own, { finder, forget, rest });
    for (const verdict of verdicts) {
      const target = own.find(({ id }) => id === verdict.target);
      const isGone = verdict.event === 'UPDATE' || verdict.event === 'DELETE';
      if (isGone && target !== undefined) open.splice(open.indexOf(target), 1);
      decisions.push(...toDecisions(statement, verdict, { target, finder }));
    }
  }
  return decisions;
}

/** What was said longer ago is not looked for: a long text would take the square of its length. */
const repeatedWithin = 200;

/**
 * What a statement supersedes is the fact that it contradicts: the memory keeps the others that it
 * says, and the statement is added beside it.
 */
function toDecisions(
  statement: DatedStatement,
  verdict: ReconcileVerdict,
  { target, finder }: { target: ComparedMemory | undefined; finder: ContradictionFinder },
): Decision[] {
  const { gone: certain = null, ...change } = verdict;
  const { text, message, type, occurred, validity, around } = statement;
  const words = around ?? statement.said;
  const said = words === text ? null : words;
  const when = validity === undefined ? { occurred } : { occurred, validity };
  const decision = { ...change, ...when, text, message, type, said };
  const gone =
    verdict.supersedes && target !== undefined
      ? (certain ?? finder.find(target, said ?? text, true))
      : null;
  if (gone === null || gone.rest === null || target === undefined) return [decision];
  const reason = `no longer holds: "${shorten(gone.fact)}"`;
  const { slot } = verdict;
  const kept = slot !== null && target.slot === slot ? null : target.slot;
  const rest = { text: gone.rest, type: target.type, slot: kept, said: null, occurred: null };
  return [
    { ...decision, ...rest, reason, isRest: true, supersedes: false },
    { ...decision, event: 'ADD', target: null, reason: null, supersedes: false },
  ];
}

function toCompared(memory: RelatedMemory): ComparedMemory {
  const signature = signatureOf(memory.memory, speakerOf(memory));
  return { ...memory, ...unknownsOf(memory), signature };
}

/** What is not known of a text that was stored as it is: its kind, and the slot that it fills. */
function unknownsOf(memory: RelatedMemory): Pick<RelatedMemory, 'type' | 'slot'> {
  const { type, slot } = memory;
  if (type !== null && slot !== null) return { type, slot };
  const [language = 'en'] = detectRuleLanguages(memory.memory);
  const rules = rulesOf(language);
  const filled = findSlot(memory.memory, { rules, speaker: speakerOf(memory) });
  return {
    type: type ?? memoryTypeOf(memory.memory, rules),
    slot: slot ?? (filled?.ended === false ? filled.name : null),
  };
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

async function decide(
  read: ComparedStatement,
  known: readonly ComparedMemory[],
  { forget, ...comparing }: MemoryComparison & Pick<ReconcileContext, 'forget'>,
): Promise<ReconcileVerdict[]> {
  const { statement } = read;
  const { kind, said, text, around } = statement;
  if (kind === 'question') return [addVerdict(null)];
  if (kind !== 'statement') {
    const sentence = said ?? text;
    return forget({ sentence, message: around ?? sentence, isSure: kind === 'forget' }, known);
  }
  return [await decideStatement(read, known, comparing)];
}

async function decideStatement(
  read: ComparedStatement,
  known: readonly ComparedMemory[],
  comparing: MemoryComparison,
): Promise<ReconcileVerdict> {
  if (read.statement.slot !== null) return fillSlot(read, known);
  return (
    supersedeReplaced(read, known) ??
    supersedePostponed(read, known) ??
    supersedeEnded(read, known) ??
    (await supersedeContradicted(read, known, comparing)) ??
    mergeSimilar(read, known) ??
    addVerdict(null)
  );
}

function addVerdict(slot: string | null): ReconcileVerdict {
  return { event: 'ADD', target: null, reason: null, slot };
}

/** Updates the memory that fills the slot. An ending must match the fact of that memory. */
function fillSlot(read: ComparedStatement, known: readonly ComparedMemory[]): ReconcileVerdict {
  const { slot, text } = read.statement;
  const name = slot?.name ?? null;
  const factIn = (memory: ComparedMemory) =>
    factOfSlot(memory.memory, { slot: name, speaker: speakerOf(memory) });
  const current =
    known.findLast((memory) => memory.slot === name) ??
    known.findLast((memory) => factIn(memory) !== null);
  if (current === undefined) return supersedeReplaced(read, known, name) ?? addVerdict(name);
  if (current.memory === text) return addVerdict(name);
  if (slot?.ended && coverage(signatureOfHead(current), read.signature) < endedCoverageMin)
    return addVerdict(null);
  return { ...updateVerdict(current, name), gone: factIn(current) };
}

const endedCoverageMin = 0.6;

/** The first clause holds the fact: "I'm vegan, so keep that in mind". */
function signatureOfHead(memory: ComparedMemory) {
  const [head = ''] = memory.memory.split(/[,;.]\s/, 1);
  return head.length < memory.memory.length - 1
    ? signatureOf(head, speakerOf(memory))
    : memory.signature;
}

function updateVerdict({ id, memory }: ComparedMemory, slot: string | null): ReconcileVerdict {
  const reason = `supersedes "${shorten(memory)}"`;
  return { event: 'UPDATE', target: id, slot, reason, supersedes: true };
}

function shorten(text: string): string {
  return text.slice(0, reasonMaxChars).toWellFormed();
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

const endedMinTerms = 2;
const endedTermCoverageMin = 0.75;

function withType({ type }: ComparedMemory): Pick<ExtractedStatement, 'type'> {
  return { type: type ?? 'fact' };
}

const detailReason = 'adds detail to it';

async function supersedeContradicted(
  read: ComparedStatement,
  known: readonly ComparedMemory[],
  comparing: MemoryComparison,
): Promise<ReconcileVerdict | null> {
  const meant = await findContradicted(read, known, comparing);
  return meant === null ? null : updateVerdict(meant, meant.slot);
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
      return { event: 'UPDATE', target: memory.id, slot: memory.slot, reason: detailReason };
    }
    return { event: 'NOOP', target: memory.id, slot: null, reason: `repeats ${memory.id}` };
  }
  return null;
}
