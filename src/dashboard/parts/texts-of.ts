import { asOfPast } from './past.tsx';
import { client } from './session.ts';

/** The maximum number of ids in one request. */
const askedMax = 200;

/** The texts of memories by their ids, as they are on the day that is shown. */
export async function textsOf(ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const memory_ids = [...new Set(ids)].slice(0, askedMax);
  if (memory_ids.length === 0) return new Map();
  const { results } = await client.getMemories({
    filters: { id: { in: memory_ids } },
    fields: ['memory'],
    show_expired: true,
    latest_only: false,
    page_size: askedMax,
    ...asOfPast(),
  });
  return new Map(results.map(({ id, memory = '' }) => [id, memory]));
}
