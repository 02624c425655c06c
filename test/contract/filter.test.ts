import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  matchesEverything,
  mentionedFields,
  parseFilter,
} from '../../src/contract/schemas/filter.ts';
import { FilterError } from '../../src/contract/schemas/filter-value.ts';
import { tries } from '../support/rounds.ts';

const eq = (field: string, value: unknown) => ({ field, path: [], operator: 'eq', value });

describe('the filter language', () => {
  it('ANDs the keys of a flat object and its sibling groups', () => {
    expect(parseFilter({ user_id: 'a', OR: [{ run_id: 'b' }, { run_id: 'c' }] })).toEqual({
      all: [eq('user_id', 'a'), { any: [eq('run_id', 'b'), eq('run_id', 'c')] }],
    });
  });

  it('reads NOT over an object and over an array', () => {
    expect(parseFilter({ NOT: { user_id: 'a' } })).toEqual({ none: [eq('user_id', 'a')] });
    expect(parseFilter({ NOT: [{ user_id: 'a' }, { run_id: 'b' }] })).toEqual({
      none: [eq('user_id', 'a'), eq('run_id', 'b')],
    });
  });

  it('widens a bare date to the day it names', () => {
    const at = (operator: string, value: string) => ({ ...eq('created_at', value), operator });

    expect(parseFilter({ created_at: { gte: '2026-01-01', lte: '2026-01-31' } })).toEqual({
      all: [at('gte', '2026-01-01T00:00:00.000Z'), at('lt', '2026-02-01T00:00:00.000Z')],
    });
    expect(parseFilter({ created_at: { gt: '2026-01-01' } })).toEqual(
      at('gte', '2026-01-02T00:00:00.000Z'),
    );
  });

  it('reads a time with any offset as UTC', () => {
    expect(parseFilter({ updated_at: { lt: '2026-01-01T01:30:00+02:00' } })).toMatchObject({
      value: '2025-12-31T23:30:00.000Z',
    });
  });

  it('reads metadata by nested key and by dotted name alike', () => {
    const nested = parseFilter({ metadata: { trip: { city: { icontains: 'lis' } } } });

    expect(nested).toEqual(parseFilter({ 'metadata.trip.city': { icontains: 'lis' } }));
    expect(nested).toMatchObject({ path: ['trip', 'city'], operator: 'icontains' });
  });

  it('reads a star as any value and a list as one of', () => {
    expect(parseFilter({ agent_id: '*' })).toMatchObject({ operator: 'exists' });
    expect(parseFilter({ agent_id: { '*': true } })).toMatchObject({ operator: 'exists' });
    expect(parseFilter({ agent_id: ['x', 'y'] })).toMatchObject({ operator: 'in' });
  });

  it('looks inside texts and metadata a limited number of times, and says where', () => {
    const scans: [string, (index: number) => Record<string, unknown>][] = [
      ['keywords', (index) => ({ keywords: `w${index}` })],
      ['text', (index) => ({ text: { icontains: `w${index}` } })],
      ['user_id', (index) => ({ user_id: { contains: `w${index}` } })],
      ['metadata.k', (index) => ({ 'metadata.k': index })],
    ];
    for (const [field, scan] of scans) {
      const filter = (count: number) => ({ NOT: Array.from({ length: count }, (_, k) => scan(k)) });

      expect(() => parseFilter(filter(20))).not.toThrow();
      expect(() => parseFilter(filter(21))).toThrow(`21, the last on ${field}); at most 20`);
    }
    const words = Array.from({ length: 21 }, (_, index) => `w${index}`);
    const metadata = Object.fromEntries(words.map((word) => [word, 1]));
    expect(() => parseFilter({ keywords: { in: words } })).toThrow('at most 20');
    expect(() => parseFilter({ metadata })).toThrow('at most 20');
    expect(() =>
      parseFilter({ 'metadata.k': { in: words }, user_id: { in: words } }),
    ).not.toThrow();
  });

  it('knows the camel-case names that clients send', () => {
    expect(parseFilter({ userId: 'a' })).toEqual(eq('user_id', 'a'));
    expect(mentionedFields({ AND: [{ NOT: { runId: 'x' } }, { userId: 'a' }] })).toEqual(
      new Set(['run_id', 'user_id']),
    );
  });

  it('knows when it matches everything', () => {
    expect(matchesEverything(parseFilter({}))).toBe(true);
    expect(matchesEverything(parseFilter({ user_id: 'a' }))).toBe(false);
  });

  it.each([
    ['an unknown field', { usr_id: 'a' }, 'user_id'],
    ['a name from the prototype', { constructor: 'a' }, 'unknown field'],
    ['an unknown operator', { user_id: { like: 'a' } }, 'icontains'],
    ['an operator from the prototype', { user_id: { toString: 'a' } }, 'unknown operator'],
    ['an operator that does not fit', { immutable: { gt: true } }, 'ne'],
    ['a star that does not fit', { keywords: '*' }, 'cannot be used on'],
    ['an empty operator object', { user_id: {} }, 'no operator'],
    ['an empty group', { AND: [] }, 'AND'],
    ['an empty condition in a group', { OR: [{ user_id: 'a' }, {}] }, 'OR'],
    ['a condition that is no object', { AND: ['a'] }, 'object'],
    ['a date that is none', { created_at: { gte: 'soon' } }, 'YYYY-MM-DD'],
    ['a day that does not exist', { created_at: '2026-13-40' }, 'YYYY-MM-DD'],
    ['a day that its month does not have', { created_at: '2026-02-30' }, 'YYYY-MM-DD'],
    ['a flag that is none', { immutable: 'maybe' }, 'true or false'],
    ['a list of flags', { pinned: { in: [true] } }, 'eq, ne'],
    ['a value of a wrong type', { text: { contains: 7 } }, 'text value'],
    ['an empty list', { user_id: { in: [] } }, 'list'],
    ['a metadata key with a quote', { metadata: { 'a"b': 1 } }, 'metadata'],
    ['__proto__', JSON.parse('{"metadata":{"__proto__":1}}'), 'metadata'],
  ])('refuses %s and says what is allowed', (_what, wire, named) => {
    expect(() => parseFilter(wire)).toThrow(FilterError);
    expect(() => parseFilter(wire)).toThrow(named);
  });

  it('reads or refuses anything, and never fails otherwise', () => {
    const key = fc.oneof(
      fc.constantFrom('AND', 'OR', 'NOT', 'user_id', 'created_at', 'metadata', 'in', 'gte', '*'),
      fc.string(),
    );
    const tree = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'medium' },
        fc.jsonValue(),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(key, tie('node'), { maxKeys: 3 }),
      ),
    })).node;

    fc.assert(
      fc.property(tree, (wire) => {
        try {
          parseFilter(wire);
        } catch (error) {
          if (!(error instanceof FilterError)) throw error;
        }
      }),
      tries(2_000),
    );
  });
});
