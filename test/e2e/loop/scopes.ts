import { makeSentences } from '../../bench/sentences.ts';
import { type Body, listOf, type Service } from '../service.ts';
import type { Scope } from './text-requests.ts';

export type Filling = { memories: number; seed: number };

/** A user who has so many memories. */
export async function fillScope(
  service: Service,
  user_id: string,
  { memories, seed }: Filling,
): Promise<Scope> {
  const texts = makeSentences(memories, seed).map(({ text }) => text);
  for (let start = 0; start < texts.length; start += 500) {
    const messages = texts.slice(start, start + 500).map((content) => ({ role: 'user', content }));
    await service.send('POST', '/v1/memories/', { body: { user_id, messages, infer: false } });
  }
  const body = { filters: { user_id }, page_size: 1000 };
  const listed = listOf(await service.send('POST', '/v2/memories/', { body }));
  const ids = listed.map(({ id }) => String(id));
  return { user_id, ids, pool: await poolOf(service, user_id, ids) };
}

/** Who has no memories, and changes those of the other. */
export function emptyScope({ ids, pool }: Scope, user_id: string): Scope {
  return { user_id, ids, pool: { ...pool, ...poolFor(user_id) } };
}

const momentNames = [
  'as_of',
  'valid_at',
  'valid_from',
  'valid_until',
  'from',
  'to',
  'timestamp',
  'start_date',
  'end_date',
  'reference_date',
];

async function poolOf(service: Service, user_id: string, ids: readonly string[]) {
  const { body } = await service.send('GET', '/v1/ping/');
  const { org_id, project_id } = body as Body;
  const moments = [new Date().toISOString()];
  return {
    ...poolFor(user_id),
    memory_id: ids.slice(0, 20),
    memory_ids: [ids.slice(0, 1), ids.slice(1, 4)],
    org_id: [org_id],
    project_id: [project_id],
    ...Object.fromEntries(momentNames.map((name) => [name, moments])),
    expiration_date: ['2099-01-01'],
    after: ['now'],
    page: [1],
    schema: [{ type: 'object', properties: { name: { type: 'string' } } }],
    query: ['bike', 'Who bought the green lamp?'],
  };
}

function poolFor(user_id: string) {
  return { user_id: [user_id], entity_id: [user_id], filters: [{ user_id }] };
}
