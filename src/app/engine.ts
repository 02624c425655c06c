import { randomBytes, randomUUID } from 'node:crypto';
import { hasEmbedder, hasReranker } from '../config/model-options.ts';
import type { Config } from '../config/options.ts';
import type { Invoke } from '../contract.ts';
import type {
  Clock,
  Deps,
  Extractor,
  IdGenerator,
  Logger,
  Reranker,
  Store,
  TokenUsageTable,
  WebhookSender,
} from '../core/ports/index.ts';
import type { NewKey } from '../core/tenants/keys.ts';
import type { UrlPolicy } from '../providers/url-policy.ts';
import type { LanguageModel, LanguageModelOptions } from './language-model.ts';
import type { SemanticSearch, SemanticSearchOptions } from './semantic-search.ts';

/** The local engine, with its store open. */
export type Engine = {
  invoke: Invoke;
  store: Store;
  deps: Deps;
  /** Semantic search; null if no model is configured. */
  semanticSearch: SemanticSearch | null;
  /** Starts loading local models, for long-running programs. */
  warm(): void;
  /** Records the use of a key. */
  keyUsed(key_id: string): void;
  /** Finishes running work, returns the rest to the queue and closes the store. */
  close(): Promise<void>;
};

/** Opens the store and starts what works on it in the background. */
export async function openEngine(config: Config, log: Logger): Promise<Engine> {
  const { storage, core, jobs, deliveries, recording, sweeping, using, ending, ...adapters } =
    await loadModules();
  const { addresses, v7 } = adapters;
  const ids = { next: () => v7() };
  const { lease_ms, worker_concurrency, secrets, keep_source } = config;
  const store = await storage.openStore({ ...config, database: databaseSettings(config), log });
  try {
    await ensureScope(store, { config, ids });
    const recorder = recording.createEventRecorder(store, log);
    const uses = using.createKeyUsageRecorder({ store, clock, log });
    const sender = lazyWebhookSender(config, addresses.urlProblem);
    const owner = `${process.pid}-${randomUUID()}`;
    const { semantics, reranker } = await loadSearchModels(config, { store, clock, log, owner });
    const fallback = lazyRuleExtractor();
    const language = await loadLanguageModel(config, {
      clock,
      fallback,
      log,
      tokens: tokenTableOf(store),
    });
    const deps: Deps = {
      store,
      clock,
      ids,
      log,
      sender,
      secrets,
      keep_source,
      extractor: language?.extractor ?? fallback,
      ...(language !== null && { writer: language.writer }),
      ...(semantics !== null && { queryEmbedder: semantics.meaning }),
      ...(reranker !== null && { reranker }),
      random: randomBytes,
      wake: () => {
        worker.wake();
        deliverer.wake();
        semantics?.wake();
      },
      completions: ending.createCompletionSignal(),
      recordEventLater: recorder.record,
    };
    const lease = { owner, lease_ms, concurrency: worker_concurrency };
    const worker = jobs.createJobWorker(deps, lease);
    const { webhook_timeout_ms: timeout_ms } = config;
    const deliverer = deliveries.createDeliveryWorker(deps, { ...lease, timeout_ms });
    store.onWork(deps.wake);
    const sweeper = sweeping.createRetentionWorker(deps, config);
    const close = closing([
      [worker.stop, deliverer.stop, sweeper.stop],
      [recorder.stop, uses.stop, sender.close],
      [semantics?.stop, reranker?.close, language?.close],
      [store.close],
    ]);
    const opened = { invoke: core.createInvoke(deps), store, deps, semanticSearch: semantics };
    return { ...opened, warm: warmAll(semantics, reranker), keyUsed: uses.record, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Stop = (() => unknown) | undefined;

/** Stops the steps one after another, and the members of a step in parallel. */
function closing(steps: readonly (readonly Stop[])[]): () => Promise<void> {
  return async () => {
    for (const step of steps) await Promise.all(step.map((stop) => stop?.()));
  };
}

/** Null if the store is a file. */
function databaseSettings(config: Config) {
  const { database_url: url, database_pool_size: pool_size } = config;
  if (url === null) return null;
  return { url, pool_size, statement_timeout_ms: config.database_timeout_ms };
}

function warmAll(...models: ({ preload?(): void } | null)[]): () => void {
  return () => {
    for (const model of models) model?.preload?.();
  };
}

/** Loaded only if a search model is configured. */
async function loadSearchModels(
  config: Config,
  parts: Omit<SemanticSearchOptions, 'config'>,
): Promise<{ semantics: SemanticSearch | null; reranker: Reranker | null }> {
  if (!hasEmbedder(config) && !hasReranker(config)) return { semantics: null, reranker: null };
  const [{ createSemanticSearch }, { openReranker }] = await Promise.all([
    import('./semantic-search.ts'),
    import('./search-models.ts'),
  ]);
  return {
    semantics: createSemanticSearch({ ...parts, config }),
    reranker: openReranker(config, parts),
  };
}

/** Loaded only if a language model is configured. */
async function loadLanguageModel(
  config: Config,
  parts: LanguageModelOptions,
): Promise<LanguageModel | null> {
  if (config.llm_url === null) return null;
  const language = await import('./language-model.ts');
  return language.openLanguageModel(config, parts);
}

/** Counts each usage in its own transaction. */
function tokenTableOf(store: Store): TokenUsageTable {
  return {
    getUsage: store.tokens.getUsage,
    addUsage: (day, count) => store.transaction(({ tokens }) => tokens.addUsage(day, count)),
  };
}

/** Loaded on first use, because a client's first request needs none of it. */
async function loadModules() {
  const [storage, core, jobs, deliveries, recording, sweeping, using, ending, ...others] =
    await Promise.all([
      import('../storage/store.ts'),
      import('../core/invoke.ts'),
      import('../core/jobs/job-worker.ts'),
      import('../core/jobs/delivery-worker.ts'),
      import('../core/jobs/event-recorder.ts'),
      import('../core/jobs/retention.ts'),
      import('../core/jobs/key-usage.ts'),
      import('../core/queue/completion.ts'),
      import('../providers/url-policy.ts'),
      import('uuid'),
    ]);
  const [addresses, { v7 }] = others;
  const parts = { storage, core, jobs, deliveries, recording, sweeping, using, ending };
  return { ...parts, addresses, v7 };
}

/** Loaded with the first messages to extract from, because most calls have none. */
function lazyRuleExtractor(): Extractor {
  let loaded: Promise<Extractor> | null = null;
  const load = async () => {
    const [{ createRuleExtractor }, { createDateReader }] = await Promise.all([
      import('../core/extraction/rule-extractor.ts'),
      import('../providers/dates/date-reader.ts'),
    ]);
    return createRuleExtractor({ dates: createDateReader() });
  };
  return {
    isQuick: true,
    extract: async (conversation, signal) => {
      loaded ??= load();
      return (await loaded).extract(conversation, signal);
    },
  };
}

/** Loads the large HTTP client with the first delivery, because most stores have no webhooks. */
function lazyWebhookSender(
  config: Config,
  problem: (url: string, policy: UrlPolicy) => string | null,
): WebhookSender & { close(): Promise<void> } {
  const policy = {
    allow_http: config.webhook_allow_http,
    allow_private: config.webhook_allow_private,
  };
  let loaded: Promise<WebhookSender & { close(): Promise<void> }> | null = null;
  const load = async () => {
    const { createWebhookSender } = await import('../providers/webhook-sender.ts');
    return createWebhookSender({ ...policy, timeout_ms: config.webhook_timeout_ms });
  };
  return {
    urlProblem: (url) => problem(url, policy),
    post: async (request) => {
      loaded ??= load();
      return (await loaded).post(request);
    },
    close: async () => (await loaded)?.close(),
  };
}

/** Creates the configured organization and project if they are missing. */
async function ensureScope(store: Store, { config, ids }: { config: Config; ids: IdGenerator }) {
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

/** Administration of the store's API keys. */
export async function openKeyAdmin(engine: Engine) {
  const { authenticate, bootstrapKey, createKey } = await import('../core/tenants/keys.ts');
  const { deps, store } = engine;
  return {
    authenticate: async (key: string) => {
      const found = await authenticate(deps, key);
      if (found !== null) engine.keyUsed(found.key_id);
      return found;
    },
    bootstrap: (configured: string | null) => bootstrapKey(deps, configured),
    create: (key: NewKey) => createKey(deps, key),
    list: () => store.keys.list(),
    revoke: (key_id: string) =>
      store.transaction((tables) => tables.keys.revoke(key_id, clock.now())),
  };
}
