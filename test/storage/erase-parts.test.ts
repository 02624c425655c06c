import type { KyselyPlugin } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import type { ErasureSubject } from '../../src/core/ports/index.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { openStore, storePath } from '../../src/storage/store.ts';
import { createErasureTable } from '../../src/storage/tables/erasure/erasure.ts';
import { makeEvent, now } from './memory.ts';
import { makeFolder } from './support.ts';

const quiet = { synchronous: 'normal', busy_timeout_ms: 2_000, log: () => {} } as const;

const subject: ErasureSubject = {
  ...{ ids: new Set(['gone']), parts: [['gone']], positions: [], owners: [], sources: new Set() },
  ...{ entity: null, undecided: null },
};

/** Each tells of the erased memory, in a text of this many characters. */
function eventOf(id: string, length: number) {
  const parts = { event: 'ADD', data: { memory: '' }, user_id: null } as const;
  return makeEvent({ id, results: [{ ...parts, id: 'gone', memory: 'x'.repeat(length) }] });
}

/** A file with events of these lengths, and what each statement on it reads, in characters. */
async function makeFile(lengths: readonly number[]) {
  const data_dir = await makeFolder();
  const store = await openStore({ ...quiet, data_dir });
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await store.transaction(async (tx) => {
    for (const [at, length] of lengths.entries())
      await tx.events.insert(project, eventOf(`e${at}`, length));
  });
  await store.close();
  const { reader, dialect, close } = await openSqlite({ ...quiet, path: storePath(data_dir) });
  onTestFinished(close);
  const read: number[] = [];
  const recorder: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      read.push(JSON.stringify(result.rows).length);
      return result;
    },
  };
  const at = { ...reader, db: reader.db.withPlugin(recorder), dialect, inline: { embedder: null } };
  return { erasure: createErasureTable(at), project, read };
}

it('erasing reads few long texts at once, and finds what each of them tells', async () => {
  const lengths = [...Array(250).fill(10), ...Array(30).fill(1_000_000), 6_000_000, 10];
  const { erasure, project, read } = await makeFile(lengths);

  const counts = await erasure.count(project, subject);

  expect(counts).toEqual({ events: lengths.length });
  const long = read.filter((length) => length > 100_000);
  expect(Math.max(...long)).toBeLessThan(6_100_000); // the longest, alone
  expect(long.filter((length) => length > 4_100_000)).toHaveLength(1);
  expect(long.length).toBeLessThan(15);
});

it('erasing reads many short texts at once', async () => {
  const { erasure, project, read } = await makeFile(Array(450).fill(10));

  expect(await erasure.count(project, subject)).toEqual({ events: 450 });
  expect(read.filter((length) => length > 1_000).length).toBeLessThan(10);
});
