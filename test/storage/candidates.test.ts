import { describe, expect, it } from 'vitest';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import { bm25 } from '../../src/core/bm25.ts';
import type { ProjectRef, Store, TimeRange } from '../../src/core/ports/index.ts';
import { later, makeMemory, now } from './memory.ts';
import { compare, everything, idsOf, insert, makeStore, ofUser, select } from './support.ts';

function search(store: Store, project: ProjectRef, filter: Filter, ...terms: string[]) {
  return store.memories.listCandidates(project, select(filter), {
    terms: terms.map((term) => [term]),
    bm25,
    limit: 10,
  });
}

describe('candidates', () => {
  it('contain one of the terms, most likely first', async () => {
    const { store, project } = await makeStore();
    await insert(
      store,
      project,
      makeMemory({ id: 'one', memory: 'lives in london' }),
      makeMemory({ id: 'both', memory: 'lives in paris' }),
      makeMemory({ id: 'none', memory: 'likes tea' }),
      ...Array.from({ length: 5 }, () => makeMemory({ memory: 'something else' })),
    );

    const found = await search(store, project, everything, 'lives', 'paris');

    expect(idsOf(found)).toEqual(['both', 'one']);
  });

  it('have what ranking needs', async () => {
    const { store, project } = await makeStore();
    const known = {
      id: 'm1',
      user_id: 'ann',
      agent_id: null,
      app_id: null,
      run_id: 'r1',
      terms: 'like tea',
      speaker_terms: 'ann',
      role: 'user',
      created_at: now,
      occurred_at: later(-9),
      occurred_granularity: 'day' as const,
      valid_until: null,
      may_replace: ['m0'],
    };
    await insert(store, project, makeMemory(known));

    const [found] = await search(store, project, everything, 'tea');

    expect({ ...found }).toStrictEqual({ ...known, position: 1, run_position: 1, asks: false });
  });

  it('tell whether somebody asks something', async () => {
    const { store, project } = await makeStore();
    const asked = { terms: 'tea', speaker_terms: 'ann' };
    await insert(
      store,
      project,
      makeMemory({ ...asked, id: 'asked', memory: 'Tea? I have some.' }),
      makeMemory({ ...asked, id: 'asked in Chinese', memory: '喝茶吗？' }),
      makeMemory({ ...asked, id: 'told', memory: 'Tea, please' }),
      makeMemory({ ...asked, id: 'of nobody', memory: 'Tea?', speaker_terms: '' }),
    );

    const found = await search(store, project, everything, 'tea');

    expect(idsOf(found.filter(({ asks }) => asks)).sort()).toEqual(['asked', 'asked in Chinese']);
  });

  it('are found by who said them', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1', speaker_terms: 'caroline' }));

    expect(idsOf(await search(store, project, everything, 'caroline'))).toEqual(['m1']);
  });

  it('are found by words of any script', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1', terms: 'straße 記憶 مقهى 🍵' }));

    for (const term of ['straße', '記憶', 'مقهى', '🍵']) {
      expect(idsOf(await search(store, project, everything, term))).toEqual(['m1']);
    }
  });

  it('number at most the limit', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, ...Array.from({ length: 20 }, () => makeMemory()));

    const found = await store.memories.listCandidates(project, select(), {
      terms: [['tea']],
      bm25,
      limit: 7,
    });

    expect(found).toHaveLength(7);
  });

  it('stay in their project and entity', async () => {
    const { store, project, other } = await makeStore();
    await insert(store, project, makeMemory({ id: 'ann' }));
    await insert(store, project, makeMemory({ id: 'bob', user_id: 'bob' }));
    await insert(store, project, makeMemory({ id: 'agent', user_id: null, agent_id: 'ann' }));
    await insert(store, other, makeMemory({ id: 'other' }));

    expect(idsOf(await search(store, project, ofUser('ann'), 'tea'))).toEqual(['ann']);
    expect(idsOf(await search(store, project, ofUser('bob'), 'tea'))).toEqual(['bob']);
    expect(idsOf(await search(store, other, ofUser('ann'), 'tea'))).toEqual(['other']);
    expect(await search(store, project, everything, 'tea')).toHaveLength(3);
    expect(await search(store, other, ofUser('bob'), 'tea')).toEqual([]);
  });

  it('belong to every entity that the filter names', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1', run_id: 'r1' }));
    await insert(store, project, makeMemory({ id: 'm2', run_id: 'r2' }));
    await insert(store, project, makeMemory({ id: 'm3', user_id: 'bob', run_id: 'r1' }));
    const run = compare('run_id', 'eq', 'r1');
    const people = compare('user_id', 'in', ['ann', 'bob', 'unknown']);

    const both = await search(store, project, { all: [ofUser('ann'), { all: [run] }] }, 'tea');
    const either = await search(store, project, { all: [people, run] }, 'tea');
    const contrary = await search(store, project, { all: [ofUser('ann'), ofUser('bob')] }, 'tea');

    expect(idsOf(both)).toEqual(['m1']);
    expect(idsOf(either).sort()).toEqual(['m1', 'm3']);
    expect(contrary).toEqual([]);
  });

  it('match filters that are not part of the scope', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'ann', metadata: { mood: 'good' } }));
    await insert(store, project, makeMemory({ id: 'bob', user_id: 'bob' }));
    await insert(store, project, makeMemory({ id: 'eve', user_id: 'eve' }));

    const either = { any: [ofUser('ann'), ofUser('bob')] };
    const neither = { none: [ofUser('ann')] };
    const good = { ...compare('metadata', 'eq', 'good'), path: ['mood'] };

    expect(idsOf(await search(store, project, either, 'tea')).sort()).toEqual(['ann', 'bob']);
    expect(idsOf(await search(store, project, neither, 'tea')).sort()).toEqual(['bob', 'eve']);
    expect(idsOf(await search(store, project, good, 'tea'))).toEqual(['ann']);
  });

  it('leave out what is merged or expired', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'merged', replaced_by: 'm1' }));
    await insert(store, project, makeMemory({ id: 'expired', expiration_date: '2026-03-13' }));
    await insert(store, project, makeMemory({ id: 'm1' }));

    const found = await store.memories.listCandidates(
      project,
      select(everything, { latest_only: true, not_expired_on: '2026-03-14' }),
      { terms: [['tea']], bm25, limit: 10 },
    );

    expect(idsOf(found)).toEqual(['m1']);
  });
});

