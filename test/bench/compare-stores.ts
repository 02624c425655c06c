import type { Client } from 'pg';
import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { maintainHnswIndexes } from '../../src/storage/postgres/search/hnsw-index.ts';
import type { Place } from '../support/place.ts';
import { chunks } from './fill-store.ts';
import { copyOf, fillProject, type Originals } from './growth-fill.ts';
import { toMemory } from './large-store.ts';
import { modelName } from './scale-store.ts';
import type { Sentence } from './sentences.ts';
import { timed } from './statistics.ts';

/** What the copies are made of. */
export type Material = { sentences: readonly Sentence[]; parts: readonly Float32Array[] };

/** `ms` is 0 where it was there before. */
export type Filled = { place: Place; ms: number };

type OnServer = { store: Store; client: Client; originals: Originals };

/** Makes the project in the database by copies. */
export async function fillDatabase(
  { store, client, originals }: OnServer,
  count: number,
): Promise<Filled> {
  const project = await ensureProject(store, `beside-${count}`);
  const place = { store, project, model: originals.model };
  if ((await store.memories.size(project, {})) >= count) return { place, ms: 0 };
  const { ms } = await timed(() => fillProject(client, { project, originals, count }));
  await client.query('vacuum (analyze, parallel 0) memories, memory_fts, vectors, entities');
  return { place, ms };
}

/** The graphs of all projects of this size. */
export async function makeGraphs(
  client: Client,
  { count, memory }: { count: number; memory: string },
): Promise<number> {
  await client.query(`set maintenance_work_mem = '${memory}'`);
  return (
    await timed(() =>
      maintainHnswIndexes(client, { log: () => {}, minMemories: Math.min(count, 20_000) }),
    )
  ).ms;
}

function ensureProject(store: Store, project_id: string): Promise<ProjectRef> {
  return store.ensureProject({ org_id: 'beside', project_id }, new Date().toISOString());
}

/** The same memories and vectors in the file of the store. */
export async function fillFile(
  store: Store,
  { sentences, parts }: Material,
  count: number,
): Promise<Filled> {
  const project = await ensureProject(store, 'beside');
  const model = await openModel(store, parts[0]?.length ?? 0);
  const place = { store, project, model };
  if (model.complete) return { place, ms: 0 };
  const numbers = Array.from({ length: count }, (_, number) => number);
  const originals = sentences.length;
  const memoryOf = (number: number) => {
    const { original, created_at, ...owned } = copyOf(number, { count, originals });
    return toMemory({ ...owned, text: sentences[original]?.text ?? '' }, created_at);
  };
  const filled = await timed(async () => {
    for (const part of chunks(numbers, batch)) {
      await store.transaction((tables) => tables.memories.insert(project, part.map(memoryOf)));
    }
  });
  const embedded = await timed(async () => {
    for (;;) {
      const wanted = (await store.vectors.listUnembedded(model, batch)) ?? [];
      if (wanted.length === 0) break;
      const entries = wanted.map(({ memory: _, ...one }) => {
        const { parts: own } = copyOf(one.position - 1, { count, originals });
        return { ...one, vector: sumOf(own.map((part) => parts[part] ?? new Float32Array())) };
      });
      await store.vectors.put(model, entries);
    }
  });
  await store.vectors.markModelComplete(model);
  return { place, ms: filled.ms + embedded.ms };
}

/** Memories of one transaction. */
const batch = 5_000;

function openModel(store: Store, dimension: number): Promise<EmbeddingModel> {
  const scale = { unrelated: 0, related: 0.5, trust: 1 };
  const model = { name: modelName, dimension, scale };
  return store.vectors.openModel(model, new Date().toISOString());
}

/** Of length 1. */
export function sumOf(vectors: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = vectors;
  const sum = first.map((_, at) => vectors.reduce((total, one) => total + (one[at] ?? 0), 0));
  const length = Math.hypot(...sum);
  return sum.map((value) => value / length);
}
