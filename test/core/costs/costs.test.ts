import { beforeAll, describe, expect, it } from 'vitest';
import { memories } from '../../../src/contract/operations/memories.ts';
import { isPostgres } from '../../support/database.ts';
import { measuredCalls } from './calls.ts';
import { type Costs, costsAt, type ExpectedCosts, type Growth, nameOf } from './measure.ts';

const resembling = 'what shares its words is looked up and read, a bounded number of each';
const nearest = 'the memories nearest to it in meaning are looked up among those of the user';
const shown = 'it reads what it shows, a bounded number of memories';
const newest = 'of the 1,000 newest memories at most';
const texts = 'it searches the texts of all events for the name, a few megabytes at once';

/**
 * What a call costs on SQLite, the record of it included. The failure of a test shows what it
 * costs now; who changes a number here tells in the message of the commit why it is another one.
 */
const expected: Record<string, ExpectedCosts> = {
  'search_memories: two words': {
    statements: [17, 22, nearest],
    rows_read: [20, 23, nearest],
    rows_written: 1,
    bytes_max: 1000,
  },
  // One statement more: it reads how near the memories are that hold the name in it.
  'search_memories: a question': {
    statements: [18, 23, nearest],
    rows_read: [21, 27, nearest],
    rows_written: 1,
    bytes_max: 1000,
  },
  'get_context: for a question': {
    statements: [21, 26, nearest],
    rows_read: [16, 101, nearest],
    rows_written: 1,
  },
  'get_context: of the newest': {
    statements: 15,
    rows_read: [96, 139, shown],
    rows_written: 1,
  },
  get_memory: { statements: 5, rows_read: 3, rows_written: 0, bytes_max: 0 },
  'get_memories: a page of 100': { statements: 11, rows_read: 6, rows_written: 1 },
  'get_memories: the second page of 50': { statements: 6, rows_read: 4, rows_written: 0 },
  'add_memory: a text as it is': {
    statements: 19,
    rows_read: 4,
    rows_written: 10,
    bytes_max: 3500,
  },
  'add_memory: a text, compared with others': {
    statements: 23,
    rows_read: 17,
    rows_written: 10,
    bytes_max: 3500,
  },
  'add_memory: messages, by rules': {
    statements: [27, 32, resembling],
    rows_read: [28, 32, resembling],
    rows_written: 10,
    bytes_max: 5000,
  },
  'add_memory: messages, later': {
    statements: [54, 59, resembling],
    rows_read: [37, 41, resembling],
    rows_written: 14,
  },
  'add_memory: messages that update one, by rules': {
    statements: [32, 37, resembling],
    rows_read: [31, 34, resembling],
    rows_written: 9,
  },
  // One statement more than without a conflict: it reads what is contradicted.
  'add_memory: a text that may contradict others': {
    statements: 24,
    rows_read: 18,
    rows_written: 10,
  },
  // Three statements more: of two names, and of what they name, by which they are ordered.
  'search_memories: where they may contradict each other': {
    statements: [20, 25, nearest],
    rows_read: [38, 44, nearest],
    rows_written: 1,
  },
  // One statement more: it reads what they name that is not on the page.
  'get_memories: a page where they may contradict others': {
    statements: 12,
    rows_read: 12,
    rows_written: 1,
  },
  list_history: { statements: 6, rows_read: 202, rows_written: 0 },
  get_profile: {
    statements: [5, 7, newest],
    rows_read: [2, 4, newest],
    rows_written: 0,
  },
  list_relations: { statements: 4, rows_read: 1, rows_written: 0 },
  get_filter_values: { statements: 6, rows_read: [269, 1003, newest], rows_written: 0 },
  list_entities: { statements: 8, rows_read: 3, rows_written: 0 },
  get_stats: { statements: 6, rows_read: 6, rows_written: 0 },
  list_reviews: { statements: 4, rows_read: 2, rows_written: 0 },
  list_recalls: { statements: 5, rows_read: 2, rows_written: 0 },
  list_events: { statements: 5, rows_read: 52, rows_written: 0 },
  list_changes: { statements: 5, rows_read: 103, rows_written: 0 },
  diff_changes: { statements: 6, rows_read: 202, rows_written: 0 },
  add_feedback: { statements: 8, rows_read: 4, rows_written: 1 },
  update_memory: {
    statements: 23,
    rows_read: 7,
    rows_written: 9,
    // Pages of 4,096 bytes that 50 updates fill: a few more or less are chance.
    bytes_max: 2700,
  },
  'batch_update_memories: 10': { statements: 148, rows_read: 52, rows_written: 81 },
  'get_history: after an update': { statements: 7, rows_read: 13, rows_written: 0 },
  'get_versions: after an update': { statements: 5, rows_read: 7, rows_written: 0 },
  delete_memory: { statements: 20, rows_read: 6, rows_written: 10 },
  'undo_changes: of a delete': { statements: 22, rows_read: 9, rows_written: 10 },
  'batch_delete_memories: 10': { statements: 29, rows_read: 33, rows_written: 64 },
  'delete_all_memories: a user of 100': { statements: 121, rows_read: 303, rows_written: 604 },
  'erase_memories: a user of 100': { statements: 78, rows_read: 371, rows_written: 405 },
  'delete_entity: a user of 100': {
    statements: [91, 111, texts],
    rows_read: [490, 500, texts],
    rows_written: 406,
  },
};

it('the costs of every operation on memories are written down', () => {
  const measured = measuredCalls.map(({ operation }) => operation);

  expect(Object.keys(memories).filter((name) => !measured.includes(name as never))).toEqual([]);
  expect(measuredCalls.map(nameOf)).toEqual(Object.keys(expected));
});

describe.skipIf(isPostgres).each([
  [100, 0],
  [10_000, 1],
] as const)('where a user has %i memories, a call costs what it must', (memoryCount, place) => {
  let costs: Map<string, Costs>;

  beforeAll(async () => {
    costs = await costsAt(memoryCount);
  });

  it.each(Object.entries(expected))('%s', (name, { bytes_max, ...counts }) => {
    const { bytes = 0, ...measured } = costs.get(name) ?? {};

    expect(measured).toEqual(at(place, counts));
    expect(bytes).toBeLessThanOrEqual(bytes_max ?? Number.POSITIVE_INFINITY);
  });
});

function at(place: 0 | 1, counts: Record<string, number | Growth>): Record<string, number> {
  const entries = Object.entries(counts).map(([name, cost]) => {
    return [name, typeof cost === 'number' ? cost : cost[place]] as const;
  });
  return Object.fromEntries(entries);
}
