import { user_id } from './fill-store.ts';
import type { Request } from './http-load.ts';
import { key, type Server } from './rest-servers.ts';
import type { Sentence } from './sentences.ts';

/** One kind of request, and over how many connections it is sent. */
export type Row = { name: string; connections: number; request: (index: number) => Request };

/** Ids of the newest memories, as many as a page holds. */
export async function listIds(server: Server): Promise<string[]> {
  const asked = post('/v2/memories/', { filters: { user_id }, page_size: idsMax });
  const { results } = JSON.parse(await answerOf(server, asked)) as { results: { id: string }[] };
  return results.map(({ id }) => id);
}

const idsMax = 1000;

/** A memory as the service answers it. */
export async function textOf(server: Server, id: string): Promise<string> {
  return answerOf(server, { method: 'GET', path: `/v1/memories/${id}/` });
}

/** What the service answers to a single request; it must be a 2xx. */
export async function answerOf({ url }: Server, request: Request): Promise<string> {
  const { method, path, headers, body } = request;
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.ok) return text;
  throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
}

type Stored = { ids: readonly string[]; sentences: readonly Sentence[] };

/** Everything that is measured. */
export function requestsOf({ ids, sentences }: Stored, connections: number) {
  const search = (query: string | undefined) =>
    post('/v2/memories/search/', { query, filters: { user_id } });
  const list = (page: object) => post('/v2/memories/', { filters: { user_id }, ...page });
  const reads: Record<string, (index: number) => Request> = {
    healthz: () => ({ method: 'GET', path: '/healthz' }),
    'get by id': (index) => ({ method: 'GET', path: `/v1/memories/${at(ids, index)}/`, key }),
    'list by user, page of 10': () => list({ page_size: 10 }),
    'list by user, page as it is': () => list({}),
    'search, two words': (index) => search(at(sentences, index)?.phrase),
    'search, question': (index) => search(at(sentences, index)?.question),
  };
  const bare = (index: number) => ({ method: 'GET', path: `/v1/memories/${at(ids, index)}/`, key });
  return {
    bare: { name: 'bare route', connections, request: bare },
    reads: Object.entries(reads).map(([name, request]) => ({ name, connections, request })),
    adds: [1, connections].flatMap((count) => [
      { name: 'add, /v1', connections: count, request: adding('/v1/memories/') },
      { name: 'add, /v3', connections: count, request: adding('/v3/memories/add/') },
    ]),
  };
}

export function rowNamed(rows: readonly Row[], name: string): Row {
  const row = rows.find((one) => one.name === name);
  if (row === undefined) throw new Error(`no request is named ${name}`);
  return row;
}

let added = 0;

/** Each text is new: one that is known would not be stored. */
function adding(path: string): () => Request {
  return () => {
    added += 1;
    const content = `Measured fact number ${added} about a green kettle in Lisbon`;
    return post(path, { messages: [{ role: 'user', content }], user_id, infer: false });
  };
}

export function post(path: string, body: object): Request {
  return { method: 'POST', path, key, body };
}

/** A prime: steps of it reach every place of a store of another size. */
const stride = 7919;

function at<T>(items: readonly T[], index: number): T | undefined {
  return items[(index * stride) % items.length];
}
