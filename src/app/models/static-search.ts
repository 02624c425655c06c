import type { Embedder, EmbeddingModel, QueryEmbedder } from '../../core/ports/index.ts';
import { createEmbeddingWorker } from '../../core/search/semantic/embed-memories.ts';
import { calibrateScale } from '../../core/search/semantic/vector-scale.ts';
import { openTextEmbedder } from './bundled-tables.ts';
import type { SemanticSearch, SemanticSearchOptions } from './semantic-search.ts';
import { otherLanguages } from './static-text-embedder.ts';

/**
 * Search by meaning with the tables of the package: vectors are made in microseconds, those of
 * memories in the transaction that stores them. Null if the table can't be read, or the store does
 * not support vectors.
 */
export async function createStaticSearch({
  config,
  owner,
  ...deps
}: SemanticSearchOptions): Promise<SemanticSearch | null> {
  const { log, store } = deps;
  if (!store.supportsVectors) return null;
  const embed = openTextEmbedder(log);
  if (embed === null) return null;
  const embedder = toEmbedder(embed);
  const model = await openModel(embedder, deps);
  store.embedInline({ model, embed });
  const { lease_ms } = config;
  const worker = createEmbeddingWorker(deps, { embedder, owner, lease_ms, isInline: true });
  return {
    meaning: createStaticQueryEmbedder(model, embed),
    model: embedder.name,
    // Nothing that is added waits: the worker looks for older memories by itself.
    wake: () => {},
    preload: () => {},
    loading: () => null,
    problem: worker.lastError,
    progress: () => store.vectors.getProgress(model),
    isComplete: async () => true,
    restart: () => remakeVectors(store, model, embedder),
    stop: worker.stop,
  };
}

/**
 * Makes all vectors again. Not by the worker, which passes memories that have a vector: other
 * processes on the store do so too.
 */
async function remakeVectors(
  { vectors }: Pick<SemanticSearchOptions['store'], 'vectors'>,
  model: EmbeddingModel,
  { embed }: Embedder,
): Promise<void> {
  for (let after = 0; ; ) {
    const listed = await vectors.listAfter(after, memoriesAtOnce);
    const last = listed.at(-1);
    if (last === undefined) return;
    const embeddings = await embed(
      listed.map(({ memory }) => memory),
      { purpose: 'memory' },
    );
    const embedded = listed.map(({ memory: _, ...one }, index) => {
      return { ...one, vector: embeddings[index] ?? null };
    });
    await vectors.put(model, embedded);
    after = last.position;
  }
}

const memoriesAtOnce = 512;

async function openModel(
  embedder: Embedder,
  { store, clock }: Pick<SemanticSearchOptions, 'store' | 'clock'>,
): Promise<EmbeddingModel> {
  const { name } = embedder;
  const storedModel = await store.vectors.findModel(name);
  if (storedModel !== null) return storedModel;
  return store.vectors.openModel({ name, ...(await calibrateScale(embedder)) }, clock.now());
}

/** The name of the tables' vectors: tables with other vectors get another name. */
const modelName = 'mneme-static-2';

function toEmbedder(embed: (text: string) => Float32Array | null): Embedder {
  return {
    name: modelName,
    batchSize: memoriesAtOnce,
    embed: async (texts) => texts.map(embed),
    close: async () => {},
  };
}

function createStaticQueryEmbedder(
  model: EmbeddingModel,
  embed: (text: string) => Float32Array | null,
): QueryEmbedder {
  return {
    languages: ['english', ...otherLanguages],
    isInstant: true,
    startEmbedding: async (question) => {
      const vector = embed(question);
      if (vector === null) return { warning: null };
      return { model, embedding: Promise.resolve({ vector }) };
    },
  };
}
