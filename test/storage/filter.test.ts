import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Filter, FilterComparison, FilterScalar } from '../../src/contract/schemas/filter.ts';
import { parseFilter } from '../../src/contract/schemas/filter.ts';
import type { NewMemory, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { timesAsLong } from '../support/growth.ts';
import { tries } from '../support/rounds.ts';
import { later, makeMemory, now } from './memory.ts';
import { compare, firstPage, idsOf, insert, makeStore, select } from './support.ts';

async function search(store: Store, project: ProjectRef, filter: Filter): Promise<string[]> {
  const { results } = await store.memories.list(project, select(filter), firstPage);
  return idsOf(results).sort();
}

/** A store of these memories, with their index as id, and the ids that a wire filter selects. */
async function makeSearch(...memories: Partial<NewMemory>[]) {
  const { store, project } = await makeStore();
  const made = memories.map((memory, index) => makeMemory({ id: `${index}`, ...memory }));
  await insert(store, project, ...made);
  return (wire: Record<string, unknown>) => search(store, project, parseFilter(wire));
}

// The rest compares SQL with the evaluator below, which knows no SQL.

const texts = ['a', 'A', 'b', 'ab', 'a b', 'é', 'É', 'ß', '%', '_', '1', 'true', 'null', "'"];
const text = fc.constantFrom(...texts);
const number = fc.constantFrom(0, 1, -1, 1.5, 0.1, 1e21, 1e-300);
const day = fc.constantFrom('2026-03-13', '2026-03-14', '2026-03-15');
const time = fc.constantFrom(later(-1), now, later(1));
const scalar = fc.oneof(text, number, fc.boolean());
const key = fc.constantFrom('k', 'l', 'a b');
const value = fc.oneof(
  scalar,
  fc.constant(null),
  fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 3 }),
  fc.dictionary(key, scalar, { maxKeys: 2 }),
);
const nullable = (arbitrary: fc.Arbitrary<string>) => fc.option(arbitrary, { nil: null });

const memory: fc.Arbitrary<Partial<NewMemory>> = fc.record({
  memory: fc.array(text, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')),
  user_id: nullable(text),
  agent_id: nullable(text),
  run_id: nullable(text),
  created_at: time,
  updated_at: time,
  expiration_date: nullable(day),
  categories: fc.array(text, { maxLength: 2 }),
  immutable: fc.boolean(),
  pinned: fc.boolean(),
  metadata: fc.dictionary(key, value, { maxKeys: 3 }),
});

type Operator = FilterComparison['operator'];

function comparisons(
  field: FilterComparison['field'],
  operators: Operator[],
  operand: fc.Arbitrary<FilterScalar>,
): fc.Arbitrary<Filter> {
  const many = fc.array(operand, { minLength: 1, maxLength: 3 });
  return fc
    .constantFrom(...operators)
    .chain((operator) =>
      (operator === 'in' || operator === 'nin' ? many : operand).map((operand) =>
        compare(field, operator, operator === 'exists' ? null : operand),
      ),
    );
}

const equality: Operator[] = ['eq', 'ne', 'in', 'nin', 'exists'];
const order: Operator[] = ['gt', 'gte', 'lt', 'lte'];
const parts: Operator[] = ['contains', 'icontains'];
const orNull = (arbitrary: fc.Arbitrary<FilterScalar>) =>
  fc.oneof({ weight: 5, arbitrary }, { weight: 1, arbitrary: fc.constant(null) });

const comparison: fc.Arbitrary<Filter> = fc.oneof(
  comparisons('user_id', equality, orNull(text)),
  comparisons('run_id', parts, text),
  comparisons('created_at', ['eq', 'ne', ...order], time),
  comparisons('updated_at', ['exists', ...order], time),
  comparisons('expiration_date', equality, orNull(day)),
  comparisons('expiration_date', order, day),
  comparisons('categories', equality, orNull(text)),
  comparisons('categories', parts, text),
  comparisons('text', ['eq', 'ne', ...parts], text),
  comparisons('keywords', parts, text),
  comparisons('immutable', ['eq', 'ne'], fc.boolean()),
  comparisons('pinned', ['eq', 'ne'], fc.boolean()),
  fc
    .record({
      filter: fc.oneof(
        comparisons('metadata', equality, orNull(scalar)),
        comparisons('metadata', order, scalar),
        comparisons('metadata', parts, text),
      ),
      path: fc.array(key, { minLength: 1, maxLength: 2 }),
    })
    .map(({ filter, path }) => ({ ...filter, path })),
);

const filter: fc.Arbitrary<Filter> = fc.letrec<{ tree: Filter }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    comparison,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map((none) => ({ none })),
  ),
})).tree;

