import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bm25 } from '../../src/core/bm25.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { commitGroup, type WriteTask } from '../../src/storage/sqlite/group-commit.ts';
import { makeMemory } from './memory.ts';
import { idsOf, insert, makeFolder, makeStore, ofUser, select } from './support.ts';

describe('transactions that begin at the same time', () => {
  it('are all stored', async () => {
    const { store, project } = await makeStore();
    const memories = Array.from({ length: 600 }, () => makeMemory());

    await Promise.all(memories.map((memory) => insert(store, project, memory)));

    expect(await store.memories.size(project, {})).toBe(600);
  });

  it('end in the order in which they began, each after its own writes', async () => {
    const { store, project } = await makeStore();
    const seen: [string, boolean][] = [];
    const add = async (id: string) => {
      await insert(store, project, makeMemory({ id }));
      seen.push([id, (await store.memories.find(project, id)) !== null]);
    };

    await Promise.all(['m1', 'm2', 'm3'].map(add));

    expect(seen).toEqual([
      ['m1', true],
      ['m2', true],
      ['m3', true],
    ]);
  });

  it('see what the ones before them wrote', async () => {
    const { store, project } = await makeStore();
    const twin = () =>
      store.transaction(async (tx) => {
        if ((await tx.memories.find(project, 'm1')) !== null) return 'there already';
        await tx.memories.insert(project, [makeMemory({ id: 'm1' })]);
        return 'stored';
      });

    expect(await Promise.all([twin(), twin(), twin()])).toEqual([
      'stored',
      'there already',
      'there already',
    ]);
  });

  it('fail separately: the others are stored, and the failed one leaves no trace', async () => {
    const { store, project } = await makeStore();
    const problem = new Error('changed my mind');
    const failing = store.transaction(async (tx) => {
      await tx.memories.insert(project, [makeMemory({ id: 'bad', run_id: 'r1' })]);
      throw problem;
    });
    const twins = insert(store, project, makeMemory({ id: 'm1' }), makeMemory({ id: 'm1' }));
    const good = ['m2', 'm3'].map((id) => insert(store, project, makeMemory({ id })));

    const [first, second, ...others] = await Promise.allSettled([failing, twins, ...good]);

    expect(first).toEqual({ status: 'rejected', reason: problem });
    expect(second?.status).toBe('rejected');
    expect(others.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    const query = { terms: [['tea']], bm25, limit: 10 };
    const found = await store.memories.listCandidates(project, select(ofUser('ann')), query);
    expect(idsOf(found).sort()).toEqual(['m2', 'm3']);
    expect(await store.memories.size(project, {})).toBe(2);
    expect(await store.entities.find(project, 'run', 'r1')).toBeNull();
  });
});

describe('a shared commit', () => {
  it('that fails is a failure of all whose writes were lost', async () => {
    const { sqlite, carryOut } = await makeTable();
    const orphan = () => sqlite.exec('pragma defer_foreign_keys = on; insert into b values (7)');

    const outcomes = await carryOut([
      () => sqlite.exec('insert into a values (1)'),
      orphan,
      () => {
        throw new Error('its own problem');
      },
    ]);

    expect(outcomes).toEqual(['FOREIGN KEY constraint failed', outcomes[0], 'its own problem']);
    expect(sqlite.prepare('select * from a').all()).toEqual([]);
  });

  it('is retried for the rest if the engine rolled back everything', async () => {
    const { sqlite, carryOut } = await makeTable();

    const outcomes = await carryOut([
      () => sqlite.exec('insert into a values (1)'),
      () => {
        sqlite.exec('rollback');
        throw new Error('disk full');
      },
      () => sqlite.exec('insert into a values (3)'),
    ]);

    expect(outcomes).toEqual(['disk full', 'disk full', 'stored']);
    expect(
      sqlite
        .prepare('select id from a')
        .all()
        .map((row) => Object.values(row as object)),
    ).toEqual([[3]]);
  });
});

describe('a transaction that takes long', () => {
  it('is committed so that a thread copies what it wrote', async () => {
    const { carryOut, longCommits } = await makeTable();
    const outcomes = await carryOut([
      () => {
        const end = performance.now() + 100;
        while (performance.now() < end);
      },
    ]);

    expect({ outcomes, longCommits: longCommits() }).toEqual({
      outcomes: ['stored'],
      longCommits: 1,
    });
  });
});

/** Two tables, and a function that runs work on them and returns each outcome. */
async function makeTable() {
  const open = await loadSqlite();
  const path = join(await makeFolder(), 'test.db');
  const sqlite = open(path);
  onTestFinished(() => sqlite.close());
  sqlite.exec(`pragma foreign_keys = on;
    create table a (id integer primary key);
    create table b (id integer references a (id))`);

  let longCommits = 0;
  const checkpoints = {
    commit: (run: () => void) => {
      longCommits += 1;
      run();
    },
  };
  const carryOut = async (works: readonly (() => void)[]): Promise<string[]> => {
    const outcomes: string[] = [];
    const tasks = works.map(
      (work, index): WriteTask => ({
        run: async () => work(),
        succeed: () => {
          outcomes[index] = 'stored';
        },
        fail: (error) => {
          outcomes[index] = (error as Error).message;
        },
      }),
    );
    const file = { check: () => {} };
    const parts = { sqlite, path, file, busy_timeout_ms: 100, checkpoints };
    while (tasks.length > 0) await commitGroup(parts, tasks);
    return outcomes;
  };
  return { sqlite, carryOut, longCommits: () => longCommits };
}
