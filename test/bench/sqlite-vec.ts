import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { load } from 'sqlite-vec';
import { storePath } from '../../src/storage/store.ts';
import type { Sample } from './scale-store.ts';
import { type Took, took } from './statistics.ts';
import { clusteredVector } from './vectors.ts';

/** The vectors of the store once more, in a table of sqlite-vec, each user a partition. */
export type Rival = {
  ofUser(call: { index: number; user_id: string }): Promise<Took>;
  ofAll(call: { index: number }): Promise<Took>;
  close(): void;
};

export function openRival(folder: string, { dimension }: Sample): Rival {
  const path = join(folder, 'sqlite-vec.db');
  const isNew = !existsSync(path);
  const sqlite = new DatabaseSync(path, { allowExtension: true });
  sqlite.enableLoadExtension(true);
  load(sqlite);
  if (isNew) fill(sqlite, { store: storePath(folder), dimension });
  const ofUser = sqlite.prepare(`select rowid, distance from near
    where embedding match ? and k = 10 and user_id = ?`);
  const ofAll = sqlite.prepare(
    'select rowid, distance from near where embedding match ? and k = 10',
  );
  const question = (index: number) => new Uint8Array(clusteredVector(index, dimension).buffer);
  return {
    ofUser: ({ index, user_id }) => took(async () => ofUser.all(question(index), user_id)),
    ofAll: ({ index }) => took(async () => ofAll.all(question(index))),
    close: () => sqlite.close(),
  };
}

function fill(
  sqlite: InstanceType<typeof DatabaseSync>,
  { store, dimension }: { store: string; dimension: number },
): void {
  sqlite.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create virtual table near using vec0(user_id text partition key,
      embedding float[${dimension}] distance_metric=cosine);`);
  sqlite.prepare('attach database ? as store').run(store);
  sqlite.exec(`insert into near (rowid, user_id, embedding)
    select memories.position, memories.user_id, vectors.vector
    from store.vectors as vectors
    join store.memories as memories on memories.position = vectors.position
    where memories.user_id glob 'user-[0-9]*'; detach database store`);
}