describe('categories', () => {
  it('are found as they are written, and not by a part of them', async () => {
    const names = ['art', 'cart', 'say "art"', 'a\\b', 'a\nb', '["art"]', 'été 🎨', '1'];
    const find = await makeSearch(
      ...names.map((name) => ({ categories: [name] })),
      { categories: names },
      { categories: [] },
    );

    const alone = names.map((_, index) => [`${index}`, `${names.length}`]);
    const found = await Promise.all(names.map((name) => find({ categories: { in: [name] } })));
    expect(found).toEqual(alone);
    expect(await find({ categories: { in: [...names, 'x', 'y'] } })).toHaveLength(9);
    expect(await find({ categories: { in: ['art"', 'ar', 'été'] } })).toEqual([]);
    expect(await find({ NOT: [{ categories: { in: ['art'] } }] })).toHaveLength(8);
  });
});

describe('metadata', () => {
  it('distinguishes texts, numbers, booleans and null', async () => {
    const values = [1, '1', true, 'true', false, 0, null, 1.5, ['1'], { '1': 1 }];
    const find = await makeSearch(...values.map((value) => ({ metadata: { k: value } })), {});

    expect(await find({ 'metadata.k': 1 })).toEqual(['0']);
    expect(await find({ 'metadata.k': '1' })).toEqual(['1', '8']);
    expect(await find({ 'metadata.k': true })).toEqual(['2']);
    expect(await find({ 'metadata.k': { in: [0, 'true', false] } })).toEqual(['3', '4', '5']);
    expect(await find({ 'metadata.k': { eq: null } })).toEqual(['10', '6']);
    expect(await find({ 'metadata.k': { gt: 0 } })).toEqual(['0', '7']);
    expect(await find({ 'metadata.k': { gt: '0' } })).toEqual(['1', '3']);
    expect(await find({ 'metadata.k': { ne: 1 } })).toHaveLength(10);
    expect(await find({ 'metadata.k': '*' })).toHaveLength(9);
  });

  it('is equal where an item of a list is', async () => {
    const find = await makeSearch(
      { metadata: { k: ['red', 1, true, ''] } },
      { metadata: { k: [['red'], { a: 'red' }, '1'] } },
      { metadata: { k: [] } },
      { metadata: { k: '' } },
    );

    expect(await find({ 'metadata.k': 'red' })).toEqual(['0']);
    expect(await find({ 'metadata.k': { in: ['blue', 1] } })).toEqual(['0']);
    expect(await find({ 'metadata.k': true })).toEqual(['0']);
    expect(await find({ 'metadata.k': { eq: '' } })).toEqual(['0', '3']);
    expect(await find({ 'metadata.k': { ne: 'red' } })).toEqual(['1', '2', '3']);
  });

  it('contains: a list has the element, a text has the substring', async () => {
    const find = await makeSearch(
      { metadata: { k: ['red', 'blue'] } },
      { metadata: { k: 'infrared' } },
      { metadata: { k: 'RED' } },
      { metadata: { k: { red: 1 } } },
      { metadata: { k: [['red'], 1] } },
    );

    expect(await find({ 'metadata.k': { contains: 'red' } })).toEqual(['0', '1']);
    expect(await find({ 'metadata.k': { icontains: 'Red' } })).toEqual(['0', '1', '2']);
    expect(await find({ 'metadata.k': { contains: 're' } })).toEqual(['1']);
    expect(await find({ 'metadata.k': { contains: '1' } })).toEqual([]);
    expect(await find({ 'metadata.k': { icontains: '1' } })).toEqual([]);
  });

  it('is reached by path, whatever the keys look like', async () => {
    const find = await makeSearch(
      { metadata: { a: { b: { c: 'deep' } } } },
      { metadata: { 'a b': 1, 'naïve 鍵': 2, '$[0]': 3, "it's": 4, '*': 5, 'tab\there': 6 } },
      { metadata: { list: ['x'] } },
    );

    expect(await find({ 'metadata.a.b.c': 'deep' })).toEqual(['0']);
    expect(await find({ metadata: { a: { b: { c: 'deep' } } } })).toEqual(['0']);
    expect(await find({ metadata: { 'a b': 1, 'naïve 鍵': 2 } })).toEqual(['1']);
    expect(await find({ metadata: { '$[0]': 3, "it's": 4, 'tab\there': 6 } })).toEqual(['1']);
    expect(await find({ 'metadata.list.0': 'x' })).toEqual([]);
    expect(await find({ metadata: '*' })).toEqual(['0', '1', '2']);
  });

  it('compares equal numbers as equal, however they are written', async () => {
    const numbers = [0.1, 1e21, 1e-300, 123456789.123, 2 ** 53 - 1, 5e-324, 1.7e308];
    const find = await makeSearch(...numbers.map((k) => ({ metadata: { k } })));

    for (const [index, number] of numbers.entries()) {
      const id = `${index}`;
      expect(await find({ 'metadata.k': number })).toEqual([id]);
      expect(await find({ 'metadata.k': { gte: number, lte: number } })).toEqual([id]);
    }
  });
});