describe('places in a run', () => {
  const all = [1, 2, 3, 4].map((place) => ({ run_id: 'r1', run_position: place }));

  it('count its memories, even after some of them are deleted', async () => {
    const { store, project } = await makeStore();
    const [one, two] = ['one', 'two'].map((id) => makeMemory({ id, run_id: 'r1' }));
    await insert(store, project, ...[one, two].filter((memory) => memory !== undefined));
    await store.transaction((tx) => tx.memories.delete(project, ['one']));
    await insert(store, project, makeMemory({ id: 'three', run_id: 'r1' }));

    const found = await store.memories.listByRunPlaces(project, select(), all);

    expect(found.map(({ id, run_position }) => ({ id, run_position }))).toEqual([
      { id: 'two', run_position: 2 },
      { id: 'three', run_position: 3 },
    ]);
  });

  it('are of that project, run and selection only', async () => {
    const { store, project, other } = await makeStore();
    await insert(store, project, makeMemory({ id: 'mine', run_id: 'r1' }));
    await insert(store, project, makeMemory({ id: 'bob', run_id: 'r1', user_id: 'bob' }));
    await insert(store, project, makeMemory({ id: 'elsewhere', run_id: 'r2' }));
    await insert(store, project, makeMemory({ id: 'nowhere' }));
    await insert(store, other, makeMemory({ id: 'foreign', run_id: 'r1' }));

    expect(
      idsOf(await store.memories.listByRunPlaces(project, select(ofUser('ann')), all)),
    ).toEqual(['mine']);
    expect(idsOf(await store.memories.listByRunPlaces(other, select(), all))).toEqual(['foreign']);
    expect(await store.memories.listByRunPlaces(project, select(), [])).toEqual([]);
  });
});

describe('the newest', () => {
  it('of a selection come first, and no more than asked for', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'new', created_at: later(9) }));
    await insert(store, project, makeMemory({ id: 'newer', created_at: later(10) }));
    await insert(store, project, makeMemory({ id: 'old' }));
    await insert(store, project, makeMemory({ id: 'bob', user_id: 'bob', created_at: later(11) }));

    const newest = (from: string, to: string) =>
      store.memories.listNewest(project, select(ofUser('ann')), { from, to, limit: 2 });

    expect(idsOf(await newest(now, later(11)))).toEqual(['newer', 'new']);
    expect(idsOf(await newest(now, later(10)))).toEqual(['new', 'old']);
    expect(idsOf(await newest(later(10), later(11)))).toEqual(['newer']);
  });
});

