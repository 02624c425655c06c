import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { openExtractionModels, openOrderReader } from '../../src/app/models/classifiers.ts';
import type { SemanticSearch } from '../../src/app/models/semantic-search.ts';
import { createStaticSearch } from '../../src/app/models/static-search.ts';
import type { Config } from '../../src/config/options.ts';
import type { Caller, Invoke } from '../../src/contract.ts';
import { createVerbatimDater } from '../../src/core/extraction/dates/text-dates.ts';
import { resemble } from '../../src/core/extraction/resemblance.ts';
import { createRuleExtractor } from '../../src/core/extraction/rule-extractor.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import { createJobWorker, type Worker } from '../../src/core/jobs/job-worker.ts';
import type {
  Deps,
  Embedder,
  Extractor,
  ProjectRef,
  Reranker,
  Store,
  TextWriter,
} from '../../src/core/ports/index.ts';
import { createCompletionSignal } from '../../src/core/queue/completion.ts';
import {
  createEmbeddingWorker,
  type EmbeddingWorker,
} from '../../src/core/search/semantic/embed-memories.ts';
import { createQueryEmbedder } from '../../src/core/search/semantic/query-embedding.ts';
import { createDateReader } from '../../src/providers/dates/date-reader.ts';
import { openStore } from '../../src/storage/store.ts';
import { createTestClock, type TestClock } from './clock.ts';
import { databaseOf, dropDatabase } from './database.ts';
import { createTestSender, type TestSender } from './webhook-sender.ts';

/** The whole embedded engine on a real file in a temporary folder. */
export type Engine = {
  invoke: Invoke;
  store: Store;
  worker: Worker;
  /** If an embedder was given. */
  embedding: EmbeddingWorker | undefined;
  clock: TestClock;
  deps: Deps;
  sender: TestSender;
  data_dir: string;
  /** Two projects of one organization and one of another, all created. */
  projects: { own: ProjectRef; sibling: ProjectRef; foreign: ProjectRef };
  stop(): Promise<void>;
};

export const owner: Caller = {
  account_id: null,
  org_id: null,
  project_id: null,
  bound_to: null,
  read_only: false,
};

export async function startEngine(
  options: {
    extractor?: Extractor;
    lease_ms?: number;
    embedder?: Embedder;
    /** Search by meaning with the tables of the package, as without a configured model. */
    tables?: boolean;
    timezone?: string;
    reranker?: Reranker;
    writer?: TextWriter;
    data_dir?: string;
  } = {},
): Promise<Engine> {
  const data_dir = options.data_dir ?? (await mkdtemp(join(tmpdir(), 'mneme-test-')));
  const clock = createTestClock();
  const ids = { next: () => v7() };
  const log = () => {};
  const store = await openStore({
    ...(await databaseOf(data_dir)),
    data_dir,
    synchronous: 'normal',
    busy_timeout_ms: 5_000,
    log,
  });
  let wake = () => {};
  let recording: Promise<unknown> = Promise.resolve();
  const extractor =
    options.extractor ??
    createRuleExtractor({ dates: createDateReader(), models: openExtractionModels(() => {}) });
  const sender = createTestSender();
  const deps: Deps = {
    store,
    extractor,
    dateOf: createVerbatimDater(createDateReader()),
    resemble,
    ...openOrderReader(() => {}),
    clock,
    ids,
    versions_kept: { undo_days: 30, history_days: 0 },
    random: randomBytes,
    sender,
    log,
    wake: () => wake(),
    completions: createCompletionSignal(),
    // Immediately, so that a test need not wait; closing the store waits for it.
    recordEventLater: (project, event, recall) => {
      const written = store.transaction(async (tables) => {
        await tables.events.insertMany([{ project, event: event() }]);
        if (recall !== undefined) await tables.recalls.insertMany([{ project, recall }]);
      });
      recording = Promise.all([recording, written]);
    },
    flushEvents: async () => void (await recording),
  };
  if (options.timezone) deps.timezone = options.timezone;
  if (options.reranker) deps.reranker = options.reranker;
  if (options.writer) deps.writer = options.writer;
  const embedding = options.embedder && embed(deps, options.embedder);
  const tables = options.tables ? await openTables(deps) : null;
  const worker = createJobWorker(deps, { owner: 'test', lease_ms: options.lease_ms ?? 30_000 });
  wake = worker.wake;
  const projects = await makeProjects(store, clock);

  return {
    invoke: createInvoke(deps),
    store,
    worker,
    embedding,
    clock,
    deps,
    sender,
    data_dir,
    projects,
    stop: async () => {
      await Promise.all([worker.stop(), embedding?.stop(), tables?.stop()]);
      await store.close();
      await dropDatabase(data_dir);
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** Like the program: semantic search, and embedding in the background. */
function embed(deps: Deps, embedder: Embedder): EmbeddingWorker {
  const worker = createEmbeddingWorker(deps, { embedder, owner: 'test', lease_ms: 30_000 });
  const { lastError } = worker;
  deps.queryEmbedder = createQueryEmbedder(deps, {
    embedder,
    search_timeout_ms: 1_000,
    problem: lastError,
  });
  return worker;
}

async function openTables(deps: Deps): Promise<SemanticSearch | null> {
  const config = { lease_ms: 30_000 } as Config;
  const tables = await createStaticSearch({ ...deps, config, owner: 'test' });
  if (tables !== null) deps.queryEmbedder = tables.meaning;
  return tables;
}

async function makeProjects(store: Store, clock: TestClock): Promise<Engine['projects']> {
  const own = await store.projects.find({});
  if (own === null) throw new Error('a new store has a project');
  const sibling = { org_id: own.org_id, project_id: 'sibling' };
  const foreign = { org_id: 'other-org', project_id: 'foreign' };
  return {
    own,
    sibling: await store.ensureProject(sibling, clock.now()),
    foreign: await store.ensureProject(foreign, clock.now()),
  };
}