describe('text', () => {
  it('keywords are whole words in any case, all of them', async () => {
    const find = await makeSearch(
      { memory: 'Ann loves the Eiffel Tower in PARIS' },
      { memory: 'A comparison of towers' },
      { memory: 'Straße nach Łódź, café' },
      { memory: '私は東京タワーが好きです 🍵' },
    );

    expect(await find({ keywords: 'paris' })).toEqual(['0']);
    expect(await find({ keywords: 'tower eiffel' })).toEqual(['0']);
    expect(await find({ keywords: 'tower towers' })).toEqual([]);
    expect(await find({ keywords: { in: ['towers', 'ŁÓDŹ'] } })).toEqual(['1', '2']);
    expect(await find({ keywords: 'CAFE\u0301' })).toEqual(['2']);
    expect(await find({ keywords: '東京' })).toEqual(['3']);
    expect(await find({ keywords: '🍵' })).toEqual(['3']);
    expect(await find({ keywords: { ne: 'paris' } })).toEqual(['1', '2', '3']);
    expect(await find({ keywords: { contains: 'paris' } })).toEqual(['1']);
    expect(await find({ keywords: { icontains: 'PARIS' } })).toEqual(['0', '1']);
  });

  it('icontains ignores case in every script, contains does not', async () => {
    const find = await makeSearch({ memory: 'ΑΘΗΝΑ и МОСКВА' }, { memory: '100% \\ _under_' });

    expect(await find({ text: { icontains: 'μοσκ' } })).toEqual([]);
    expect(await find({ text: { icontains: 'москва' } })).toEqual(['0']);
    expect(await find({ text: { contains: 'москва' } })).toEqual([]);
    expect(await find({ text: { contains: '%' } })).toEqual(['1']);
    expect(await find({ text: { icontains: '_UNDER_' } })).toEqual(['1']);
    expect(await find({ text: 'ΑΘΗΝΑ и МОСКВА' })).toEqual(['0']);
  });

  it('has one spelling of letters that case writes in two', async () => {
    const find = await makeSearch({ memory: 'Was in İstanbul' }, { memory: 'HAUPTSTRASSE 5' });

    expect(await find({ text: { icontains: 'istanbul' } })).toEqual(['0']);
    expect(await find({ text: { icontains: 'İSTANBUL' } })).toEqual(['0']);
    expect(await find({ text: { icontains: 'straße' } })).toEqual(['1']);
  });

  it('is never interpreted as SQL', async () => {
    const find = await makeSearch({ memory: "x' or 1=1 --", user_id: "'; drop table memories" });

    expect(await find({ text: { contains: "' or 1=1" } })).toEqual(['0']);
    expect(await find({ user_id: "'; drop table memories" })).toEqual(['0']);
    expect(await find({ user_id: "' or '1'='1" })).toEqual([]);
    expect(await find({ metadata: { "k') or 1=1 --": 'x' } })).toEqual([]);
  });
});

it('a filter as large as the contract allows works', async () => {
  const find = await makeSearch({}, { user_id: 'bob' });
  const deep = (depth: number): Record<string, unknown> =>
    depth === 0 ? { user_id: 'ann' } : { NOT: [deep(depth - 1), { user_id: 'eve' }] };
  const ids = Array.from({ length: 1000 }, (_, index) => `u${index}`);
  const wide = Array.from({ length: 190 }, (_, index) =>
    index < 19 ? { 'metadata.k': { ne: index } } : { user_id: { ne: `u${index}` } },
  );
  const days = ids.map((_, index) => later(index * 86_400).slice(0, 10));

  expect(await find(deep(6))).toEqual(['0']);
  expect(await find({ AND: wide })).toEqual(['0', '1']);
  expect(await find({ OR: [...wide, { user_id: 'ann' }] })).toEqual(['0', '1']);
  expect(await find({ user_id: { in: [...ids.slice(1), 'bob'] } })).toEqual(['1']);
  expect(await find({ created_at: { in: days } })).toEqual(['0', '1']);
  expect(await find({ created_at: { nin: days } })).toEqual([]);
});

it('a filter with excessive lists of days is refused', async () => {
  const find = await makeSearch({});
  const days = Array.from({ length: 1000 }, (_, index) => later(index * 86_400).slice(0, 10));
  const many = Array.from({ length: 20 }, () => ({ created_at: { in: days } }));

  await expect(find({ AND: many })).rejects.toMatchObject({ code: 'invalid' });
});

