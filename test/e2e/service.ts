import { createHash, randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openStore } from '../../src/storage/store.ts';
import { pause } from '../support/pause.ts';
import { type Exit, type Settings, serverProgram, spawnWire } from './support.ts';

/** The key that every service here makes valid when it starts. */
export const ownerKey = 'mk_0123456789abcdefghijABCDEFGHIJ0123456789abc';

/** A request, and what came back. */
export type Sent = {
  /** Null sends none. */
  key?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
};
export type Answer = { status: number; headers: Headers; body: Body };

/** JSON with unknown fields; empty if there was no body. */
export type Body = Record<string, unknown>;

/** A body that is a list, or whose results are one. */
export function listOf({ body }: Pick<Answer, 'body'>): Body[] {
  const list: unknown = Array.isArray(body) ? body : body.results;
  return Array.isArray(list) ? list : [];
}

/** The built REST service as a process of its own. */
export type Service = {
  url: string;
  data_dir: string;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<Exit>;
  /** All that it wrote on stderr. */
  stderr(): string;
};

/** Starts the service on a free port and a folder of the test's; it is gone after the test. */
export async function startService(settings: Settings): Promise<Service> {
  const service = await spawnService(settings);
  onTestFinished(async () => {
    service.kill('SIGKILL');
    await service.exited;
  });
  return service;
}

/** Starts a service, which the caller stops, on a free port unless MNEME_PORT names one. */
export async function spawnService({ flags = [], env = {}, ...rest }: Settings): Promise<Service> {
  const wire = spawnWire(
    serverProgram({
      ...rest,
      flags: ['serve', ...flags],
      env: { MNEME_BOOTSTRAP_KEY: ownerKey, MNEME_PORT: '0', ...env },
    }),
  );
  const url = await saidBy(wire);
  return {
    url,
    data_dir: rest.data_dir,
    send: (method, path, sent = {}) => send(url + path, { method, ...sent }),
    kill: wire.kill,
    exited: wire.exited,
    stderr: wire.stderr,
  };
}

/** The address that the service reports. */
async function saidBy({ stderr, exited }: Pick<Service, 'stderr' | 'exited'>): Promise<string> {
  let over = false;
  void exited.then(() => {
    over = true;
  });
  const find = () => {
    const [, url = ''] = /listening on (http:\S+)/.exec(stderr()) ?? [];
    if (url === '' && over) throw new Error(`the service ended: ${stderr()}`);
    return url;
  };
  return until(find, (url) => url !== '', { withinMs: 120_000, everyMs: 20 });
}

async function send(
  url: string,
  { method, key = ownerKey, headers, body, signal }: Sent & { method: string },
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: {
      ...(key !== null && { Authorization: `Token ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  });
  const text = await answer.text();
  const { status } = answer;
  return { status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** Repeats until the response is as expected; throws if it never is. */
export async function until<T>(
  ask: () => Promise<T> | T,
  isDone: (answer: T) => boolean,
  { withinMs = 20_000, everyMs = 50 } = {},
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    if (Date.now() > end) throw new Error(`never came: last was ${JSON.stringify(answer)}`);
    await pause(everyMs);
  }
}

/** Creates a key as an operator would, while the service runs. */
export async function createKey(data_dir: string, flags: readonly string[] = []): Promise<string> {
  const wire = spawnWire(serverProgram({ data_dir, flags: ['keys', 'create', ...flags] }));
  const { code } = await wire.exited;
  const [key = ''] = wire.lines;
  if (code !== 0) throw new Error(`no key: ${wire.stderr()}`);
  return key;
}

/** Puts a key into the store that ends then: the program's own are valid for days. */
export async function insertKey(data_dir: string, expires_at: string): Promise<string> {
  const key = `mk_${randomUUID()}`;
  const store = await openStore({
    data_dir,
    synchronous: 'normal',
    busy_timeout_ms: 10_000,
    log: () => {},
  });
  const { account_id } = await store.accounts.getFirst();
  const unbound = { org_id: null, project_id: null, read_only: false };
  const unused = { revoked_at: null, last_used_at: null };
  await store.transaction((tables) =>
    tables.keys.insert({
      ...unbound,
      ...unused,
      key_id: randomUUID(),
      account_id,
      name: 'short',
      prefix: key.slice(0, 8),
      hash: createHash('sha256').update(key).digest('hex'),
      expires_at,
      created_at: new Date().toISOString(),
    }),
  );
  await store.close();
  return key;
}
