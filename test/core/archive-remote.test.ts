import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { importLines } from '../../src/core/archive/import-lines.ts';
import { readRemote } from '../../src/core/archive/read-remote.ts';
import type { RemoteInstance } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.stop());

type Item = Record<string, unknown>;
type Call = Parameters<RemoteInstance['request']>[0];

const time = '2024-07-20T01:30:36.275141-07:00';
const kept = '2024-07-20T08:30:36.275Z';

function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

function memoryOf(number: number, fields: Item = {}): Item {
  const id = idOf(number);
  return {
    id,
    memory: `Fact ${number}`,
    user_id: 'ann',
    created_at: time,
    updated_at: time,
    ...fields,
  };
}

function historyOf({ id, memory }: Item): Item {
  return {
    id: String(id).replace('4000', '4001'),
    memory_id: id,
    event: 'ADD',
    user_id: 'ann',
    input: [{ role: 'user', content: 'x', name: 'Ann' }],
    old_memory: null,
    new_memory: memory,
    metadata: null,
    created_at: time,
    updated_at: time,
  };
}

type Shapes = {
  entities: (query: Item) => unknown;
  list: (call: Call) => unknown;
  history: Item[];
};

/** An instance of the given memories; what its lists look like is up to each test. */
function instance(memories: readonly Item[], shapes: Partial<Shapes> = {}) {
  const calls: Call[] = [];
  const entity = { id: 'ann', name: 'ann', type: 'user', created_at: time, updated_at: time };
  const request = async (call: Call): Promise<unknown> => {
    calls.push(call);
    const { path } = call;
    if (path === '/v1/entities/') return shapes.entities?.(call.query ?? {}) ?? [entity];
    if (path === '/v2/memories/') return shapes.list?.(call) ?? memories;
    const [, , , id, history] = path.split('/');
    const memory = memories.find((candidate) => candidate.id === id);
    if (memory === undefined) throw new ApiError('not_found', 'memory not found');
    return history === 'history' ? (shapes.history ?? [historyOf(memory)]) : memory;
  };
  return { remote: { request }, calls };
}

type DryRun = { dry_run: boolean };

async function importFrom(
  remote: RemoteInstance,
  { dry_run = false, ...options }: Partial<Parameters<typeof readRemote>[0] & DryRun> = {},
) {
  const project = await engine.store.projects.find({});
  if (project === null) throw new Error('the project exists');
  let unchanged = 0;
  const onUnchanged = (count: number) => {
    unchanged += count;
  };
  const source = { remote, ids: {}, onUnchanged, ...options };
  const report = await importLines(
    engine.deps,
    readRemote(source, { store: engine.store, project }),
    { project, dry_run },
  );
  return { ...report, unchanged };
}

async function stored() {
  const { results } = await engine.invoke('get_memories', { page_size: 1000 }, { caller: owner });
  return results.map(({ memory }) => memory).sort();
}

