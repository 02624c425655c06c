import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, open } from './support.ts';

it('tokens of a day are counted for all processes on the store, and none is lost', async () => {
  const folder = await makeFolder();
  const stores = [await open(folder), await open(folder)];
  onTestFinished(async () => void (await Promise.all(stores.map((store) => store.close()))));
  const [one, other] = stores;
  const day = '2026-03-14';

  const counts = Array.from({ length: 20 }, (_, index) => {
    return stores[index % 2]?.transaction(({ tokens }) => tokens.addUsage(day, 1_000_000_000));
  });
  await Promise.all(counts);

  expect(await one?.tokens.getUsage(day)).toBe(20_000_000_000);
  expect(await other?.tokens.getUsage(day)).toBe(20_000_000_000);
});

it('a new day starts at zero, and earlier days are deleted', async () => {
  const store = await open(await makeFolder());
  onTestFinished(() => store.close());
  const spend = (day: string, count: number) =>
    store.transaction(({ tokens }) => tokens.addUsage(day, count));

  await spend('2025-12-31', 5);
  await spend('2026-01-01', 7);
  await spend('2026-01-01', 0);

  expect(await store.tokens.getUsage('2025-12-31')).toBe(0);
  expect(await store.tokens.getUsage('2026-01-01')).toBe(7);
  expect(await store.tokens.getUsage('2026-01-02')).toBe(0);
  expect(await store.secret()).toMatch(/^[0-9a-f]{64}$/);
});
