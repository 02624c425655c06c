import type { WriteResult } from '../../contract/schemas/change.ts';
import type { Source } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { Decision, Deps, ProjectRef, Tables } from '../ports/index.ts';

/** `keep_source`: where nothing is said, they are kept. */
type SourcePolicy = Pick<Deps, 'keep_source'>;

/** What the history keeps of the message that a memory came from. */
export function sourceToKeep(
  { keep_source = true }: SourcePolicy,
  decision: Pick<Decision, 'text' | 'said'>,
  source: Message,
): Message[] {
  return keep_source ? [excerptOf(decision, source)] : [];
}

/**
 * The message that a memory came from; of a long one what stands around it. Every memory keeps its
 * own, and a pasted document holds thousands.
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

/** Kept on each side: some sentences. */
const contextChars = 1000;

/** A decision without the words as they were said, where these are not kept. */
export function redactDecision<D extends Decision>(
  { keep_source = true }: SourcePolicy,
  decision: D,
): D {
  return keep_source ? decision : { ...decision, said: null };
}

/** What the event of an add has in the end, of what was said: all of it, or nothing. */
export function eventToKeep(
  { keep_source = true }: SourcePolicy,
  payload: Readonly<Record<string, unknown>>,
  results: WriteResult[],
): { payload?: Record<string, unknown>; results: WriteResult[] } {
  if (keep_source) return { results };
  const { messages: _, ...rest } = payload;
  return { payload: rest, results: results.map(redactResult) };
}

/** Of a fact that was not stored, the text is the turn's. */
function redactResult(result: WriteResult): WriteResult {
  return result.event === 'NOOP' ? { ...result, memory: '', data: { memory: '' } } : result;
}

/**
 * The message that the present text of a memory came from; null where it came from none, such as
 * an update, and where it is not kept.
 */
export async function findSource(
  { history }: Pick<Tables, 'history'>,
  project: ProjectRef,
  memory_id: string,
): Promise<Source | null> {
  const change = await history.findLastRewrite(project, memory_id);
  const [message] = change?.input ?? [];
  if (change === null || message === undefined) return null;
  const { role, content, name = null } = message;
  return { role, name, content, run_id: change.run_id, created_at: change.created_at };
}