it.each([
  ['keywords', (index: number) => ({ keywords: `word${index}` })],
  ['icontains', (index: number) => ({ text: { icontains: `word${index}` } })],
])('reads each text once for all conditions on %s', async (_what, condition) => {
  const memory = 'A text of ordinary length that holds none of the words and is read once. '.repeat(
    30,
  );
  const find = await makeSearch(...Array.from({ length: 1000 }, () => ({ memory })));
  const search = (count: number) => () =>
    find({ OR: Array.from({ length: count }, (_, index) => condition(index)) });

  expect(await timesAsLong(search(1), search(20))).toBeLessThan(6);
});

describe('a filter in SQL', () => {
  it('selects what the filter says', { timeout: 120_000 }, async () => {
    const { store } = await makeStore();
    let runs = 0;

    await fc.assert(
      fc.asyncProperty(
        fc.array(memory, { minLength: 1, maxLength: 12 }),
        fc.array(filter, { minLength: 1, maxLength: 12 }),
        async (memories, filters) => {
          runs += 1;
          const ref = { org_id: 'acme', project_id: `run ${runs}` };
          const project = await store.ensureProject(ref, now);
          const stored = memories.map((parts, index) => makeMemory({ ...parts, id: `${index}` }));
          await insert(store, project, ...stored);

          for (const wanted of filters) {
            const expected = stored.filter((candidate) => matches(wanted, candidate));
            expect(await search(store, project, wanted)).toEqual(idsOf(expected).sort());
            // By a statement that filters of the same shape share.
            const newest = await store.memories.listNewest(project, select(wanted), allTimes);
            expect(idsOf(newest).sort()).toEqual(idsOf(expected).sort());
          }
        },
      ),
      tries(200),
    );
  });
});

const allTimes = { from: '', to: '~', limit: 100 };

function matches(filter: Filter, memory: NewMemory): boolean {
  if ('all' in filter) return filter.all.every((member) => matches(member, memory));
  if ('any' in filter) return filter.any.some((member) => matches(member, memory));
  if ('none' in filter) return !filter.none.some((member) => matches(member, memory));
  const operands = [filter.value].flat();
  if (filter.operator === 'ne' || filter.operator === 'nin') {
    return !operands.some((operand) => holds('eq', valuesOf(filter, memory), operand));
  }
  const operator = filter.operator === 'in' ? 'eq' : filter.operator;
  return operands.some((operand) => holds(operator, valuesOf(filter, memory), operand));
}

/** What a comparison looks at: one value, or the members of a list. */
function valuesOf({ field, path }: FilterComparison, memory: NewMemory): unknown {
  if (field === 'text' || field === 'keywords') return memory.memory;
  if (field === 'categories') return new Set(memory.categories);
  if (field !== 'metadata') return memory[field];
  return path.reduce<unknown>(
    (object, key) =>
      typeof object === 'object' && object !== null && !Array.isArray(object)
        ? (object as Record<string, unknown>)[key]
        : undefined,
    memory.metadata,
  );
}

function holds(operator: Operator, value: unknown, operand: FilterScalar): boolean {
  if (value instanceof Set) return holdsName(operator, [...value].map(String), operand);
  if (operator === 'exists') return value !== null && value !== undefined;
  if (operator === 'eq' && Array.isArray(value)) return value.includes(operand);
  if (operator === 'eq') return (value ?? null) === operand;
  if (operator === 'contains') return hasPart(value, String(operand), (text) => text);
  if (operator === 'icontains')
    return hasPart(value, String(operand), (text) => text.toLowerCase());
  if (typeof value !== typeof operand) return false;
  if (typeof value === 'number') return inOrder(operator, value - Number(operand));
  if (typeof value !== 'string') return false;
  return inOrder(operator, Buffer.compare(Buffer.from(value), Buffer.from(String(operand))));
}

function holdsName(operator: Operator, names: string[], operand: FilterScalar): boolean {
  if (operator === 'exists') return names.length > 0;
  if (operand === null) return names.length === 0;
  if (operator === 'eq') return names.includes(String(operand));
  const part = String(operand).toLowerCase();
  return names.some((name) => name.toLowerCase().includes(part));
}

function hasPart(value: unknown, part: string, fold: (text: string) => string): boolean {
  if (Array.isArray(value)) {
    return value.some((item) => typeof item === 'string' && fold(item) === fold(part));
  }
  return typeof value === 'string' && fold(value).includes(fold(part));
}

function inOrder(operator: Operator, difference: number): boolean {
  if (operator === 'gt') return difference > 0;
  if (operator === 'gte') return difference >= 0;
  return operator === 'lt' ? difference < 0 : difference <= 0;
}