describe('what happens', () => {
  it('on some days comes last first, of the selection, and no more than asked for', async () => {
    const { store, project, other } = await makeStore();
    const put = (id: string, day: string, parts = {}) =>
      makeMemory({ id, occurred_at: `2026-05-${day}T00:00:00.000Z`, ...parts });
    await insert(store, project, put('first', '01'), put('second', '02'), put('third', '03'));
    await insert(store, project, put('after', '04'), makeMemory({ id: 'undated' }));
    await insert(store, project, put('bob', '02', { user_id: 'bob' }));
    await insert(store, other, put('foreign', '02'));
    const days = { from: '2026-05-01T00:00:00.000Z', to: '2026-05-04T00:00:00.000Z' };
    const happening = async (filter: Filter, limit: number) =>
      idsOf(await store.memories.listByOccurrence(project, select(filter), { ...days, limit }));

    expect(await happening(ofUser('ann'), 9)).toEqual(['third', 'second', 'first']);
    expect(await happening(ofUser('ann'), 1)).toEqual(['third']);
    expect(await happening(compare('id', 'ne', 'third'), 9)).toEqual(['bob', 'second', 'first']);
  });
});

describe('the index', () => {
  it('follows a change of text', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1', run_id: 'r1', speaker_terms: 'ann' }));

    await store.transaction((tx) =>
      tx.memories.update(project, 'm1', {
        memory: 'likes coffee',
        terms: 'likes coffee',
        updated_at: later(1),
      }),
    );

    const run = compare('run_id', 'eq', 'r1');
    expect(await search(store, project, everything, 'tea')).toEqual([]);
    expect(idsOf(await search(store, project, everything, 'coffee'))).toEqual(['m1']);
    expect(idsOf(await search(store, project, ofUser('ann'), 'coffee'))).toEqual(['m1']);
    expect(idsOf(await search(store, project, run, 'coffee'))).toEqual(['m1']);
    expect(idsOf(await search(store, project, everything, 'ann'))).toEqual(['m1']);
  });

  it('omits what is deleted', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1' }), makeMemory({ id: 'm2' }));

    await store.transaction((tx) => tx.memories.delete(project, ['m1']));

    expect(idsOf(await search(store, project, everything, 'tea'))).toEqual(['m2']);
  });

  it('does not mistake a new entity for a deleted one of the same name', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'left over', user_id: 'ann' }));
    await store.transaction((tx) => tx.entities.delete(project, 'user', 'ann'));
    await insert(store, project, makeMemory({ id: 'bobs', user_id: 'bob' }));

    expect(idsOf(await search(store, project, ofUser('bob'), 'tea'))).toEqual(['bobs']);
  });
});

describe('search syntax in a term', () => {
  const hostile = [
    '"',
    '""',
    '"tea"',
    'te*',
    '*',
    'tea OR',
    'NEAR(',
    'NEAR(tea likes)',
    '(',
    ')',
    '{terms}',
    'scope:p1',
    'terms : tea',
    '^tea',
    '-tea',
    '+',
    "'",
    ';',
    '\\',
    '',
    ' ',
    '\n',
    'a"b',
    '\0',
    "tea' OR 1=1 --",
    'tea"',
    '\ud800',
    ':',
    '%',
    '_',
    'tea,likes',
    'tea.',
  ];

  it.each(hostile)('%j finds nothing and breaks nothing', async (term) => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1' }), makeMemory({ id: 'm2', user_id: 'b' }));

    expect(await search(store, project, ofUser('ann'), term)).toEqual([]);
    expect(idsOf(await search(store, project, ofUser('ann'), term, 'tea'))).toEqual(['m1']);
  });

  it.each(['AND', 'OR', 'NOT', 'NEAR', 'and'])('%j is a word like any other', async (term) => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1', terms: 'salt and or not near pepper' }));
    await insert(store, project, makeMemory({ id: 'm2' }));

    expect(idsOf(await search(store, project, everything, term))).toEqual(['m1']);
  });

  it('does not reach the tokens of the scope', async () => {
    const { store, project } = await makeStore();
    await insert(store, project, makeMemory({ id: 'm1' }));

    expect(await search(store, project, everything, `p${project.key}`, 'e1', 'scope')).toEqual([]);
  });
});

