import { describe, expect, it } from 'vitest';
import { mayContainEntity } from '../../src/core/export/affected-exports.ts';

const alice = { type: 'user', id: 'alice' } as const;
const nobody = { user_id: null, agent_id: null, app_id: null, run_id: null, filters: null };

describe('an export may tell of an entity', () => {
  it.each([
    ['everything', nobody],
    ['the entity itself', { ...nobody, user_id: 'alice' }],
    ['one of another type', { ...nobody, agent_id: 'alice' }],
  ])('when it is of %s', (_what, record) => {
    expect(mayContainEntity(record, alice)).toBe(true);
  });

  it.each<[Record<string, unknown>]>([
    [{ user_id: 'alice' }],
    [{ user_id: { in: ['bob', 'alice'] } }],
    [{ user_id: '*' }],
    [{ user_id: { ne: 'bob' } }],
    [{ user_id: { nin: ['bob'] } }],
    [{ user_id: { contains: 'lic' } }],
    [{ user_id: { icontains: 'bob' } }],
    [{ agent_id: 'bob' }],
    [{ keywords: 'tea' }],
    [{ OR: [{ user_id: 'bob' }, { agent_id: 'helper' }] }],
    [{ NOT: { user_id: 'bob' } }],
    [{ NOT: { user_id: 'alice', keywords: 'tea' } }],
    [{ AND: [{ user_id: 'alice' }, { agent_id: 'helper' }] }],
  ])('when its filter is %j', (filters) => {
    expect(mayContainEntity({ ...nobody, filters }, alice)).toBe(true);
  });
});

describe('an export tells of no entity', () => {
  it('beside one of the same type that it names', () => {
    expect(mayContainEntity({ ...nobody, user_id: 'bob' }, alice)).toBe(false);
  });

  it.each<[Record<string, unknown>]>([
    [{ user_id: 'bob' }],
    [{ user_id: { in: ['bob', 'eve'] } }],
    [{ user_id: { ne: 'alice' } }],
    [{ user_id: { nin: ['bob', 'alice'] } }],
    [{ user_id: { eq: null } }],
    [{ user_id: { contains: 'Lic' } }],
    [{ AND: [{ keywords: 'tea' }, { user_id: 'bob' }] }],
    [{ OR: [{ user_id: 'bob' }, { user_id: 'eve', keywords: 'tea' }] }],
    [{ NOT: [{ keywords: 'tea' }, { user_id: 'alice' }] }],
    [{ NOT: { user_id: '*' } }],
    [{ NOT: { NOT: { user_id: 'bob' } } }],
  ])('that its filter %j leaves out', (filters) => {
    expect(mayContainEntity({ ...nobody, filters }, alice)).toBe(false);
  });
});