describe('an import from another instance', () => {
  it('takes memories as they are, with their history', async () => {
    const memory = memoryOf(1, {
      metadata: null,
      categories: ['food'],
      expiration_date: '2999-01-31',
    });

    const report = await importFrom(instance([memory]).remote);

    const ref = { memory_id: idOf(1) };
    expect(report).toMatchObject({
      complete: true,
      entities: { added: 1 },
      memories: { added: 1 },
      history: { added: 1 },
    });
    expect(await engine.invoke('get_memory', ref, { caller: owner })).toMatchObject({
      id: idOf(1),
      memory: 'Fact 1',
      user_id: 'ann',
      metadata: {},
      categories: ['food'],
      created_at: kept,
      updated_at: kept,
      expiration_date: '2999-01-31',
      immutable: false,
    });
    const { results } = await engine.invoke('get_history', ref, { caller: owner });
    expect(results).toMatchObject([{ event: 'ADD', new_memory: 'Fact 1', created_at: kept }]);
    const found = await engine.store.memories.findMany(engine.projects.own, [idOf(1)]);
    expect(found).toMatchObject([{ role: 'user', speaker: 'Ann' }]);
  });

  it('knows what an instance held that tells the history alone', async () => {
    const memory = memoryOf(1, { memory: 'Uno', updated_at: '2024-09-01T00:00:00Z' });
    const change = (event: string, texts: [string | null, string | null], month: number) => ({
      ...historyOf(memory),
      id: idOf(100 + month),
      event,
      old_memory: texts[0],
      new_memory: texts[1],
      metadata: { month },
      created_at: time,
      updated_at: `2024-0${month}-01T00:00:00Z`,
    });
    const history = [
      change('ADD', [null, 'One'], 5),
      change('UPDATE', ['One', 'Ein'], 6),
      change('DELETE', ['Ein', null], 7),
      change('ADD', [null, 'Ein'], 8),
      change('UPDATE', ['Ein', 'Uno'], 9),
    ];

    const report = await importFrom(instance([memory], { history }).remote);

    expect(report.versions.added).toBe(3);
    const { results } = await engine.invoke(
      'get_versions',
      { memory_id: idOf(1) },
      { caller: owner },
    );
    const at = (month: number) => `2024-0${month}-01T00:00:00.000Z`;
    expect(
      results.map((one) => [one.memory, one.metadata, one.recorded_from, one.recorded_until]),
    ).toEqual([
      ['One', { month: 5 }, at(5), at(6)],
      ['Ein', { month: 6 }, at(6), at(7)],
      ['Ein', { month: 8 }, at(8), at(9)],
      ['Uno', {}, at(9), null],
    ]);
  });

  it('takes what a memory may replace from an instance of mneme alone', async () => {
    const may_replace = [idOf(9)];
    const own = { status: 'active', source_class: 'user', may_replace };
    const { remote } = instance([memoryOf(1, own), memoryOf(2, { may_replace })]);

    await importFrom(remote);

    const found = await engine.store.memories.findMany(engine.projects.own, [idOf(1), idOf(2)]);
    const named = found.map((memory) => [memory.memory, memory.may_replace]).toSorted();
    expect(named).toEqual([
      ['Fact 1', may_replace],
      ['Fact 2', []],
    ]);
  });

  it('takes secrets out of memories and their history', async () => {
    const { remote } = instance([memoryOf(1, { memory: 'My password is correct-horse-7' })]);

    const report = await importFrom(remote);

    const ref = { memory_id: idOf(1) };
    const { results } = await engine.invoke('get_history', ref, { caller: owner });
    expect(report.redacted).toBe(2);
    expect(await stored()).toEqual(['My password is [REDACTED:password]']);
    expect(JSON.stringify(results)).not.toContain('correct-horse-7');
  });

  it('names a memory once that another project holds', async () => {
    const { remote } = instance([memoryOf(1)]);
    const { store, deps, projects } = engine;
    const source = { remote, ids: {}, onUnchanged: () => {} };
    const project = await store.projects.find(projects.sibling);
    if (project === null) throw new Error('the project exists');
    const at = { project };
    await importLines(deps, readRemote(source, { store, ...at }), at);

    const message = expect.stringMatching(new RegExp(`${idOf(1)} .*project`));
    await expect(importFrom(remote)).rejects.toMatchObject({ code: 'conflict', message });
  });

  it('asks for whose a memory is where the list does not say', async () => {
    const { id, memory, created_at, updated_at } = memoryOf(1);
    const item = { id, memory, created_at, updated_at, metadata: {}, immutable: false };
    const full = memoryOf(1, { user_id: null, agent_id: 'guide' });
    const { remote } = instance([full], { list: () => ({ results: [item], total: 1 }) });

    await importFrom(remote);

    const found = await engine.store.memories.findMany(engine.projects.own, [idOf(1)]);
    expect(found).toMatchObject([{ user_id: null, agent_id: 'guide' }]);
  });

  it('takes the session of a memory for its run', async () => {
    const named = { run_id: undefined, session_id: 'trip' };
    const memories = [memoryOf(1, named), memoryOf(2, { ...named, run_id: null })];
    const { user_id: _, ...alone } = memoryOf(3, named);

    await importFrom(instance([...memories, alone]).remote);

    const found = await engine.store.memories.findMany(engine.projects.own, [1, 2, 3].map(idOf));
    expect(found.map(({ user_id, run_id }) => [user_id, run_id])).toEqual([
      ['ann', 'trip'],
      ['ann', 'trip'],
      [null, 'trip'],
    ]);
  });

  it('counts a memory of several entities once, in a trial too', async () => {
    const both = { agent_id: 'guide' };
    const all = [memoryOf(1, both), memoryOf(2, both), memoryOf(3)];
    const dated = { created_at: time, updated_at: time };
    const { remote } = instance(all, {
      entities: () => [
        { id: 'ann', name: 'ann', type: 'user', ...dated },
        { id: 'guide', name: 'guide', type: 'agent', ...dated },
      ],
      list: ({ body }) =>
        JSON.stringify(body).includes('"guide"') ? all.filter((one) => 'agent_id' in one) : all,
    });

    const tried = await importFrom(remote, { dry_run: true });
    const done = await importFrom(remote);
    const again = await importFrom(remote);

    const three = { memories: { added: 3, updated: 0, unchanged: 0 }, unchanged: 0 };
    expect(tried).toMatchObject({ ...three, history: { added: 3 } });
    expect(done).toMatchObject({ ...three, history: { added: 3 } });
    expect(again).toMatchObject({ memories: { added: 0, updated: 0 }, unchanged: 3 });
  });

  it.each<[string, (page: number, items: Item[], all: Item[]) => unknown]>([
    ['arrays of a page', (_page, items) => items],
    ['arrays of everything', (_page, _items, all) => all],
    ['results with a total', (_page, results, all) => ({ results, total: all.length })],
    ['results with a count', (_page, results, all) => ({ results, count: all.length })],
    ['results and nothing else', (_page, results) => ({ results })],
    ['everything, whatever the page', (_page, _results, all) => ({ results: all })],
    [
      'results with a next page',
      (page, results) => ({ results, next: page < 3 ? 'http://127.0.0.1/next' : null, count: 0 }),
    ],
  ])('reads %s', async (_shape, answer) => {
    const all = Array.from({ length: 240 }, (_, at) => memoryOf(at));
    const { remote } = instance(all, {
      list: ({ query = {} }) => {
        const page = Number(query.page);
        return answer(page, all.slice((page - 1) * 100, page * 100), all);
      },
    });

    const { memories } = await importFrom(remote);

    expect(memories.added).toBe(240);
    expect(await stored()).toHaveLength(240);
  });

  it('takes an answer of "not found" past the last page for the end', async () => {
    const all = Array.from({ length: 100 }, (_, at) => memoryOf(at));
    const { remote } = instance(all, {
      list: ({ query = {} }) => {
        if (query.page === '1') return all;
        throw new ApiError('not_found', 'Invalid page.');
      },
    });

    expect((await importFrom(remote)).memories.added).toBe(100);
  });

  it('finds memories under the name of an entity that has an id of its own', async () => {
    const { remote } = instance([memoryOf(1)], {
      entities: () => ({ results: [{ id: 5, name: 'ann', type: 'user', created_at: time }] }),
      list: ({ body }) => (JSON.stringify(body).includes('"ann"') ? [memoryOf(1)] : []),
    });

    await importFrom(remote);

    const { results } = await engine.invoke('list_entities', {}, { caller: owner });
    expect(results).toMatchObject([
      { id: 'ann', name: 'ann', created_at: kept, total_memories: 1 },
    ]);
  });

  it('a second time asks for the lists only, and for what is newer', async () => {
    await importFrom(instance([memoryOf(1), memoryOf(2)]).remote);
    const newer = memoryOf(2, { memory: 'Fact two', updated_at: '2025-01-01T00:00:00Z' });
    const { remote, calls } = instance([memoryOf(1), newer]);

    const report = await importFrom(remote);

    expect(report).toMatchObject({ unchanged: 1, memories: { added: 0, updated: 1 } });
    expect(calls.map(({ path }) => path)).toEqual([
      '/v1/entities/',
      '/v2/memories/',
      `/v1/memories/${idOf(2)}/history/`,
    ]);
    expect(await stored()).toEqual(['Fact 1', 'Fact two']);
  });

  it('uses the newer list where there is no older one', async () => {
    const { remote } = instance([]);
    const request = async (call: Call) => {
      if (call.path === '/v2/memories/') throw new ApiError('not_found', 'no route');
      if (call.path === '/v3/memories/') return { results: [memoryOf(1)], next: null, count: 1 };
      return remote.request(call);
    };

    expect((await importFrom({ request })).memories.added).toBe(1);
  });

  it('of one user lists no entities, and asks in the project that is named', async () => {
    const { remote, calls } = instance([memoryOf(1)]);
    const place = { org_id: 'o', project_id: 'p' };

    await importFrom(remote, { ids: { user_id: 'ann', agent_id: 'guide' }, ...place });

    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatchObject({
      path: '/v2/memories/',
      body: { filters: { AND: [{ user_id: 'ann' }, { agent_id: 'guide' }] }, ...place },
    });
    expect(calls[1]).toMatchObject({ method: 'GET', query: place });
  });

  it('says which memory can not be taken', async () => {
    const { remote } = instance([memoryOf(1, { memory: '' })]);

    await expect(importFrom(remote)).rejects.toThrow(`memory ${idOf(1)}: memory: `);
  });

  it.each([[null], ['hello'], [{ memories: [] }], [[1]]])(
    'refuses %j in place of a list',
    async (answer) => {
      const { remote } = instance([], { list: () => answer ?? 'null' });

      await expect(importFrom(remote)).rejects.toThrow('list');
    },
  );
});
