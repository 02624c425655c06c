import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Embedder, EmbeddingModel, QueryEmbedder } from '../core/ports/index.ts';
import { createEmbeddingWorker } from '../core/search/semantic/embed-memories.ts';
import { calibrateScale } from '../core/search/semantic/vector-scale.ts';
import { embedStatically } from '../providers/models/static/static-embedder.ts';
import { readStaticTable, type StaticTable } from '../providers/models/static/static-table.ts';
import type { SemanticSearch, SemanticSearchOptions } from './semantic-search.ts';

/**
 * Search by meaning with the table of the package: vectors are made in microseconds, those of
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
  const table = readTable(log);
  if (table === null) return null;
  const embed = (text: string) => embedStatically(table, text);
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
    restart: async () => {
      await store.vectors.restartModel(model);
      worker.wake();
    },
    stop: worker.stop,
  };
}

async function openModel(
  embedder: Embedder,
  { store, clock }: Pick<SemanticSearchOptions, 'store' | 'clock'>,
): Promise<EmbeddingModel> {
  const { name } = embedder;
  const known = await store.vectors.findModel(name);
  if (known !== null) return known;
  return store.vectors.openModel({ name, ...(await calibrateScale(embedder)) }, clock.now());
}

/** The name of the table's vectors: a table with other vectors gets another name. */
const modelName = 'mneme-static-1';

function toEmbedder(embed: (text: string) => Float32Array | null): Embedder {
  return {
    name: modelName,
    batchSize: 512,
    embed: async (texts) => texts.map(embed),
    close: async () => {},
  };
}

function createStaticQueryEmbedder(
  space: EmbeddingModel,
  embed: (text: string) => Float32Array | null,
): QueryEmbedder {
  return {
    languages: ['english'],
    startEmbedding: async (question) => {
      const vector = embed(question);
      if (vector === null) return { warning: null };
      return { space, embedding: Promise.resolve({ vector }) };
    },
  };
}

function readTable(log: SemanticSearchOptions['log']): StaticTable | null {
  try {
    return readStaticTable(tableFile());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', 'the embedding table cannot be read: searching by words only', { error: reason });
    return null;
  }
}

/** Next to the program or the library; in the sources, where the tool that makes it puts it. */
export function tableFile(): string {
  const places = ['../embedding/', './embedding/', '../../assets/embedding/'].map((place) => {
    return fileURLToPath(new URL(`${place}english.bin`, import.meta.url));
  });
  return places.find((place) => existsSync(place)) ?? 'english.bin';
}
