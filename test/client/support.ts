import {
  createHttpInvoke,
  type Fetch,
  type HttpInvokeOptions,
} from '../../src/client/http-invoke.ts';

/** A request as it was sent. */
export type Sent = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
};

/** What a remote does with a request: an answer, or a failure of the connection. */
export type Reaction = (sent: Sent, signal: AbortSignal) => Response | Error | Promise<Response>;

export const baseUrl = 'https://memory.test/base';
export const apiKey = 'mk_secret';

/**
 * A client of a remote that reacts to each request in turn, the last way again and again. Time
 * stands still but for pauses, which are kept and not waited for.
 */
export function clientOf(
  reactions: readonly (Reaction | Response)[],
  options: Partial<HttpInvokeOptions> = {},
) {
  const requests: Sent[] = [];
  const waits: number[] = [];
  let time = Date.parse('2026-03-14T09:26:53.000Z');
  const fetch: Fetch = async (url, { method, headers, body, signal }) => {
    const path = url.slice(baseUrl.length);
    const sent = { method, path, headers, body: body === undefined ? null : JSON.parse(body) };
    requests.push(sent);
    const reaction = reactions[Math.min(requests.length, reactions.length) - 1];
    const came = reaction instanceof Response ? reaction.clone() : await reaction?.(sent, signal);
    if (came instanceof Response) return came;
    throw came ?? new Error('no reaction');
  };
  const invoke = createHttpInvoke({
    base_url: baseUrl,
    api_key: apiKey,
    fetch,
    sleep: async (ms) => {
      waits.push(ms);
      time += ms;
    },
    random: () => 0.5,
    now: () => time,
    ...options,
  });
  return { invoke, requests, waits };
}

export function json(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
}

/** The header by which mneme is known. */
export const mneme = { 'X-Mneme-Version': '9.9.9' };

/** A connection that fails as the operating system says. */
export function broken(code: string): Reaction {
  return () => new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

/** No answer until the request is given up. */
export const silence: Reaction = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

export const memoryId = '01957f3a-0000-7000-8000-000000000001';

export const memory = {
  id: memoryId,
  memory: 'Likes tea',
  user_id: 'alice',
  agent_id: null,
  app_id: null,
  run_id: null,
  hash: 'd41d8cd98f00b204e9800998ecf8427e',
  metadata: {},
  created_at: '2026-03-14T09:26:53.000Z',
  updated_at: '2026-03-14T09:26:53.000Z',
};
