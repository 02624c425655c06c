import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../src/core/ports/index.ts';
import { columnNames } from '../../src/storage/sql/schema/table.ts';
import { tables } from '../../src/storage/sql/schema/tables.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { openStore, storePath } from '../../src/storage/store.ts';
import { fillStore, type Owned } from './large-store.ts';
import { makeSentences, type Sentence } from './sentences.ts';
import { timed } from './statistics.ts';
import { clusteredVector } from './vectors.ts';

/** What one store of the benchmark holds. */
export type Size = { memories: number; each: number; dimension: number };

/** Memories that the calls of the benchmark are about, and what filling took. */
export type Sample = Size & { filled_ms: number; embedded_ms: number; made: readonly Made[] };
export type Made = Sentence & Owned & { index: number };

/** Memories of a run: about a long conversation. */
const runLength = 50;
/** A prime: steps of it reach every place of a store of another size. */
const stride = 7919;
const sampleSize = 1200;

/** A third of the memories is filed under one of these. */
const categories = ['food', 'health', 'home', 'music', 'sports', 'travel', 'work'];

export const modelName = 'bench';

/** The store of this size in the folder, which is made where it is missing. */
export async function prepareStore(folder: string, size: Size): Promise<Sample> {
  const path = join(folder, 'sample.json');
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as Sample;
  const sentences = makeSentences(size.memories, 1);
  const owned = sentences.map((sentence, index) => toOwned(sentence, index, size));
  const filled = await timed(() => fillStore(folder, owned, database?.url));
  const embedded = await timed(() => embedAll(folder, size));
  const made = Array.from({ length: Math.min(sampleSize, size.memories) }, (_, call) => {
    const index = (call * stride) % size.memories;
    return { ...(sentences[index] as Sentence), ...(owned[index] as Owned), index };
  });
  const sample = { ...size, filled_ms: filled.ms, embedded_ms: embedded.ms, made };
  writeFileSync(path, JSON.stringify(sample));
  return sample;
}

/** Users take turns with runs, as they do in life: the memories of one lie all over the store. */
function toOwned({ text }: Sentence, index: number, { memories, each }: Size): Owned {
  const run = Math.floor(index / runLength);
  const users = Math.max(1, Math.round(memories / each));
  const filed = index % 3 === 0 ? [categories[index % categories.length] ?? ''] : [];
  return { text, user_id: `user-${run % users}`, run_id: `run-${run}`, categories: filed };
}

export function openBenchStore(folder: string): Promise<Store> {
  const settings = { synchronous: 'normal', busy_timeout_ms: 10_000, log: () => {} } as const;
  return openStore({ ...settings, database, data_dir: folder });
}

const url = process.env.BENCH_DATABASE_URL;

/** A PostgreSQL database without a store, in place of the files: for one size only. */
export const database =
  url === undefined ? null : { url, pool_size: 10, statement_timeout_ms: 600_000 };

async function embedAll(folder: string, { dimension }: Size): Promise<void> {
  const store = await openBenchStore(folder);
  const scale = { unrelated: 0, related: 0.5, trust: 1 };
  const now = new Date().toISOString();
  const model = await store.vectors.openModel({ name: modelName, dimension, scale }, now);
  await embedNew(store, { dimension });
  await store.vectors.markModelComplete(model);
  await store.close();
}

/** Gives a vector to each memory that has none: that of its place in the store. */
export async function embedNew(
  store: Store,
  { dimension }: Pick<Size, 'dimension'>,
): Promise<void> {
  const model = await store.vectors.findModel(modelName);
  if (model === null) throw new Error('the embedding model is missing');
  for (;;) {
    const wanted = (await store.vectors.listUnembedded(model, 2000)) ?? [];
    if (wanted.length === 0) return;
    const embedded = wanted.map(({ memory: _, ...one }) => ({
      ...one,
      vector: clusteredVector(one.position - 1, dimension),
    }));
    await store.vectors.put(model, embedded);
  }
}

/** The year of the earlier versions, one a month from January on. */
export const versionYear = 2020;

/** Gives each memory of a file so many earlier versions with the same words. */
export async function addVersions(folder: string, count: number): Promise<void> {
  const open = await loadSqlite();
  const sqlite = open(storePath(folder));
  const copied = columnNames(tables.memories).filter((name) => name !== 'recorded_from');
  const names = copied.join(', ');
  const month = (number: number) =>
    `${versionYear}-${String(number).padStart(2, '0')}-01T00:00:00.000Z`;
  const known = sqlite.prepare('select 1 from memory_versions where recorded_until < ? limit 1');
  if (known.all(month(13)).length === 0) {
    for (let number = 1; number <= count; number += 1) {
      sqlite.exec(`insert into memory_versions (${names}, recorded_from, recorded_until)
        select ${names}, '${month(number)}', '${month(number + 1)}' from memories`);
    }
    sqlite.exec(`update memories set recorded_from = '${month(count + 1)}'`);
  }
  sqlite.close();
}
