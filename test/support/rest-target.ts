import { randomUUID } from 'node:crypto';
import { ApiError, type ErrorCode, errorStatus } from '../../src/contract/errors.ts';
import { toHttpRequest } from '../../src/contract/http-binding.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { type Caller, contract, type OperationName } from '../../src/contract.ts';
import { createCheckAccess } from '../../src/core/invoke.ts';
import { authenticate, createKey } from '../../src/core/tenants/keys.ts';
import { openSessions } from '../../src/core/tenants/sessions.ts';
import { createRestApp, type RestOptions } from '../../src/rest/app.ts';
import { type Engine, owner, startEngine } from './engine.ts';
import type { Input, Refusal, Target } from './targets.ts';

export async function startRest(): Promise<Target> {
  return restTarget(await serveRest(), owner);
}

/** The face on its own engine, without sockets. */
export async function serveRest(changes: Partial<RestOptions> = {}): Promise<Served> {
  const engine = await startEngine();
  const callers = new Map<string, Caller>();
  const app = createRestApp({ ...optionsFor(engine, callers), ...changes });
  return { engine, callers, app };
}

export type Served = {
  engine: Engine;
  /** Callers that no key can represent, by a token that replaces one. */
  callers: Map<string, Caller>;
  app: ReturnType<typeof createRestApp>;
};

/** The face without sockets, as official clients see it: they get a body after a delete too. */
function restTarget(served: Served, caller: Caller): Target {
  let key: Promise<string> | null = null;
  const send = async (name: OperationName, given: Input) => {
    key ??= keyOf(served, caller);
    const input = name === 'add_memory' ? { async_mode: false, ...given } : given;
    const { method, path, body } = toHttpRequest({ routes: [...routesOf(name)] }, input);
    const answer = await served.app.request(path, {
      method,
      headers: {
        Authorization: `Token ${await key}`,
        'Content-Type': 'application/json',
        'X-Mem0-Client': 'scenarios/1',
      },
      ...(body !== null && { body: JSON.stringify(body) }),
    });
    const json = (await answer.json()) as Answered['body'];
    return { status: answer.status, body: json, input };
  };
  return {
    engine: served.engine,
    call: async (name, input) => {
      const answer = await send(name, input);
      if (answer.status >= 400) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
      return outputOf(name, answer) as never; // derived from this very output
    },
    refusal: (name, input) => refusalOf(() => send(name, input)),
    as: (other) => restTarget(served, { ...caller, ...other }),
    stop: () => served.engine.stop(),
  };
}

/** A real key, except for callers with a scope that nothing binds them to. */
export async function keyOf({ engine, callers }: Served, caller: Caller): Promise<string> {
  const { account_id, org_id, project_id, bound_to, read_only } = caller;
  if (bound_to === null && (org_id !== null || project_id !== null)) {
    const name = randomUUID();
    callers.set(name, caller);
    return name;
  }
  const account = account_id === null ? null : await engine.store.accounts.find(account_id);
  const { key } = await createKey(engine.deps, {
    name: 'scenario',
    email: account?.email ?? null,
    org_id,
    project_id: bound_to === 'project' ? project_id : null,
    read_only,
    expires_at: null,
  });
  return key;
}

/** The route whose response shows most of the output. */
function routesOf(name: OperationName): Operation['routes'] {
  const { routes }: Operation = contract[name];
  return name === 'add_memory' ? routes.filter(({ path }) => path.startsWith('/v3/')) : routes;
}

type Answered = { status: number; body: Record<string, unknown>; input: Input };

/** The output that a response represents. */
function outputOf(name: OperationName, { status, body, input }: Answered): unknown {
  const { publishedKey }: Operation = contract[name];
  if (name === 'add_memory') return { results: [], ...body };
  if (name === 'get_export') {
    const { memory_export_id: id } = input;
    if (status === 202) return { id, ...body, data: null };
    return { id, status: 'SUCCEEDED', message: '', data: body };
  }
  if ('count' in body) {
    const { count, next: _, previous: __, ...rest } = body;
    return { page: 1, page_size: 100, ...input, ...rest, total: count };
  }
  return publishedKey === undefined || 'results' in body ? body : { [publishedKey]: body };
}

async function refusalOf(send: () => Promise<Answered>): Promise<Refusal> {
  try {
    const { status, body } = await send();
    const code = Object.entries(errorStatus).find(([, own]) => own === status)?.[0];
    if (code !== undefined) return { code: code as ErrorCode, message: String(body.message) };
    throw new Error(`expected a refusal, got ${status} ${JSON.stringify(body)}`);
  } catch (error) {
    // The client refuses what a path cannot express.
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
}

function optionsFor(engine: Engine, callers: ReadonlyMap<string, Caller>): RestOptions {
  return {
    invoke: engine.invoke,
    checkAccess: createCheckAccess(engine.deps),
    authenticate: async (token) => {
      const caller = callers.get(token);
      if (caller !== undefined) return { caller, key_id: token, rate_key: token };
      const key = await authenticate(engine.deps, token);
      return key === null ? null : { ...key, rate_key: key.key_id };
    },
    login: {
      secret: engine.store.secret,
      ownerId: async () => (await engine.store.accounts.getFirst()).account_id,
      elapsed: () => performance.now(),
    },
    sessions: openSessions({ deps: engine.deps, keyUsed: () => {} }),
    answers: { ...engine.store.idempotencyKeys, runIdempotent: engine.store.runIdempotent },
    ready: engine.store.ping,
    metrics: {},
    dialect: 'auto',
    body_max_bytes: 4 * 1024 * 1024,
    rate_limit: 0,
    cors_origins: [],
    trust_proxy: false,
    metrics_public: false,
    request_log: false,
    version: '0.0.0',
    log: () => {},
    now: Date.now,
  };
}
