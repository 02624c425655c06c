import type { Message } from '../../contract/schemas/message.ts';
import type { Decision } from '../ports/index.ts';

/**
 * The source message of a memory, cut to the surroundings if it is long. Every memory keeps its own
 * excerpt, and a pasted document can yield thousands.
 */
export function excerptOf(
  { text, said }: Pick<Decision, 'text' | 'said'>,
  source: Message,
): Message {
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
