import { isoDayOf } from '../../contract/wall-clock.ts';
import { createTurns, mapInTurns, runInTurns } from '../../turns.ts';
import { shownBeginning } from '../language/parts-by-length.ts';
import type { Decision, Instant, RelatedMemory } from '../ports/index.ts';
import {
  type ComparedStatement,
  type DatedStatement,
  type EmbedText,
  findContradicted,
} from './contradictions.ts';
import { type ForgetDecider, forgetsFirst } from './forgetting/forget-targets.ts';
import { type ComparedMemory, speakerOfMemory } from './known-memories.ts';
import { certainSlotOf, type FilledSlot } from './slots.ts';
import type { ExtractedStatement } from './statement.ts';
import {
  compareSignatures,
  coverage,
  sharesOrder,
  signatureOf,
  type TextSignature,
} from './text-similarity.ts';

type ReconcileVerdict = Pick<
  Decision,
  'event' | 'target' | 'reason' | 'slot' | 'supersedes' | 'may_replace'
>;

type ReconcileContext = {
  memories: readonly RelatedMemory[];
  readMemory: (memory: RelatedMemory) => ComparedMemory;
  said_at: Instant;
  embed: EmbedText;
  forget: ForgetDecider;
};

/**
 * Decides what each statement does to the stored memories. It updates one only if both say a single
 * thing, and give one attribute of one subject two values; any other memory that it may contradict
 * stays, and is named. Only memories of the same speaker are compared.
 */
export async function reconcile(
  statements: readonly DatedStatement[],
  { memories, readMemory, said_at, embed, forget }: ReconcileContext,
): Promise<Decision[]> {
  const earlier = memories.filter(({ created_at }) => created_at <= said_at);
  const open = await runInTurns(mapInTurns(earlier, readMemory));
  const compared: ComparedStatement[] = [];
  const decisions: Decision[] = [];
  const yieldTurn = createTurns();
  for (const statement of forgetsFirst(statements)) {
    await yieldTurn();
    const signature = signatureOf(statement.text, statement.speaker);
    const speakerMemories = open.filter((memory) => speakerOfMemory(memory) === statement.speaker);
    const again = compared.some((before) => repeatsEarlier({ statement, signature }, before));
    compared.push({ statement, signature });
    if (compared.length > repeatedWithin) compared.shift();
    const verdicts = again
      ? [repeatedVerdict]
      : await decide({ statement, signature }, speakerMemories, { embed, forget, rest: yieldTurn });
    for (const verdict of verdicts) {
      const target = speakerMemories.find(({ id }) => id === verdict.target);
      const isGone = verdict.event === 'UPDATE' || verdict.event === 'DELETE';
      if (isGone && target !== undefined) open.splice(open.indexOf(target), 1);
      decisions.push(toDecision(statement, verdict));
    }
  }
  return decisions;
}

/** Only so many earlier statements are compared: all of them would take quadratic time. */
const repeatedWithin = 200;

function toDecision(statement: DatedStatement, verdict: ReconcileVerdict): Decision {
  const { text, message, type, occurred, validity, around } = statement;
  const words = around ?? statement.said;
  const ownWords = words === text ? null : words;
  const when = validity === undefined ? { occurred } : { occurred, validity };
  return { ...verdict, ...when, text, message, type, said: ownWords };
}

const repeatedVerdict: ReconcileVerdict = {
  event: 'NOOP',
  target: null,
  slot: null,
  reason: 'said before in these messages',
};

function repeatsEarlier(
  { statement, signature }: ComparedStatement,
  before: ComparedStatement,
): boolean {
  if (statement.text === before.statement.text || isOccurrence(statement)) return false;
  if (statement.speaker !== before.statement.speaker) return false;
  return repeats(signature, before.signature);
}

/**
 * Whether a text says no more than another one: the same, or how that begins. "Tom plays polo" has
 * all its words in "Tom's mother plays polo", and says something else.
 */
function repeats(text: TextSignature, memory: TextSignature): boolean {
  const like = compareSignatures(text, memory);
  if (like === 'same') return sharesOrder(text, memory);
  const [words, begin] = [[...text.terms], [...memory.terms].slice(0, text.terms.size)];
  return like === 'less' && words.every((word, at) => word === begin[at]);
}

