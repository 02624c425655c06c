import { expect, it } from 'vitest';
import { catalogOf } from './catalog.ts';
import { makeStoreOfSchema8 } from './schema-8.ts';
import { makeFolder, open } from './support.ts';

it('a store that was brought up to date has the same tables as a new one', async () => {
  const [made, upgraded] = [await makeFolder(), await makeFolder()];
  await makeStoreOfSchema8(upgraded);
  for (const folder of [made, upgraded]) await (await open(folder)).close();

  const tables = await catalogOf(made);

  expect(tables.length).toBeGreaterThan(200);
  expect(await catalogOf(upgraded)).toEqual(tables);
});
