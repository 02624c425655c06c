import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract.ts';
import { exportProject } from '../../src/core/archive/export-project.ts';
import type { Decision, Extractor } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { exported, importInto, textOf } from './archive-lines.ts';

const plain: Decision = {
  event: 'ADD',
  text: '',
  target: null,
  message: 0,
  reason: null,
  type: null,
  slot: null,
  occurred: null,
  said: null,
};

let engine: Engine;
let decisions: Partial<Decision>[];

beforeEach(async () => {
  const extract: Extractor['extract'] = async () => {
    const made = decisions.map((decision) => ({ ...plain, ...decision }));
    return { decisions: made, by: 'rules', notice: null, cost: null };
  };
  engine = await startEngine({ extractor: { extract } });
});
afterEach(() => engine.stop());

function invoke<N extends OperationName>(name: N, input: Record<string, unknown>) {
  return engine.invoke(name, input, { caller: owner });
}

async function add(text: string, user_id = 'ann'): Promise<string> {
  const { results } = await invoke('add_memory', { text, user_id });
  engine.clock.advance(1000);
  return results[0]?.id ?? '';
}

/** Adds what comes to this decision. */
async function decide(decision: Partial<Decision>) {
  decisions = [decision];
  const messages = [{ role: 'user', content: 'Something was said.' }];
  const answer = await invoke('add_memory', { messages, user_id: 'ann', async_mode: false });
  engine.clock.advance(1000);
  return { ...answer, result: answer.results[0] };
}

/** The older memory, and the newer one that may replace it. */
async function makePair() {
  const old = await add('User lives in Ghent');
  const { result } = await decide({ text: 'User lives in Hull', may_replace: [old] });
  return { old, id: result?.id ?? '' };
}

async function shownOf(memory_id: string, more: Record<string, unknown> = {}) {
  return (await invoke('get_memory', { memory_id, ...more })).may_replace;
}

describe('an add that may contradict older memories', () => {
  it('says so, and both stay', async () => {
    const old = await add('User lives in Ghent');

    const { result, event_id } = await decide({ text: 'User lives in Hull', may_replace: [old] });

    const meant = `${old.slice(-8)}: User lives in Ghent`;
    const reason = `may contradict ${meant}; update_memory or delete_memory decides`;
    expect(result).toMatchObject({ event: 'ADD', may_replace: [old], reason });
    const { results } = await invoke('get_memories', { user_id: 'ann' });
    expect(results.map(({ memory, may_replace }) => [memory, may_replace])).toEqual([
      ['User lives in Hull', [old]],
      ['User lives in Ghent', undefined],
    ]);
    expect((await invoke('get_event', { event_id })).results).toMatchObject([{ reason }]);
  });

  it('names several, each by the beginning of its text', async () => {
    const long = await add(`Ghent ${'and so on '.repeat(20)}`);
    const short = await add('User rents\na flat');

    const { result } = await decide({ text: 'User lives in Hull', may_replace: [long, short] });

    expect(result?.reason).toBe(
      `may contradict ${long.slice(-8)}: ${`Ghent ${'and so on '.repeat(20)}`.slice(0, 59)}…; ` +
        `${short.slice(-8)}: User rents a flat; update_memory or delete_memory decides`,
    );
  });

  it('names nothing that is gone, waits or belongs to somebody else', async () => {
    const [gone, others] = [await add('User lives in Ghent'), await add('Lives in Ghent', 'bob')];
    await invoke('delete_memory', { memory_id: gone });

    const { result } = await decide({ text: 'User lives in Hull', may_replace: [gone, others] });

    expect(result).toMatchObject({ event: 'ADD' });
    expect(result).not.toHaveProperty('may_replace');
    expect(result).not.toHaveProperty('reason');
  });

  it('says it beside the reason of an update, of which the target is not meant', async () => {
    const [target, old] = [await add('User lives somewhere'), await add('User lives in Ghent')];

    const { result } = await decide({
      event: 'UPDATE',
      target,
      text: 'User lives in Hull',
      reason: 'more exact',
      may_replace: [target, old],
    });

    expect(result).toMatchObject({ id: target, event: 'UPDATE', may_replace: [old] });
    expect(result?.reason).toMatch(/^more exact; may contradict /);
    expect(await shownOf(target)).toEqual([old]);
  });

  it('leaves nothing of the older text in its event once that is erased', async () => {
    const { old, id } = await makePair();
    const { event_id } = await decide({ text: 'User lives in Rome', may_replace: [old, id] });

    await invoke('erase_memories', { memory_ids: [old] });

    const { results: events } = await invoke('list_events', {});
    expect(JSON.stringify(events)).not.toContain('Ghent');
    expect(JSON.stringify(await invoke('get_event', { event_id }))).not.toContain('Ghent');
  });
});

