import type { IdempotentAnswer } from '../../src/contract/http-binding.ts';
import type { Caller, Invoke, OperationName } from '../../src/contract.ts';
import { createRestApp, type RestOptions } from '../../src/rest/app.ts';
import type { SessionStore } from '../../src/rest/http/options.ts';

export const caller: Caller = {
  account_id: 'account-1',
  org_id: null,
  project_id: null,
  bound_to: null,
  read_only: false,
};

/** The key that the port of authentication knows. */
export const goodKey = 'mk_good';

type Script = { [name in OperationName]?: (input: Record<string, unknown>) => unknown };

/** A port that answers what a test scripts, and keeps what it was asked. */
export function scripted(script: Script) {
  const calls: { name: string; input: Record<string, unknown>; caller: Caller }[] = [];
  const invoke: Invoke = async (name, input, options) => {
    const given = input as Record<string, unknown>;
    calls.push({ name, input: given, caller: options.caller });
    const answer = script[name];
    if (answer === undefined) throw new Error(`${name} is not in the script`);
    return answer(given) as never; // a script is not typed by operation
  };
  return { invoke, calls };
}

/** Answers that are kept in memory. */
export function createAnswers() {
  const kept = new Map<string, IdempotentAnswer>();
  return {
    kept,
    reserve: async (answer: IdempotentAnswer) => {
      const before = kept.get(answer.id);
      if (before === undefined) kept.set(answer.id, answer);
      return before ?? null;
    },
    complete: async (id: string, done: Pick<IdempotentAnswer, 'status' | 'output'>) => {
      const before = kept.get(id);
      if (before !== undefined) kept.set(id, { ...before, ...done });
    },
    release: async ({ id, status }: Pick<IdempotentAnswer, 'id' | 'status'>) =>
      kept.get(id)?.status === status && kept.delete(id),
    runIdempotent: <T>(_: unknown, run: () => Promise<T>) => run(),
  };
}

/** Sessions that are kept in memory; those of a key authenticate the caller above. */
export function createSessions(): SessionStore {
  const kept = new Map<string, Parameters<SessionStore['start']>[0]>();
  return {
    start: async (session, before) => {
      kept.delete(before ?? '');
      kept.set(session.hash, session);
    },
    find: async (hash) => {
      const session = kept.get(hash);
      if (session === undefined) return null;
      const { owner } = session;
      if ('link' in owner) return { ...session, caller: owner.link, key_id: null };
      return { ...session, caller, key_id: owner.key_id };
    },
    end: async (hash) => {
      kept.delete(hash);
    },
  };
}

export function optionsFor(invoke: Invoke, changes: Partial<RestOptions> = {}): RestOptions {
  return {
    invoke,
    authenticate: async (token) =>
      token === goodKey ? { caller, key_id: 'key-1', rate_key: 'key-1' } : null,
    login: {
      secret: async () => 's'.repeat(32),
      ownerId: async () => 'account-1',
      elapsed: () => performance.now(),
    },
    checkAccess: async () => {},
    sessions: createSessions(),
    answers: createAnswers(),
    ready: async () => 'ready',
    metrics: {},
    dialect: 'auto',
    body_max_bytes: 4 * 1024 * 1024,
    rate_limit: 0,
    cors_origins: [],
    trust_proxy: false,
    metrics_public: false,
    request_log: false,
    version: '1.2.3',
    log: () => {},
    now: Date.now,
    ...changes,
  };
}

type Sent = { headers?: Record<string, string>; body?: unknown; env?: object };

/** A client of a face that a script stands behind. */
export function clientOf(script: Script, changes: Partial<RestOptions> = {}) {
  const { invoke, calls } = scripted(script);
  const app = createRestApp(optionsFor(invoke, changes));
  const send = async (method: string, path: string, { headers, body, env }: Sent = {}) => {
    const json = body !== undefined && typeof body !== 'string';
    const init: RequestInit = {
      method,
      headers: {
        Authorization: `Token ${goodKey}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: json ? JSON.stringify(body) : body }),
    };
    return app.request(path, init, env);
  };
  return { app, calls, send };
}

/** The parsed body of an answer. */
export async function bodyOf(answer: Response | Promise<Response>) {
  const text = await (await answer).text();
  return text === '' ? undefined : JSON.parse(text);
}
