import { estimateTokens } from '../../contract/estimate-tokens.ts';
import type {
  ContextKind,
  ContextTemplate,
  leftOutReasons,
} from '../../contract/operations/context.ts';
import type { Output } from '../../contract.ts';
import type { StoredMemory } from '../ports/index.ts';
import { type ContextForm, contextForms } from './templates.ts';

/** Memories of one kind, the most important first. */
export type ContextPart = { kind: ContextKind; memories: readonly StoredMemory[] };

type WrittenContext = Pick<Output<'get_context'>, 'text' | 'blocks' | 'used'> & {
  left_out: { id: string; reason: (typeof leftOutReasons)[number] }[];
};

/** A block as it grows: its heading and its lines. */
type Block = { kind: ContextKind; memory_ids: string[]; lines: string[]; tokens: number };

/** What always holds leaves four fifths of the budget to what is asked. */
const alwaysShare = 1 / 5;

/**
 * Writes as many memories as fit, each once. A line that does not fit is left out, and shorter ones
 * after it may follow; only the first answer is shortened instead. Each line is counted by itself,
 * with its line end, so that the text costs no more than the sum.
 */
export function writeContext(
  parts: readonly ContextPart[],
  { template, max_tokens }: { template: ContextTemplate; max_tokens: number },
): WrittenContext {
  const form = contextForms[template];
  const left_out: WrittenContext['left_out'] = [];
  const blocks: Block[] = [];
  const seen = new Set<string>();
  const frame = costOf(form.join([]), form);
  let left = max_tokens - frame;
  for (const part of parts) {
    const share = part.kind === 'always' ? max_tokens * alwaysShare : left;
    const fresh = part.memories.filter(({ id }) => !seen.has(id) && seen.add(id));
    const block = fillBlock({ ...part, memories: fresh }, form, Math.min(share, left));
    const written = new Set(block.memory_ids);
    for (const { id } of fresh) if (!written.has(id)) left_out.push({ id, reason: 'over_budget' });
    if (written.size === 0) continue;
    blocks.push(block);
    left -= block.tokens;
  }
  if (blocks.length === 0) return { text: '', blocks: [], used: 0, left_out };
  const text = form.join(blocks.map(({ kind, lines }) => form.block(kind, lines)));
  const shown = blocks.map(({ kind, memory_ids, tokens }) => ({ kind, memory_ids, tokens }));
  return { text, blocks: shown, used: estimateTokens(text), left_out };
}

function fillBlock({ kind, memories }: ContextPart, form: ContextForm, budget: number): Block {
  const block: Block = {
    kind,
    memory_ids: [],
    lines: [],
    tokens: costOf(form.block(kind, []), form),
  };
  for (const memory of memories) {
    const left = budget - block.tokens;
    if (left < lineTokensMin) break;
    const isBest = kind === 'answers' && block.lines.length === 0 && memory === memories[0];
    const written =
      fitLine(form.line(memory), form, left) ?? (isBest ? shorten(memory, form, left) : null);
    if (written === null) continue;
    block.lines.push(written.line);
    block.memory_ids.push(memory.id);
    block.tokens += written.tokens;
  }
  return block;
}

type WrittenLine = { line: string; tokens: number };

function fitLine(line: string, form: ContextForm, budget: number): WrittenLine | null {
  const tokens = costOf(line, form);
  return tokens <= budget ? { line, tokens } : null;
}

/** The beginning of a memory that is too long as a whole; null if not even that fits. */
function shorten(memory: StoredMemory, form: ContextForm, budget: number): WrittenLine | null {
  for (let chars = budget * charsPerToken; chars >= charsMin; chars /= 2) {
    const beginning = memory.memory.slice(0, chars).toWellFormed().trimEnd();
    const written = fitLine(form.line({ ...memory, memory: `${beginning}…` }), form, budget);
    if (written !== null) return written;
  }
  return null;
}

/** No text has more. */
const charsPerToken = 7;
const charsMin = 8;

/** A date, an id and a few words cost more. */
export const lineTokensMin = 12;

/** With what ends the line. */
function costOf(text: string, { separator }: ContextForm): number {
  return estimateTokens(text + separator) + 1;
}
