import type { WriteResult } from '../../contract/schemas/change.ts';
import type { Source } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { Decision, Deps, ProjectRef, StoredMemory, Tables } from '../ports/index.ts';

/** Sources are kept unless `keep_source` is false. */
type SourcePolicy = Pick<Deps, 'keep_source'>;

/** The source message of a memory, as the history keeps it. */
export function sourceToKeep(
  { keep_source = true }: SourcePolicy,
  decision: Pick<Decision, 'text' | 'said'>,
  source: Message,
): Message[] {
  return keep_source ? [excerptOf(decision, source)] : [];
}

/**
 * The source message of a memory, cut to the surroundings if it is long. Every memory keeps its own
 * excerpt, and a pasted document can yield thousands.
 */
function excerptOf({ text, said }: Pick<Decision, 'text' | 'said'>, source: Message): Message {
  const { content } = source;
  const words = said ?? text;
  const at = Math.max(0, content.indexOf(words));
  const from = Math.max(0, at - contextChars);
  const to = at + words.length + contextChars;
  if (from === 0 && to >= content.length) return source;
  const part = content.slice(from, to).toWellFormed();
  const end = to < content.length ? '…' : '';
  return { ...source, content: `${from > 0 ? '…' : ''}${part}${end}` };
}

/** Kept on each side, about some sentences. */
const contextChars = 1000;

/** A decision without the original words, if sources are not kept. */
export function redactDecision<D extends Decision>(
  { keep_source = true }: SourcePolicy,
  decision: D,
): D {
  return keep_source ? decision : { ...decision, said: null };
}

/** The final payload and results of an add's event: with the messages, or without them. */
export function eventToKeep(
  { keep_source = true }: SourcePolicy,
  payload: Readonly<Record<string, unknown>>,
  results: WriteResult[],
): { payload?: Record<string, unknown>; results: WriteResult[] } {
  if (keep_source) return { results };
  const { messages: _, ...rest } = payload;
  return { payload: rest, results: results.map(redactResult) };
}

/** The text of a NOOP is the message's own, so it is not kept. */
function redactResult(result: WriteResult): WriteResult {
  return result.event === 'NOOP' ? { ...result, memory: '', data: { memory: '' } } : result;
}

/**
 * The source message of a memory's current text; null if it has none, as after an update, or if it
 * was not kept.
 */
export async function findSource(
  { history }: Pick<Tables, 'history'>,
  project: ProjectRef,
  memory: Pick<StoredMemory, 'id' | 'memory'>,
): Promise<Source | null> {
  const change = await history.findSource(project, memory);
  const [message] = change?.input ?? [];
  if (change === null || message === undefined) return null;
  const { role, content, name = null } = message;
  return { role, name, content, run_id: change.run_id, created_at: change.created_at };
}
