import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/options.ts';
import { ApiError } from '../contract/errors.ts';
import type { IdempotencyStore } from '../contract/http-binding.ts';
import { configuredScope, inConfiguredScope } from '../contract/scope/memory-scope.ts';
import type { StrictOmit } from '../contract/strict-omit.ts';
import type { Caller, CheckAccess, Invoke } from '../contract.ts';
import type {
  EmbeddingProgress,
  IdempotencyKeyTable,
  Logger,
  Readiness,
} from '../core/ports/index.ts';
import type { openKeyAdmin } from '../core/tenants/key-admin.ts';
import type { openSessions } from '../core/tenants/sessions.ts';
import type { Engine, OpenEngineOptions } from './engine.ts';

type KeyAdmin = Awaited<ReturnType<typeof openKeyAdmin>>;

/**
 * The program without its faces: an engine whose store opens when it is needed, or a remote
 * instance, for which everything that needs a local store throws `invalid`.
 */
export type App = {
  invoke: Invoke;
  /** Checks access for a repeated request. */
  checkAccess: CheckAccess;
  /** The caller of local faces, in the configured place, and locked to the scope if that is. */
  caller: Caller;
  /**
   * API keys; `bootstrap` creates the first or the configured one and returns a new key's text.
   */
  keys: StrictOmit<KeyAdmin, 'bootstrap'> & { bootstrap(): Promise<string | null> };
  /** Sessions of browsers. */
  sessions: ReturnType<typeof openSessions>;
  /** Stored responses for an `Idempotency-Key`. */
  idempotency: IdempotencyStore;
  /** Whether the store responds. */
  ready(): Promise<Readiness>;
  /** Changes with every commit of any process. */
  storeVersion(): Promise<number>;
  /** The number of queued jobs. */
  queueDepth(): Promise<number>;
  /** The progress of embedding, and the bytes of cached vectors; null without a model. */
  embedding(): Promise<(EmbeddingProgress & { bytes: number }) | null>;
  /** Copies the store into a new file while it is in use. */
  backup(file: string): Promise<void>;
  /** The local engine; opens its store. */
  open(): Promise<Engine>;
  /** Opens the store and loads models, or connects to the remote, before a call needs them. */
  prepare(): Promise<void>;
  /** A secret shared by all processes on the store; for a remote, one of this process. */
  secret(): Promise<string>;
  /** Lets calls in progress end, hands queued work back and closes the store. */
  close(): Promise<void>;
};

/** How long closing waits for calls in progress; hosts wait a little longer than this. */
const closeTimeoutMs = 3000;

export type AppOptions = OpenEngineOptions & { log: Logger };

/** Puts the parts together: a local engine, or a remote instance instead. */
export function createApp(config: Config, { log, ...options }: AppOptions): App {
  const { lock_scope, base_url } = config;
  const scope = configuredScope(config);
  const caller = inConfiguredScope(configuredCaller(config), { scope, lock_scope });
  if (base_url === null) {
    const { open, ...calls } = openLazily(() => loadEngine(config, log, options));
    const prepare = async () => (await open()).warm();
    return { ...calls, caller, open, prepare, ...storeAccess(config, open) };
  }
  const { open, ...calls } = openLazily(() => loadRemote({ ...config, base_url }, log));
  const prepare = async () => (await open()).prepare();
  const remote = {
    ...storeAccess(config, rejectRemoteStore),
    secret: async () => (await open()).secret,
  };
  return { ...calls, caller, open: rejectRemoteStore, prepare, ...remote };
}

type Closable = { invoke: Invoke; close(): Promise<void> };

/**
 * Loads and opens the engine on first use, so that a server answers its client's first request at
 * once. If opening fails, the next call tries again.
 */
