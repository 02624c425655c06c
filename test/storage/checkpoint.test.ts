import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCheckpoints } from '../../src/storage/sqlite/checkpoint.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { makeFolder } from './support.ts';

const open = await loadSqlite();

/** 16 MB: two thousand pages, of which SQLite has a commit copy those after a thousand. */
const rows = 2000;
const fill = `insert into notes (text)
  with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${rows})
  select hex(zeroblob(4000)) from numbers`;

describe('what a long transaction wrote to the log', () => {
  it('is copied into the file after its commit', async () => {
    const { storeRows, rowsInFile, checkpoints } = await makeFile();

    storeRows({ isLong: true });

    expect(rowsInFile()).toBe(0);
    await checkpoints.ended();
    expect(rowsInFile()).toBe(rows);
  });

  it('is copied within the commit of a short one', async () => {
    const { storeRows, rowsInFile } = await makeFile();

    storeRows({ isLong: false });

    expect(rowsInFile()).toBe(rows);
  });

  it('is copied once more where another commit follows', async () => {
    const { storeRows, rowsInFile, checkpoints } = await makeFile();

    storeRows({ isLong: true });
    storeRows({ isLong: true });
    await checkpoints.ended();
    expect(rowsInFile()).toBe(2 * rows);

    storeRows({ isLong: false });
    expect(rowsInFile()).toBe(3 * rows);
  });

  it('is copied by a later commit where no thread can do it', async () => {
    const { storeRows, rowsInFile, checkpoints } = await makeFile({ module: 'no-such-module' });

    storeRows({ isLong: true });
    await checkpoints.ended();
    expect(rowsInFile()).toBe(0);

    storeRows({ isLong: false });
    expect(rowsInFile()).toBe(2 * rows);
  });
});

/** Its name has signs that mean something in an address. */
async function makeFile({ module = open.module } = {}) {
  const folder = await makeFolder();
  const path = join(folder, 'a #1? 100%.db');
  const sqlite = open(path);
  onTestFinished(() => sqlite.close());
  sqlite.exec('pragma page_size = 8192; pragma journal_mode = wal; create table notes (text)');
  sqlite.exec('pragma wal_checkpoint(truncate)');
  const checkpoints = createCheckpoints({ sqlite, path, module });

  return {
    checkpoints,
    storeRows: ({ isLong }: { isLong: boolean }) => {
      sqlite.exec(`begin; ${fill}`);
      const commit = () => sqlite.exec('commit');
      if (isLong) checkpoints.commit(commit);
      else commit();
    },
    /** As they are without the log. */
    rowsInFile: (): number => {
      const copy = join(folder, 'copy.db');
      copyFileSync(path, copy);
      const alone = open(copy);
      try {
        return (alone.prepare('select count(*) as n from notes').all() as [{ n: number }])[0].n;
      } finally {
        alone.close();
      }
    },
  };
}
