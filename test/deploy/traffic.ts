import { ownerKey, until } from '../e2e/service.ts';

/** Requests of all kinds, many at a time, until they are stopped. */
export type Traffic = {
  /** The number of completed requests. */
  count(): number;
  /** Waits until so many more were. */
  more(count: number): Promise<void>;
  /** Stops, and returns the response or error of every failed request. */
  stop(): Promise<string[]>;
};

const clients = 4;

type Sent = { method: string; path: string; body?: object };

/** One of each kind of traffic; `text` is another one each time. */
const kinds: readonly ((text: string) => Sent)[] = [
  () => ({ method: 'GET', path: '/v1/ping/' }),
  () => ({ method: 'GET', path: '/v1/memories/?user_id=alex' }),
  (messages) => ({
    method: 'POST',
    path: '/v1/memories/',
    body: { user_id: 'alex', messages, infer: false },
  }),
  (messages) => ({ method: 'POST', path: '/v1/memories/', body: { user_id: 'alex', messages } }),
  (query) => ({
    method: 'POST',
    path: '/v2/memories/search/',
    body: { query, filters: { user_id: 'alex' } },
  }),
  () => ({
    method: 'POST',
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  }),
];

/** Never repeats a request: one that fails is a failure. */
export function startTraffic(url: string): Traffic {
  const failures: string[] = [];
  let answered = 0;
  let isOver = false;
  const client = async (name: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      const kind = kinds[turn % kinds.length];
      if (kind === undefined) continue;
      const sent = kind(`Alex visited place ${name}-${turn}.`);
      const outcome = await send(url, sent);
      answered += 1;
      if (outcome !== null) failures.push(`${sent.method} ${sent.path}: ${outcome}`);
    }
  };
  const running = Array.from({ length: clients }, (_, name) => client(name));
  return {
    count: () => answered,
    more: async (count) => {
      const end = answered + count;
      await until(
        () => answered,
        (total) => total >= end,
        { withinMs: 120_000, everyMs: 20 },
      );
    },
    stop: async () => {
      isOver = true;
      await Promise.all(running);
      return failures;
    },
  };
}

/** Null when all went well. */
async function send(url: string, { method, path, body }: Sent): Promise<string | null> {
  try {
    const answer = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Token ${ownerKey}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return answer.ok ? null : `${answer.status} ${text.slice(0, 200)}`;
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    return String(cause);
  }
}