it('a query of a thousand terms is answered', async () => {
  const { store, project } = await makeStore();
  await insert(store, project, makeMemory({ id: 'm1', created_at: now }));
  const terms = Array.from({ length: 1000 }, (_, index) => `w${index}`);

  expect(idsOf(await search(store, project, everything, ...terms, 'tea'))).toEqual(['m1']);
});

describe('candidates among more memories with a word than are read', () => {
  const many = 6000;

  async function makeLargeStore() {
    const { store, project } = await makeStore();
    const rare = makeMemory({ id: 'rare', terms: 'green tea lisbon', user_id: 'bob' });
    const both = makeMemory({ id: 'both', terms: 'green tea', user_id: 'bob' });
    const others = Array.from({ length: many }, (_, at) =>
      makeMemory({ terms: at % 40 === 0 ? 'green door' : 'tea' }),
    );
    await insert(store, project, rare, both, ...others);
    return { store, project };
  }

  it('include old ones with rarer words as well, before all others', async () => {
    const { store, project } = await makeLargeStore();

    const found = await search(store, project, everything, 'tea', 'green', 'lisbon');

    expect(idsOf(found).slice(0, 2)).toEqual(['rare', 'both']);
    expect(found).toHaveLength(10);
  });

  it('are all that pass a filter, however old', async () => {
    const { store, project } = await makeLargeStore();
    const ofBob = { none: [compare('user_id', 'ne', 'bob')] };

    expect(idsOf(await search(store, project, ofBob, 'tea')).sort()).toEqual(['both', 'rare']);
  });
});

describe('candidates among more than are scanned directly', () => {
  const many = Array.from({ length: 3100 }, (_, index) =>
    makeMemory({ id: `m${index}`, memory: `Fact ${index}`, terms: `fact ${index} tea` }),
  );

  it("are the project's own, whether others have memories or not", async () => {
    const { store, project, other } = await makeStore();
    await insert(store, project, ...many);
    const alone = await search(store, project, everything, 'tea', '42');

    await insert(store, other, makeMemory({ id: 'theirs', terms: 'tea 42' }));
    const beside = await search(store, project, everything, 'tea', '42');

    expect(idsOf(alone)[0]).toBe('m42');
    expect(idsOf(beside)).toEqual(idsOf(alone));
    expect(idsOf(await search(store, other, everything, 'tea', '42'))).toEqual(['theirs']);
  });

  it('include those of its parts, each up to its own limit', async () => {
    const { store, project } = await makeStore();
    const late = makeMemory({ id: 'late', terms: 'tea', created_at: later(60) });
    const other = makeMemory({ id: 'other', terms: 'milk', created_at: later(60) });
    const latest = makeMemory({ id: 'latest', terms: '42', created_at: later(90) });
    await insert(store, project, late, other, latest, ...many);
    const at = (seconds: number) => ({ from: later(seconds), to: later(seconds + 1) });
    const find = async (...timeRanges: TimeRange[]) => {
      const parts = [{ timeRanges, limit: 5 }];
      const query = { terms: [['tea'], ['42']], bm25, limit: 2, parts };
      return idsOf(await store.memories.listCandidates(project, select(), query));
    };

    expect((await find(at(60))).slice(0, 2)).toEqual(['latest', 'm42']);
    expect((await find(at(60))).slice(2)).toEqual(['late']);
    expect((await find(at(60), at(90))).slice(2).sort()).toEqual(['late', 'latest']);
    expect((await find(at(61))).slice(2)).toEqual([]);
  });

  it('include those of large parts, of the selection and of no other time', async () => {
    const { store, project } = await makeStore();
    const before = many.map((memory) => ({
      ...memory,
      id: `old-${memory.id}`,
      user_id: 'bob',
      created_at: later(-90),
    }));
    await insert(store, project, ...many, ...before);
    const timeRanges = [{ from: later(-90), to: later(-89) }];
    const find = async (filter: Filter, terms: string[][]) => {
      const query = { terms, bm25, limit: 2, parts: [{ timeRanges, limit: 5 }] };
      return idsOf(await store.memories.listCandidates(project, select(filter), query)).slice(2);
    };

    const found = await find(everything, [['tea'], ['42']]);
    expect(found[0]).toBe('old-m42');
    expect(found).toHaveLength(5);
    expect(found.every((id) => id.startsWith('old-'))).toBe(true);
    expect(await find(ofUser('ann'), [['tea'], ['42']])).toEqual([]);
  });
});