describe('a memory says what it may replace', () => {
  const changes: [string, (old: string) => Promise<unknown>][] = [
    ['deleted', (memory_id) => invoke('delete_memory', { memory_id })],
    ['edited', (memory_id) => invoke('update_memory', { memory_id, text: 'User left Ghent' })],
    ['confirmed', (memory_id) => invoke('update_memory', { memory_id, metadata: { sure: 1 } })],
  ];
  it.each(changes)('until the older one is %s', async (_, change) => {
    const { old, id } = await makePair();
    expect(await shownOf(id)).toEqual([old]);

    await change(old);

    expect(await invoke('get_memory', { memory_id: id })).not.toHaveProperty('may_replace');
    await invoke('update_memory', { memory_id: id, pinned: true });
    expect(await shownOf(id)).toBeUndefined();
  });

  it('until its own text is edited, and again once that is undone', async () => {
    const { old, id } = await makePair();
    await invoke('update_memory', { memory_id: id, pinned: true });
    expect(await shownOf(id)).toEqual([old]);
    const before = engine.clock.now();
    engine.clock.advance(1000);

    const edited = await invoke('update_memory', { memory_id: id, text: 'User moved to Hull' });

    expect(edited).not.toHaveProperty('may_replace');
    expect(await shownOf(id)).toBeUndefined();
    expect(await shownOf(id, { as_of: before })).toEqual([old]);
    engine.clock.advance(1000);
    await invoke('undo_changes', { memory_id: id });
    expect(await shownOf(id)).toEqual([old]);
  });

  it('in each version, as it was stored then', async () => {
    const { old, id } = await makePair();
    await invoke('update_memory', { memory_id: id, pinned: true });
    engine.clock.advance(1000);
    await invoke('update_memory', { memory_id: id, text: 'User moved to Hull' });

    const { results } = await invoke('get_versions', { memory_id: id });

    expect(results.map(({ may_replace }) => may_replace)).toEqual([[old], [old], undefined]);
  });

  it('while it waits for a review, and once that accepts it', async () => {
    const old = await add('User lives in Ghent');
    const { org_id, project_id } = engine.projects.own;
    await invoke('update_project', { org_id, project_id, review: 'all' });
    const { result } = await decide({ text: 'User lives in Hull', may_replace: [old] });
    const memory_id = result?.id ?? '';

    const { results: waiting } = await invoke('list_reviews', {});
    await invoke('review_memory', { memory_id, decision: 'accept' });

    expect(waiting).toMatchObject([{ id: memory_id, may_replace: [old] }]);
    expect(await shownOf(memory_id)).toEqual([old]);
  });

  it('not if only other fields are asked for', async () => {
    await makePair();
    const input = { user_id: 'ann', fields: ['memory'] };
    const { results } = await invoke('get_memories', input);
    expect(results.filter((one) => 'may_replace' in one)).toEqual([]);
  });

  it('where it is imported, and lines without it are as before', async () => {
    const { old, id } = await makePair();
    const lines = await exported(engine);
    const other = await startEngine();
    await importInto(other, textOf(lines));
    const there = await other.invoke('get_memory', { memory_id: id }, { caller: owner });
    await other.stop();

    const named = lines.filter((line) => 'may_replace' in line);
    expect(named).toMatchObject([{ kind: 'memory', id, may_replace: [old] }]);
    expect(there.may_replace).toEqual([old]);
  });

  it('in an export of an earlier time, though it was settled since', async () => {
    const { old, id } = await makePair();
    const as_of = engine.clock.now();
    engine.clock.advance(1000);
    await invoke('update_memory', { memory_id: id, text: 'User moved to Hull' });
    const { project_id } = engine.projects.own;
    const project = await engine.store.projects.find({ project_id });
    if (project === null) throw new Error('the project is missing');

    const past = { as_of, valid_at: null };
    const lines: object[] = [];
    for await (const line of exportProject(engine.deps, { project, ids: {}, past })) {
      lines.push(line);
    }

    const named = lines.filter((line) => 'may_replace' in line);
    expect(named).toMatchObject([{ kind: 'memory', id, may_replace: [old] }]);
  });
});

describe('of two memories of which one may replace the other', () => {
  /** The older one has more of the words of the question. */
  async function makeUnevenPair() {
    const old = await add('The rent of the flat in Ghent is 900 euros');
    const { result } = await decide({ text: 'The flat costs 1100 now', may_replace: [old] });
    await add('The flat has two rooms');
    return { old, id: result?.id ?? '' };
  }
  const query = 'What is the rent of the flat in Ghent?';

  it('a search has the newer one first, with the score of the older one, and keeps both', async () => {
    const { old, id } = await makeUnevenPair();

    const { results } = await invoke('search_memories', { query, user_id: 'ann', threshold: 0 });

    expect(results.slice(0, 2)).toMatchObject([
      { id, score: results[1]?.score, may_replace: [old] },
      { id: old },
    ]);
    expect(new Set(results.map((one) => one.id)).size).toBe(results.length);
  });

  it('a question about the past and one after a decision have the better one first', async () => {
    const { old, id } = await makeUnevenPair();
    const first = async (asked: string) => {
      const { results } = await invoke('search_memories', { query: asked, user_id: 'ann' });
      return results[0]?.id;
    };
    expect(await first(query)).toBe(id);
    expect(await first('What was the former rent of the flat in Ghent?')).toBe(old);
    await invoke('update_memory', { memory_id: old, metadata: { sure: 1 } });
    expect(await first(query)).toBe(old);
  });

  it('a context in which one fits whole begins with the newer one', async () => {
    const more = 'which includes the water, the heating, the windows, the garage and the cellar';
    const old = await add(`The rent of the flat in Ghent is 900 euros, ${more} below the house`);
    const text = `The flat costs 1100 now, ${more} below the house and the garden behind it`;
    const id = (await decide({ text, may_replace: [old] })).result?.id;
    const idsIn = async (max_tokens: number) => {
      const { blocks } = await invoke('get_context', { query, user_id: 'ann', max_tokens });
      return blocks.flatMap(({ memory_ids }) => memory_ids);
    };
    expect((await idsIn(1000)).slice(0, 2)).toEqual([id, old]);
    expect((await idsIn(100))[0]).toBe(id);
  });
});
