import { randomBytes, randomUUID } from 'node:crypto';
import { hasEmbedder, hasReranker } from '../config/model-options.ts';
import type { Config } from '../config/options.ts';
import { ApiError } from '../contract/errors.ts';
import type { StrictOmit } from '../contract/strict-omit.ts';
import type { CheckAccess, Invoke } from '../contract.ts';
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
import type { UrlPolicy } from '../providers/url-policy.ts';
import { openInstallation } from './installation.ts';
import type { LanguageModel, LanguageModelOptions } from './models/language-model.ts';
import type { SemanticSearch, SemanticSearchOptions } from './models/semantic-search.ts';
import { stopInSteps } from './stop-in-steps.ts';

/** The local engine, with its store open. */
export type Engine = {
  invoke: Invoke;
  checkAccess: CheckAccess;
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

export type OpenEngineOptions = {
  /** Whether a configured project that is missing is created, as by default, or `not_found`. */
  creates_project?: boolean;
  /** How long a write waits while another process is writing. */
  busy_timeout_ms?: number;
  /** Where each value of the configuration was set, for its owner to see. */
  sources?: Readonly<Record<string, string>>;
};

/** Longer than any write of mneme takes, and shorter than what waits for one: a tool call. */
const busyTimeoutMs = 10_000;

/** Opens the store, connects the models and starts the workers. */
export async function openEngine(
  config: Config,
  log: Logger,
  { creates_project = true, busy_timeout_ms = busyTimeoutMs, sources = {} }: OpenEngineOptions = {},
): Promise<Engine> {
  const modules = await loadModules(config);
  const { data_dir, synchronous, database_url: url, database_pool_size: pool_size } = config;
  const { database_timeout_ms: statement_timeout_ms } = config;
  const database = url === null ? null : { url, pool_size, statement_timeout_ms };
  const location = { data_dir, synchronous, busy_timeout_ms, database };
  const store = await modules.storage.openStore({ ...location, log });
  try {
    await ensureScope(store, { config, ids: { next: () => modules.v7() }, creates_project });
    const owner = `${process.pid}-${randomUUID()}`;
    const models = await openModels(config, { store, clock, log, owner });
    return startEngine(modules, { config, log, store, owner, models, sources });
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Modules = Awaited<ReturnType<typeof loadModules>>;
type Models = Awaited<ReturnType<typeof openModels>>;

type EngineParts = {
  config: Config;
  log: Logger;
  store: Store;
  /** Identifies this process's claims among those on the same store. */
  owner: string;
  models: Models;
  sources: Readonly<Record<string, string>>;
};

/** Wires the dependencies of core and starts the workers on the open store. */
function startEngine(modules: Modules, parts: EngineParts): Engine {
  const { config, log, store, owner, models } = parts;
  const { core, jobs, deliveries, recording, retention, keyUsage, completion } = modules;
  const { semantics, reranker, language, extractor } = models;
  const { lease_ms, worker_concurrency, keep_source, webhook_timeout_ms: timeout_ms } = config;
  const recorder = recording.createEventRecorder(store, log);
  const keyUses = keyUsage.createKeyUsageRecorder({ store, clock, log });
  const sender = lazyWebhookSender(config, modules.addresses.urlProblem);
  const deps: Deps = {
    store,
    clock,
    ids: { next: () => modules.v7() },
    log,
    sender,
    secrets: config.secrets,
    keep_source,
    installation: openInstallation(config, { ...parts, semantics }),
    versions_kept: { undo_days: config.undo_days, history_days: config.history_days },
    ...lazyVerbatim(),
    ...modules.orders.openOrderReader(log),
    extractor,
    ...(language !== null && { writer: language.writer }),
    ...(semantics !== null && { queryEmbedder: semantics.meaning }),
    ...(reranker !== null && { reranker }),
    random: randomBytes,
    wake: () => {
      for (const one of [worker, deliverer, semantics]) one?.wake();
    },
    completions: completion.createCompletionSignal(),
    recordEventLater: recorder.record,
    flushEvents: recorder.flush,
  };
  // Read when it is needed: the zone of this machine takes long to find.
  Object.defineProperty(deps, 'timezone', { enumerable: true, get: () => config.timezone });
  if (modules.audit !== null) deps.audit = modules.audit.createAuditLog(deps, config.audit_key);
  const lease = { owner, lease_ms, concurrency: worker_concurrency };
  const worker = jobs.createJobWorker(deps, lease);
  const deliverer = deliveries.createDeliveryWorker(deps, { ...lease, timeout_ms });
  store.onWork(deps.wake);
  const sweeper = retention.createRetentionWorker(deps, config);
  const close = stopInSteps([
    [worker.stop, deliverer.stop, sweeper.stop],
    [recorder.stop, keyUses.stop, sender.close],
    [semantics?.stop, reranker?.close, language?.close],
    [store.close],
  ]);
  const calls = { invoke: core.createInvoke(deps), checkAccess: core.createCheckAccess(deps) };
  const opened = { ...calls, store, deps, semanticSearch: semantics };
  return { ...opened, warm: preloadAll(semantics, reranker), keyUsed: keyUses.record, close };
}

/** The configured models, and rules for extraction without a language model. */
async function openModels(config: Config, parts: StrictOmit<SemanticSearchOptions, 'config'>) {
  const { store, clock, log } = parts;
  const { semantics, reranker } = await loadSearchModels(config, parts);
  const fallback = lazyRuleExtractor(log);
  const tokens = tokenTableOf(store);
  const language = await loadLanguageModel(config, { clock, fallback, log, tokens });
  return { semantics, reranker, language, extractor: language?.extractor ?? fallback };
}

function preloadAll(...models: ({ preload?(): void } | null)[]): () => void {
  return () => {
    for (const model of models) model?.preload?.();
  };
}

/** Each is loaded only if it is configured; the table of the package is the default embedder. */
async function loadSearchModels(
  config: Config,
  parts: StrictOmit<SemanticSearchOptions, 'config'>,
): Promise<{ semantics: SemanticSearch | null; reranker: Reranker | null }> {
  const [semantics, reranker] = await Promise.all([
    loadSemanticSearch({ ...parts, config }),
    hasReranker(config)
      ? import('./models/search-models.ts').then(({ openReranker }) => openReranker(config, parts))
      : null,
  ]);
  return { semantics, reranker };
}

async function loadSemanticSearch(options: SemanticSearchOptions): Promise<SemanticSearch | null> {
  if (hasEmbedder(options.config)) {
    const { createSemanticSearch } = await import('./models/semantic-search.ts');
    return createSemanticSearch(options);
  }
  if (!options.config.static_embedder) return null;
  const { createStaticSearch } = await import('./models/static-search.ts');
  return createStaticSearch(options);
}

/** Loaded only if a language model is configured. */
async function loadLanguageModel(
  config: Config,
  parts: LanguageModelOptions,
): Promise<LanguageModel | null> {
  if (config.llm_url === null) return null;
  const language = await import('./models/language-model.ts');
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
async function loadModules({ audit }: Pick<Config, 'audit'>) {
  const [
    storage,
    core,
    jobs,
    deliveries,
    recording,
    retention,
    keyUsage,
    completion,
    orders,
    auditLog,
    addresses,
    { v7 },
  ] = await Promise.all([
    import('../storage/store.ts'),
    import('../core/invoke.ts'),
    import('../core/jobs/job-worker.ts'),
    import('../core/jobs/delivery-worker.ts'),
    import('../core/jobs/event-recorder.ts'),
    import('../core/jobs/retention.ts'),
    import('../core/jobs/key-usage.ts'),
    import('../core/queue/completion.ts'),
    import('./models/classifiers.ts'),
    audit ? import('../core/audit/audit-log.ts') : null,
    import('../providers/url-policy.ts'),
    import('uuid'),
  ]);
  const workers = { jobs, deliveries, recording, retention, keyUsage, completion, orders };
  return { storage, core, ...workers, audit: auditLog, addresses, v7 };
}

/** Loaded with the first messages to extract from, because most calls have none. */
function lazyRuleExtractor(log: Deps['log']): Extractor {
  const load = once(async () => {
    const [{ createRuleExtractor }, { createDateReader }, { openExtractionModels }] =
      await Promise.all([
        import('../core/extraction/rule-extractor.ts'),
        import('../providers/dates/date-reader.ts'),
        import('./models/classifiers.ts'),
      ]);
    return createRuleExtractor({ dates: createDateReader(), models: openExtractionModels(log) });
  });
  return {
    isQuick: true,
    extract: async (conversation, signal) => (await load()).extract(conversation, signal),
  };
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load();
    return loading;
  };
}

/** Loaded with the first text that is stored as it is, and with the first that is compared. */
function lazyVerbatim(): Pick<Deps, 'dateOf' | 'resemble'> {
  const loadDater = once(async () => {
    const [{ createVerbatimDater }, { createDateReader }] = await Promise.all([
      import('../core/extraction/dates/text-dates.ts'),
      import('../providers/dates/date-reader.ts'),
    ]);
    return createVerbatimDater(createDateReader());
  });
  const loadResembler = once(() => import('../core/extraction/resemblance.ts'));
  return {
    dateOf: async (...text) => (await loadDater())(...text),
    resemble: async (...text) => (await loadResembler()).resemble(...text),
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

type EnsureOptions = { config: Config; ids: IdGenerator; creates_project: boolean };

/** Creates the configured organization and project if they are missing. */
async function ensureScope(store: Store, { config, ids, creates_project }: EnsureOptions) {
  const { org_id, project_id } = config;
  const scope = { ...(org_id !== null && { org_id }), ...(project_id !== null && { project_id }) };
  if ((await store.projects.find(scope)) !== null) return;
  const { describeProjects, findByIdOrName } = await import('../core/tenants/named-project.ts');
  const { project, seen } = await findByIdOrName(store, { org_id, project_id });
  if (project !== null) return;
  if (!creates_project && Object.keys(scope).length > 0) {
    throw missingProjectError(scope, describeProjects(seen));
  }
  const [first] = await store.organizations.list(null);
  const organization = org_id ?? first?.org_id ?? ids.next();
  const ref = { org_id: organization, project_id: project_id ?? ids.next() };
  await store.ensureProject(ref, clock.now());
}

function missingProjectError(wanted: Readonly<Record<string, string>>, others: string): ApiError {
  const fields = Object.entries(wanted).map((field) => field.join(' '));
  return new ApiError('not_found', `project not found: ${fields.join(', ')}`, {
    next: `${others} The first memory that is stored there creates it.`,
  });
}

const clock: Clock = { now: () => new Date().toISOString() };
