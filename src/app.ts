import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config/options.ts';
import { ApiError } from './contract/errors.ts';
import type { Caller, Invoke } from './contract/index.ts';
import type { Clock, Deps, Ids, Log, Store } from './core/ports.ts';

/** The program without its faces: a store that opens when it is needed, and what runs on it. */
export type App = {
  invoke: Invoke;
  /** Who calls through a local face, in the configured organization and project. */
  caller: Caller;
  /** Opens the store before the first call needs it. */
  open(): Promise<void>;
  /** A secret that all processes on the store share. */
  secret(): Promise<string>;
  /** Lets calls in progress end, hands queued work back and closes the store. */
  close(): Promise<void>;
};

/** What is there once the store is open. */
type Engine = { invoke: Invoke; store: Store; stop: () => Promise<void> };

/** How long closing waits for calls in progress; hosts wait a little longer than this. */
const closeTimeoutMs = 3000;

/**
 * Puts the parts together. The engine loads and opens with the first use, so that a server answers
 * its client's first request at once; when opening fails, the next call tries again.
 */
export function createApp(config: Config, { log }: { log: Log }): App {
  const calls = new Set<Promise<unknown>>();
  let engine: Promise<Engine> | null = null;
  let closed = false;

  const opened = async (): Promise<Engine> => {
    if (closed) throw new ApiError('unavailable', 'the server is shutting down');
    engine ??= openEngine(config, log).catch((error: unknown) => {
      engine = null;
      throw error;
    });
    return engine;
  };

  const invoke: Invoke = (name, input, options) => {
    const call = opened().then(({ invoke: run }) => run(name, input, options));
    calls.add(call);
    return call.finally(() => calls.delete(call));
  };

  const close = async () => {
    if (closed) return;
    closed = true;
    const running = await engine?.catch(() => null);
    if (!running) return;
    const late = sleep(closeTimeoutMs, undefined, { ref: false });
    await Promise.race([Promise.allSettled(calls), late]);
    await running.stop();
    await running.store.close();
  };

  return {
    invoke,
    caller: {
      role: config.read_only ? 'READER' : 'OWNER',
      org_id: config.org_id,
      project_id: config.project_id,
      bound: false,
    },
    open: async () => {
      await opened();
    },
    secret: async () => (await opened()).store.secret(),
    close,
  };
}

async function openEngine(config: Config, log: Log): Promise<Engine> {
  const [storage, core, jobs, providers, { v7 }] = await Promise.all([
    import('./storage/store.ts'),
    import('./core/invoke.ts'),
    import('./core/jobs/worker.ts'),
    import('./providers/offline-extractor.ts'),
    import('uuid'),
  ]);
  const ids = { next: () => v7() };
  const { data_dir, synchronous, busy_timeout_ms } = config;
  const store = await storage.openStore({ data_dir, synchronous, busy_timeout_ms, log });
  try {
    await ensureScope(store, { config, ids });
    const extractor = providers.createOfflineExtractor();
    const deps: Deps = { store, extractor, clock, ids, log, wake: () => worker.wake() };
    const owner = `${process.pid}-${randomUUID()}`;
    const worker = jobs.createWorker(deps, { lease_ms: config.lease_ms, owner });
    return { invoke: core.createInvoke(deps), store, stop: () => worker.stop() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Makes what is missing: the default project, which is the oldest one of a store, and what the
 * configuration names, because the operator chooses ids there.
 */
async function ensureScope(store: Store, { config, ids }: { config: Config; ids: Ids }) {
  const { org_id, project_id } = config;
  const usual = await ensure(store, { org_id: defaultId, project_id: defaultId }, {});
  if (org_id === null && project_id === null) return;
  const wanted = { ...(org_id !== null && { org_id }), ...(project_id !== null && { project_id }) };
  const made = { org_id: org_id ?? usual.org_id, project_id: project_id ?? ids.next() };
  await ensure(store, made, wanted);
}

async function ensure(store: Store, ref: ProjectRef, wanted: Partial<ProjectRef>) {
  return (await store.findProject(wanted)) ?? store.ensureProject(ref, clock.now());
}

type ProjectRef = { org_id: string; project_id: string };

const defaultId = 'default';

const clock: Clock = { now: () => new Date().toISOString() };
