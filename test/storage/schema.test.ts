import { expect, it } from 'vitest';
import type { Column } from '../../src/storage/sql/schema/columns.ts';
import { tableNames, tableOf } from '../../src/storage/sql/schema/tables.ts';

it('a column that holds text needs a rule of erasure', () => {
  // @ts-expect-error: `erasure` is missing
  const plain: Column = { type: 'text' };
  // @ts-expect-error: `erasure` is missing
  const bytes: Column = { type: 'blob', isNullable: true };
  const number: Column = { type: 'integer' };

  expect([plain, bytes, number].map(({ erasure }) => erasure)).toEqual(Array(3).fill(undefined));
});

it('a table whose rows go with a memory names the memory, by id or in an index', () => {
  const going = tableNames.filter((name) =>
    Object.values(tableOf(name).columns).some(({ erasure }) => erasure === 'memory'),
  );

  const unnamed = going.filter((name) => tableOf(name).memory === undefined);

  expect(unnamed).toEqual(['vectors', 'memory_fts']);
});
