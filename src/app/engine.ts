import { randomBytes, randomUUID } from 'node:crypto';
import { hasEmbedder, hasReranker } from '../config/model-options.ts';
import type { Config } from '../config/options.ts';
import type { Invoke } from '../contract/index.ts';
import type { NewKey } from '../core/keys.ts';
import type {
  Clock,
  Deps,
  Ids,
  Log,
  Reranker,
  Sender,
  Store,
  TokenTable,
  Understander,
} from '../core/ports.ts';
import type { AddressPolicy } from '../providers/address.ts';
import type { Language, LanguageParts } from './language.ts';
import type { Semantics, SemanticsParts } from './semantics.ts';

/** What is there once the store is open. */
export type Engine = {
  invoke: Invoke;
  store: Store;
  deps: Deps;
  /** What searches by meaning; null where no model is configured. */
  semantics: Semantics | null;
  /** Begins to load models that have to be: for programs that stay. */
  warm(): void;
  /** To be told of each key that authenticated somebody. */
  keyUsed(key_id: string): void;
  /** Lets the work at hand end, hands the rest back and closes the store. */
  close(): Promise<void>;
};

/** Opens the store and starts what works on it in the background. */
export async function openEngine(config: Config, log: Log): Promise<Engine> {
  const { storage, core, jobs, deliveries, recording, sweeping, using, ending, ...adapters } =
    await load();
  const { addresses, v7 } = adapters;
  const ids = { next: () => v7() };
  const { lease_ms, worker_concurrency, secrets, keep_source } = config;
  const store = await storage.openStore({ ...config, database: databaseOf(config), log });
  try {
    await ensureScope(store, { config, ids });
    const recorder = recording.createRecorder(store, log);
    const uses = using.createKeyUses({ store, clock, log });
    const sender = lateSender(config, addresses.urlProblem);
    const owner = `${process.pid}-${randomUUID()}`;
    const { semantics, reranker } = await openModels(config, { store, clock, log, owner });
    const rules = lateRules();
    const language = await openLanguage(config, { clock, rules, log, tokens: tokensIn(store) });
    const deps: Deps = {
      store,
      clock,
      ids,
      log,
      sender,
      secrets,
      keep_source,
      understander: language?.understander ?? rules,
      ...(language !== null && { writer: language.writer }),
      ...(semantics !== null && { meaning: semantics.meaning }),
      ...(reranker !== null && { reranker }),
      random: randomBytes,
      wake: () => {
        worker.wake();
        deliverer.wake();
        semantics?.wake();
      },
      endings: ending.createEndings(),
      recordLater: recorder.record,
    };
    const lease = { owner, lease_ms, concurrency: worker_concurrency };
    const worker = jobs.createWorker(deps, lease);
    const { webhook_timeout_ms: timeout_ms } = config;
    const deliverer = deliveries.createDeliveryWorker(deps, { ...lease, timeout_ms });
    store.onWork(deps.wake);
    const sweeper = sweeping.createSweeper(deps, config);
    const close = closing([
      [worker.stop, deliverer.stop, sweeper.stop],
      [recorder.stop, uses.stop, sender.close],
      [semantics?.stop, reranker?.close, language?.close],
      [store.close],
    ]);
    const opened = { invoke: core.createInvoke(deps), store, deps, semantics };
    return { ...opened, warm: warming(semantics, reranker), keyUsed: uses.note, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Stop = (() => unknown) | undefined;

/** Ends one step after the other; what one step names ends at the same time. */
function closing(steps: readonly (readonly Stop[])[]): () => Promise<void> {
  return async () => {
    for (const step of steps) await Promise.all(step.map((stop) => stop?.()));
  };
}

/** Null where everything is in a file. */
function databaseOf(config: Config) {
  const { database_url: url, database_pool_size: pool_size } = config;
  if (url === null) return null;
  return { url, pool_size, statement_timeout_ms: config.database_timeout_ms };
}

function warming(...models: ({ warm?(): void } | null)[]): () => void {
  return () => {
    for (const model of models) model?.warm?.();
  };
}

/** Loaded only where a model is configured. */
async function openModels(
  config: Config,
  parts: Omit<SemanticsParts, 'config'>,
): Promise<{ semantics: Semantics | null; reranker: Reranker | null }> {
  if (!hasEmbedder(config) && !hasReranker(config)) return { semantics: null, reranker: null };
  const [{ createSemantics }, { openReranker }] = await Promise.all([
    import('./semantics.ts'),
    import('./models.ts'),
  ]);
  return {
    semantics: createSemantics({ ...parts, config }),
    reranker: openReranker(config, parts),
  };
}

/** Loaded only where a language model is configured. */
async function openLanguage(config: Config, parts: LanguageParts): Promise<Language | null> {
  if (config.llm_url === null) return null;
  const language = await import('./language.ts');
  return language.openLanguage(config, parts);
}

/** Each count is a transaction of its own. */
function tokensIn(store: Store): TokenTable {
  return {
    spent: store.tokens.spent,
    spend: (day, count) => store.transaction(({ tokens }) => tokens.spend(day, count)),
  };
}

/** Loaded with the first use: none of it is needed to answer a client's first request. */
async function load() {
  const [storage, core, jobs, deliveries, recording, sweeping, using, ending, ...others] =
    await Promise.all([
      import('../storage/store.ts'),
      import('../core/invoke.ts'),
      import('../core/jobs/worker.ts'),
      import('../core/jobs/deliver-webhook.ts'),
      import('../core/jobs/recorder.ts'),
      import('../core/jobs/sweep.ts'),
      import('../core/jobs/key-uses.ts'),
      import('../core/jobs/endings.ts'),
      import('../providers/address.ts'),
      import('uuid'),
    ]);
  const [addresses, { v7 }] = others;
  const parts = { storage, core, jobs, deliveries, recording, sweeping, using, ending };
  return { ...parts, addresses, v7 };
}

/** Loaded with the first messages that are to be understood: most calls are others. */
function lateRules(): Understander {
  let loaded: Promise<Understander> | null = null;
  const load = async () => {
    const [{ createOfflineUnderstander }, { createDateReader }] = await Promise.all([
      import('../core/understanding/offline.ts'),
      import('../providers/dates.ts'),
    ]);
    return createOfflineUnderstander({ dates: createDateReader() });
  };
  return {
    isQuick: true,
    understand: async (conversation, signal) => {
      loaded ??= load();
      return (await loaded).understand(conversation, signal);
    },
  };
}

/** Most stores have no webhooks, and the HTTP client is large: it is loaded for the first post. */
function lateSender(
  config: Config,
  problem: (url: string, policy: AddressPolicy) => string | null,
): Sender & { close(): Promise<void> } {
  const policy = {
    allow_http: config.webhook_allow_http,
    allow_private: config.webhook_allow_private,
  };
  let loaded: Promise<Sender & { close(): Promise<void> }> | null = null;
  const load = async () => {
    const { createSender } = await import('../providers/http.ts');
    return createSender({ ...policy, timeout_ms: config.webhook_timeout_ms });
  };
  return {
    problemOf: (url) => problem(url, policy),
    post: async (request) => {
      loaded ??= load();
      return (await loaded).post(request);
    },
    close: async () => (await loaded)?.close(),
  };
}

/** Makes what the configuration names and the store has not: the operator chooses ids there. */
async function ensureScope(store: Store, { config, ids }: { config: Config; ids: Ids }) {
  const { org_id, project_id } = config;
  const wanted = { ...(org_id !== null && { org_id }), ...(project_id !== null && { project_id }) };
  if ((await store.projects.find(wanted)) !== null) return;
  const [first] = await store.organizations.list(null);
  const ref = {
    org_id: org_id ?? first?.org_id ?? ids.next(),
    project_id: project_id ?? ids.next(),
  };
  await store.ensureProject(ref, clock.now());
}

const clock: Clock = { now: () => new Date().toISOString() };

/** Keys of the store, for whoever runs the program. */
export async function keysOf(engine: Engine) {
  const { authenticate, bootstrapKey, createKey } = await import('../core/keys.ts');
  const { deps, store } = engine;
  return {
    authenticate: async (key: string) => {
      const found = await authenticate(deps, key);
      if (found !== null) engine.keyUsed(found.key_id);
      return found;
    },
    bootstrap: (given: string | null) => bootstrapKey(deps, given),
    create: (key: NewKey) => createKey(deps, key),
    list: () => store.keys.list(),
    revoke: (key_id: string) =>
      store.transaction((tables) => tables.keys.revoke(key_id, clock.now())),
  };
}