/** Events and plans may happen again. */
function isOccurrence({ type }: Pick<ExtractedStatement, 'type'>): boolean {
  return type === 'event' || type === 'plan';
}

type DecideContext = Pick<ReconcileContext, 'embed' | 'forget'> & { rest: () => Promise<void> };

async function decide(
  compared: ComparedStatement,
  memories: readonly ComparedMemory[],
  { forget, embed, rest }: DecideContext,
): Promise<ReconcileVerdict[]> {
  const { statement } = compared;
  const { kind, said, text } = statement;
  if (kind === 'question') return [addVerdict(null, false)];
  if (kind !== 'statement') {
    const changeable = memories.filter(({ immutable }) => !immutable);
    return forget({ sentence: said ?? text, isSure: kind === 'forget' }, changeable);
  }
  const contested = new Set(memories.flatMap((memory) => memory.may_replace));
  // "I live in Ghent again": what may be over is true again.
  const settled = memories.filter(({ id }) => !contested.has(id));
  const repeated = repeatsStored(compared, settled);
  if (repeated !== null) return [repeated];
  const slot = certainSlotOf(statement);
  const replaced =
    slot === null ? undefined : memories.findLast((one) => isReplaced(one, compared, slot));
  const otherMemories = memories.filter((one) => one !== replaced);
  const comparison = { isUpdate: replaced !== undefined, embed, rest };
  const may_replace = (await findContradicted(compared, otherMemories, comparison)).map(
    ({ id }) => id,
  );
  const verdict = replaced ? updateVerdict(replaced, slot) : addSlot(statement, slot, memories);
  return [may_replace.length === 0 ? verdict : { ...verdict, may_replace }];
}

/** A fact that has ended, or an event, does not replace the present value of an attribute. */
function addSlot(
  statement: DatedStatement,
  certain: FilledSlot | null,
  memories: readonly ComparedMemory[],
): ReconcileVerdict {
  if (statement.occurred !== null) return addVerdict(null, false);
  const slot = certain ?? certainSlotOf(statement, 'stored');
  if (slot === null || slot.ended) return addVerdict(null, false);
  const isTaken = memories.some((memory) => memory.slot === slot.name);
  return addVerdict(slot.name, !isTaken && certain !== null);
}

function addVerdict(slot: string | null, supersedes: boolean): ReconcileVerdict {
  const add = { event: 'ADD', target: null, reason: null, slot } as const;
  return supersedes ? add : { ...add, supersedes };
}

function updateVerdict({ id, memory }: ComparedMemory, slot: FilledSlot | null): ReconcileVerdict {
  const reason = `supersedes "${shownBeginning(memory)}"`;
  return { event: 'UPDATE', target: id, slot: slot?.name ?? null, reason, supersedes: true };
}

/** Whether a memory says one thing, which is certainly no longer true. */
function isReplaced(
  memory: ComparedMemory,
  { statement, signature }: ComparedStatement,
  { name, ended }: FilledSlot,
): boolean {
  const { slots, isDated } = memory.certain();
  if (memory.immutable || !slots.includes(name)) return false;
  // A dated event stays true: later events do not replace it.
  if (memory.type === 'event' && isDated) return false;
  if (ended) return coverage(memory.signature, signature) === 1;
  // A change from before the day that it was said changed nothing of it.
  const { occurred } = statement;
  return occurred === null || occurred.at >= isoDayOf(memory.created_at);
}

/** A repeated fact is not stored again. */
function repeatsStored(
  { statement, signature }: ComparedStatement,
  memories: readonly ComparedMemory[],
): ReconcileVerdict | null {
  if (isOccurrence(statement)) return null;
  for (const { id, memory, type, signature: other } of memories.toReversed()) {
    if (memory === statement.text) return null; // the store finds it by its hash
    if (!repeats(signature, other)) continue;
    if (isOccurrence({ type: type ?? 'fact' })) continue;
    return { event: 'NOOP', target: id, slot: null, reason: `repeats ${id}` };
  }
  return null;
}
