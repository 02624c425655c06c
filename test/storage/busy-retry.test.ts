import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { storePath } from '../../src/storage/store.ts';
import { makeFolder } from './support.ts';

it('a transaction ends while others of its process wait for the file', async () => {
  const path = storePath(await makeFolder());
  const open = async () => {
    const options = { path, synchronous: 'normal', busy_timeout_ms: 5000, log: () => {} } as const;
    const engine = await openSqlite(options);
    onTestFinished(() => engine.close());
    return engine;
  };
  const engines = [];
  for (let count = 0; count < 5; count += 1) engines.push(await open());
  const order: number[] = [];

  await Promise.all(
    engines.map(({ write }, index) =>
      write(async () => {
        for (let turns = 0; turns < 10; turns += 1) await turnOfOthers();
        order.push(index);
      }),
    ),
  );

  expect(order.toSorted()).toEqual([0, 1, 2, 3, 4]);
});
