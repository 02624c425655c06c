import { contract } from '../../contract.ts';
import type { ResultItem } from '../results/views.ts';
import type { ToolCall } from './tool-call.ts';

/** Explains how to go on when a search found nothing; empty for any other answer. */
export async function emptySearchNotes(
  call: ToolCall,
  { results, note, weak }: ResultItem,
): Promise<string[]> {
  const isEmpty = Array.isArray(results) && results.length === 0;
  if (call.record.name !== 'search_memories' || !isEmpty) return [];
  if (typeof note === 'string') return []; // it says so
  const total = await countSearched(call);
  if (total === 0) return ['No memories are stored here yet, or the filters leave none.'];
  const among = total === null ? '' : ` among ${total} ${total === 1 ? 'memory' : 'memories'}`;
  const heading = weak === undefined ? 'Nothing found' : 'Nothing that surely answers this';
  return [`${heading}${among}; try other words, a name or a date.`];
}

/** How many memories the search was among; null if that cannot be counted now. */
async function countSearched({ input, options, signal }: ToolCall): Promise<number | null> {
  const selecting = Object.entries(input).filter(([name]) => {
    return name in contract.get_memories.input.shape;
  });
  const counted = { ...Object.fromEntries(selecting), page: 1, page_size: 1, fields: ['id'] };
  try {
    const { total } = await options.invoke('get_memories', counted, {
      caller: options.caller,
      signal,
    });
    return total;
  } catch {
    return null; // the search itself has its answer
  }
}
