import { describe, expect, it } from 'vitest';
import { bm25 } from '../../src/core/bm25.ts';
import { englishQuery } from '../../src/core/language/resolve-languages.ts';
import type { NewMemory, Tables } from '../../src/core/ports/index.ts';
import { findCandidates } from '../../src/core/search/candidates.ts';
import { parseQuery } from '../../src/core/search/query/query.ts';
import { createTables } from '../../src/storage/tables/create-tables.ts';
import { termScanMax } from '../../src/storage/tables/search/term-scan.ts';
import { findPositionsWithin } from '../../src/storage/tables/search/time-range.ts';
import { later, makeMemory, now } from './memory.ts';
import { makeRecordedFile } from './recorded.ts';
import { compare, everything, idsOf, ofUser, select } from './support.ts';

/** Few enough to be scanned one by one, and more. */
const few = 400;
const many = termScanMax + 500;

/** So many memories of that day, counted from today; every tenth is Bob's. */
function ofDay(day: number, count: number): NewMemory[] {
  return Array.from({ length: count }, (_, index) =>
    makeMemory({
      id: `${day}:${index}`,
      hash: `${(index * 7919) % 3511}`,
      user_id: index % 10 === 0 ? 'bob' : 'ann',
      terms: `tea ${index % 7 === 0 ? 'green' : 'black'} n${index}`,
      created_at: later(day * daySeconds + index),
    }),
  );
}

function rangeOf(day: number) {
  return { from: later(day * daySeconds), to: later((day + 1) * daySeconds) };
}

const daySeconds = 24 * 60 * 60;

/** Those that look up in the index by time which memories are of a time. */
function onTimeIndex(statements: readonly string[]): string[] {
  return statements.filter((text) => text.includes('from (select "position" from "memories"'));
}

describe('a question with a date, among more memories than are scanned', () => {
  const asked = 'green tea on 15 March 2026';
  const question = parseQuery(asked, {
    now,
    timezone: 'UTC',
    others: null,
    reading: englishQuery,
    aliases: [],
  });
  const reach = { limit: 5, contexts: 0, query: asked };

  it('learns from the index by time which of them are of the date', async () => {
    const { at, project, statements } = await makeRecordedFile([
      ...ofDay(0, many),
      ...ofDay(1, few),
    ]);
    const within = { tables: createTables(at), project, selection: select(), size: many + few };

    const found = await findCandidates(within, question, reach);

    // Their number, then their positions.
    expect(onTimeIndex(statements)).toHaveLength(2);
    expect(idsOf(found)).toContain('1:7');
  });

  it('learns only their number and bounds, if they are many and stored in order', async () => {
    const { at, project, statements } = await makeRecordedFile([
      ...ofDay(0, few),
      ...ofDay(1, many),
    ]);
    const within = { tables: createTables(at), project, selection: select(), size: many + few };

    const found = await findCandidates(within, question, reach);

    expect(onTimeIndex(statements)).toHaveLength(1);
    expect(idsOf(found)).toContain('1:3493');
  });
});

it('a range without memories hides nothing of how the others are stored', async () => {
  const { at, project, statements } = await makeRecordedFile([...ofDay(0, few), ...ofDay(1, many)]);

  await findPositionsWithin(at, project, [rangeOf(9), rangeOf(1)]);

  // No positions are read.
  expect(onTimeIndex(statements)).toHaveLength(2);
});

describe('the index by time changes no result', () => {
  const days = [ofDay(0, many), ofDay(1, many), ofDay(2, few)];
  const inOrder = days.flat();
  const mixed = inOrder.toSorted((one, other) => one.hash.localeCompare(other.hash));
  const nobodys = { from: later(-9), to: later(-1) };
  const ranges = {
    'few memories': [rangeOf(2)],
    'many memories': [rangeOf(1)],
    'many memories in two ranges': [rangeOf(0), rangeOf(1)],
    'ranges of which one is empty': [nobodys, rangeOf(1)],
    'no memories': [nobodys],
  };
  const selections = {
    all: everything,
    'those of Bob': ofUser('bob'),
    'those of nobody but Ann': { none: [compare('user_id', 'ne', 'ann')] },
  };

  it.each(Object.entries({ 'in order': inOrder, mixed }))(
    'if they are stored %s',
    async (_, all) => {
      const { at, project } = await makeRecordedFile(all);
      const without = { ...at, dialect: { ...at.dialect, positionScanMax: 0 } };

      for (const [who, filter] of Object.entries(selections)) {
        for (const [when, timeRanges] of Object.entries(ranges)) {
          for (const limit of [20, 100]) {
            const query = {
              terms: [['tea'], ['green'], ['n49']],
              bm25,
              limit: 3,
              size: all.length,
              parts: [{ timeRanges, limit }],
            };
            const find = async (tables: Tables) =>
              idsOf(await tables.memories.listCandidates(project, select(filter), query));

            const found = await find(createTables(at));

            expect(found, `${when}, ${who}`).toEqual(await find(createTables(without)));
          }
        }
      }
    },
  );
});