function openLazily<T extends Closable>(load: () => Promise<T>) {
  const calls = new Set<Promise<unknown>>();
  let opening: Promise<T> | null = null;
  let opened: T | null = null;
  let closed = false;

  const open = async (): Promise<T> => {
    if (closed) throw new ApiError('unavailable', 'the server is shutting down');
    opening ??= load().catch((error: unknown) => {
      opening = null;
      throw error;
    });
    opened = await opening;
    return opened;
  };

  const invoke: Invoke = (name, input, options) => {
    const call =
      opened === null || closed
        ? open().then(({ invoke: run }) => run(name, input, options))
        : opened.invoke(name, input, options);
    calls.add(call);
    const forget = () => calls.delete(call);
    void call.then(forget, forget); // the caller gets a failure
    return call;
  };

  const close = async () => {
    if (closed) return;
    closed = true;
    const running = await opening?.catch(() => null);
    if (!running) return;
    const late = sleep(closeTimeoutMs, undefined, { ref: false });
    await Promise.race([Promise.allSettled(calls), late]);
    await running.close();
  };

  return { open, invoke, close };
}

/** Operations on the store itself are not available on a remote. */
async function rejectRemoteStore(): Promise<never> {
  throw new ApiError('invalid', 'this needs a store on this machine, not a remote instance', {
    next: 'Unset base_url (MNEME_BASE_URL), or run this where the store is.',
  });
}

/** Functions of the store that faces need in addition to operations. */
function storeAccess(config: Config, open: () => Promise<Engine>) {
  const keys = async () =>
    (await import('../core/tenants/key-admin.ts')).openKeyAdmin(
      await open(),
      configuredCaller(config),
    );
  return {
    keys: {
      authenticate: async (key: string) => (await keys()).authenticate(key),
      bootstrap: async () => (await keys()).bootstrap(config.bootstrap_key),
      create: async (key: Parameters<KeyAdmin['create']>[0]) => (await keys()).create(key),
      list: async () => (await keys()).list(),
      revoke: async (key_id: string) => (await keys()).revoke(key_id),
    },
    sessions: sessionStore(open),
    idempotency: idempotencyStore(open),
    checkAccess: async (...call: Parameters<CheckAccess>) => (await open()).checkAccess(...call),
    ready: async () => (await open()).store.ping(),
    storeVersion: async () => (await open()).store.version(),
    queueDepth: async () => (await open()).store.jobs.count(),
    embedding: async () => embeddingProgress(await open()),
    backup: async (file: string) => (await open()).store.backup(file),
    secret: async () => (await open()).store.secret(),
  };
}

async function embeddingProgress({ store, semanticSearch }: Engine) {
  const progress = await semanticSearch?.progress();
  return progress ? { ...progress, bytes: store.vectors.cachedBytes() } : null;
}

function sessionStore(open: () => Promise<Engine>): App['sessions'] {
  const sessions = async () =>
    (await import('../core/tenants/sessions.ts')).openSessions(await open());
  return {
    start: async (...session) => (await sessions()).start(...session),
    find: async (hash) => (await sessions()).find(hash),
    end: async (hash) => (await sessions()).end(hash),
  };
}

function idempotencyStore(open: () => Promise<Engine>): App['idempotency'] {
  const write = async <T>(run: (answers: IdempotencyKeyTable) => Promise<T>): Promise<T> =>
    (await open()).store.transaction((tables) => run(tables.idempotencyKeys));
  return {
    reserve: (answer) => write((answers) => answers.reserve(answer)),
    complete: (id, answer) => write((answers) => answers.complete(id, answer)),
    release: (answer) => write((answers) => answers.release(answer)),
    runIdempotent: async (request, run) => (await open()).store.runIdempotent(request, run),
  };
}

async function loadEngine(
  config: Config,
  log: Logger,
  options: OpenEngineOptions,
): Promise<Engine> {
  const { openEngine } = await import('./engine.ts');
  return openEngine(config, log, options);
}

async function loadRemote(config: Config & { base_url: string }, log: Logger) {
  const { connectRemote } = await import('./remote/connect-remote.ts');
  return connectRemote(config, log);
}

function configuredCaller({ org_id, project_id, read_only }: Config): Caller {
  return { account_id: null, org_id, project_id, bound_to: null, read_only };
}
