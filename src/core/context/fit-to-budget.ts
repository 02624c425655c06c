import { estimateTokens } from '../../contract/estimate-tokens.ts';
import type {
  ContextKind,
  ContextTemplate,
  leftOutReasons,
} from '../../contract/operations/context.ts';
import { fitPassage, passageBudget, shortTokensMin } from '../../contract/passage.ts';
import type { Output } from '../../contract.ts';
import type { StoredMemory } from '../ports/index.ts';
import { type ContextForm, contextFormIn } from './templates.ts';

/** Memories of one kind, the most important first. */
export type ContextPart = { kind: ContextKind; memories: readonly StoredMemory[] };

type WrittenContext = Pick<Output<'get_context'>, 'text' | 'blocks' | 'used'> & {
  left_out: { id: string; reason: (typeof leftOutReasons)[number] }[];
};

/** A block as it grows: its heading and its lines. */
type Block = {
  kind: ContextKind;
  memory_ids: readonly string[];
  lines: readonly string[];
  tokens: number;
};

type ContextAsked = {
  template: ContextTemplate;
  max_tokens: number;
  query: string | null;
  /** Dates are days of this time zone. */
  timezone: string;
  /** The line that stands in for answers when there are none. */
  note: string | null;
};

/** Memories that always hold leave four fifths of the budget to the answers. */
const alwaysShare = 1 / 5;

/**
 * Writes as many memories as fit, each once. Memories that always hold get their share first, and
 * in the end what the other blocks leave. A pinned memory that did not fit into the share comes
 * before all answers if it answers, and is counted if it is left out. Each line is counted by
 * itself, with its line end, so the text never costs more than the sum.
 */
export function fitToBudget(
  parts: readonly ContextPart[],
  { template, max_tokens, query, timezone, note }: ContextAsked,
): WrittenContext {
  const form = contextFormIn(template, timezone);
  const notes = note === null ? [] : [form.note(note)];
  const all = max_tokens - costOf(form.join(notes), form);
  const always = parts.filter(({ kind }) => kind === 'always').flatMap(({ memories }) => memories);
  const start = emptyBlock('always', form);
  const share = Math.min(max_tokens * alwaysShare, all);
  const first = fillBlock(start, always, { form, query, room: share });
  const waitingMemories = always.filter(
    ({ id, pinned }) => pinned && !first.memory_ids.includes(id),
  );
  const reserved =
    waitingMemories.length === 0 ? 0 : costOf(form.leftOut(waitingMemories.length), form);
  const writtenIds = new Set(first.memory_ids);
  const blocks: Block[] = [];
  let room = all - reserved - spentOn(first);
  for (const { kind, memories } of parts) {
    if (kind === 'always') continue;
    const fresh = pinnedFirst(memories).filter(({ id }) => !writtenIds.has(id));
    const block = fillBlock(emptyBlock(kind, form), fresh, { form, query, room });
    for (const id of block.memory_ids) writtenIds.add(id);
    room -= spentOn(block);
    blocks.push(block);
  }
  const others = always.filter(({ id }) => !writtenIds.has(id));
  const isWaiting =
    (block: Block) =>
    ({ id, pinned }: StoredMemory) =>
      pinned && !block.memory_ids.includes(id);
  let last = fillBlock(first, others, { form, query, room: room + reserved });
  if (others.some(isWaiting(last))) last = fillBlock(first, others, { form, query, room });
  const missingCount = others.filter(isWaiting(last)).length;
  return shownContext([last, ...blocks], { form, parts, missingCount, notes });
}

/** What a context shows beside its blocks. */
type ShownBeside = {
  form: ContextForm;
  parts: readonly ContextPart[];
  missingCount: number;
  notes: readonly string[];
};

function shownContext(
  blocks: readonly Block[],
  { form, parts, missingCount, notes }: ShownBeside,
): WrittenContext {
  const filled = blocks.filter(({ lines }) => lines.length > 0);
  const seenIds = new Set(filled.flatMap(({ memory_ids }) => memory_ids));
  const allMemories = parts.flatMap(({ memories }) => memories);
  const others = allMemories.filter(({ id }) => !seenIds.has(id) && seenIds.add(id));
  const left_out = others.map(({ id }) => ({ id, reason: 'over_budget' as const }));
  const sections = [...filled.map(({ kind, lines }) => form.block(kind, lines)), ...notes];
  if (missingCount > 0) sections.push(form.leftOut(missingCount));
  const text = sections.length === 0 ? '' : form.join(sections);
  const blockReports = filled.map(({ kind, memory_ids, tokens }) => {
    return { kind, memory_ids: [...memory_ids], tokens };
  });
  return { text, blocks: blockReports, used: text === '' ? 0 : estimateTokens(text), left_out };
}

function pinnedFirst(memories: readonly StoredMemory[]): StoredMemory[] {
  return memories.toSorted((one, other) => Number(other.pinned) - Number(one.pinned));
}

function emptyBlock(kind: ContextKind, form: ContextForm): Block {
  return { kind, memory_ids: [], lines: [], tokens: costOf(form.block(kind, []), form) };
}

/** A block without lines is not written. */
function spentOn({ lines, tokens }: Block): number {
  return lines.length === 0 ? 0 : tokens;
}

type Room = { form: ContextForm; query: string | null; room: number };

/**
 * Fills the block with the memories that fit into `room`. A memory that does not fit is cut to the
 * passage that matched, unless it always holds or is pinned: half of an instruction may say the
 * opposite.
 */
function fillBlock(start: Block, memories: readonly StoredMemory[], options: Room): Block {
  const { form, query, room } = options;
  const [memory_ids, lines] = [[...start.memory_ids], [...start.lines]];
  const budget = spentOn(start) + room;
  let { tokens } = start;
  for (const [index, memory] of memories.entries()) {
    const left = budget - tokens;
    if (left < lineTokensMin) break;
    const costs = (passage: string) => costOf(form.line({ ...memory, memory: passage }), form);
    const isWhole = costs(memory.memory) <= left;
    const isRule = start.kind === 'always' || memory.pinned;
    if (!isWhole && (isRule || (left < shortTokensMin && lines.length > 0))) continue;
    const isLast = index === memories.length - 1;
    const passage = isWhole
      ? memory.memory
      : fitPassage(memory.memory, query, { budget: passageBudget(left, isLast), costOf: costs });
    if (passage === null) continue;
    lines.push(form.line({ ...memory, memory: passage }));
    memory_ids.push(memory.id);
    tokens += costs(passage);
  }
  return { kind: start.kind, memory_ids, lines, tokens };
}

/** A date, an id and a few words cost more. */
export const lineTokensMin = 12;

/** The cost of a text with its line end. */
function costOf(text: string, { separator }: ContextForm): number {
  return estimateTokens(text + separator) + 1;
}
