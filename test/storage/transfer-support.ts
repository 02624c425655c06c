import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bm25 } from '../../src/core/bm25.ts';
import type { Store } from '../../src/core/ports/index.ts';
import { openStore } from '../../src/storage/store.ts';
import { type StoreLocation, transferStore } from '../../src/storage/transfer/transfer.ts';
import { fillStore, oddIds, vectorOf } from './fill-store.ts';
import { nearestMemories } from './nearest.ts';
import { everything, firstPage, ofUser, select } from './support.ts';

const options = { synchronous: 'normal', busy_timeout_ms: 5_000, log: () => {} } as const;

/** The store of a file, whatever database the tests have. */
export function openFile(data_dir: string): Promise<Store> {
  return openStore({ ...options, data_dir });
}

/** A file with something in every table; returns its path. */
export async function makeFile(data_dir: string, many?: number): Promise<string> {
  const store = await openFile(data_dir);
  await fillStore(store, many);
  await store.close();
  return join(data_dir, 'mneme.db');
}

type Parts = Partial<Parameters<typeof transferStore>[0]>;

/** Moves without a word, unless a test listens. */
export function move(from: StoreLocation, to: StoreLocation, parts: Parts = {}) {
  const quiet = { onProgress: () => {}, onWarning: () => {} };
  return transferStore({ from, to, resume: false, ...quiet, ...parts });
}

/** What a folder has in it, to be sure that nothing of it was touched. */
export function bytesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      return [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ];
    }),
  );
}

/** What a store returns about the project of `fillStore`: searches, lists, history and the rest. */
export async function answersOf(store: Store) {
  const project = await store.projects.find({ project_id: 'own' });
  if (project === null) throw new Error('the project is missing');
  const words = { terms: [['tea'], ['mate'], ['7']], bm25, limit: 50 };
  const model = await store.vectors.findModel('one');
  if (model === null) throw new Error('the embedding model is missing');
  const query = { model, vector: vectorOf(3, 8), size: 1000, limit: 10 };
  return {
    project,
    found: await store.memories.listCandidates(project, select(), words),
    foundOfEach: await Promise.all(
      oddIds.map((id) => store.memories.listCandidates(project, select(ofUser(id)), words)),
    ),
    near: (await nearestMemories({ store, project }, select(), query)).map(({ id, similarity }) => {
      // A file compares with a query of 16 bits, a database with floats.
      return [id, similarity.toFixed(3)];
    }),
    list: await store.memories.list(project, select(everything), firstPage),
    history: await store.history.list(project, 'own 1'),
    entities: await store.entities.list(project, firstPage),
    relations: await store.relations.list(project, ['own 0']),
    documents: await Promise.all(oddIds.map((id) => store.documents.find(project, 'profile', id))),
    keys: await store.keys.list(),
    first: await store.accounts.getFirst(),
    secret: await store.secret(),
    unembedded: (await store.vectors.listUnembedded(model, 99))?.map(({ position }) => position),
  };
}
