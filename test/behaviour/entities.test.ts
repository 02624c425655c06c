import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

/** Agents create entities by storing memories. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(targets)('entities, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, ids: Record<string, string>): Promise<void> {
    await target.call('add_memory', { text, ...ids });
  }

  it('are listed with live counts of their memories', async () => {
    await remember('One', { user_id: 'alice', agent_id: 'helper' });
    await remember('Two', { user_id: 'alice' });
    await remember('Three', { user_id: 'bob', run_id: 'monday' });
    await target.call('delete_all_memories', { user_id: 'bob' });

    const { results, total } = await target.call('list_entities', {});

    const counts = results.map(({ type, id, total_memories }) => [type, id, total_memories]);
    expect(total).toBe(4);
    expect(counts).toEqual(
      expect.arrayContaining([
        ['user', 'alice', 2],
        ['user', 'bob', 0],
        ['agent', 'helper', 1],
        ['run', 'monday', 0],
      ]),
    );
  });

  it('can be listed by type and page', async () => {
    for (const name of ['a', 'b', 'c']) await remember('Hello', { user_id: name, app_id: 'app' });

    const users = await target.call('list_entities', { entity_type: 'user', page_size: 2 });
    const rest = await target.call('list_entities', {
      entity_type: 'user',
      page_size: 2,
      page: 2,
    });

    expect(users.total).toBe(3);
    expect([...users.results, ...rest.results].map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });

  it('are deleted with everything that carries their id, and nothing else', async () => {
    const { results } = await target.call('add_memory', {
      text: 'Shared by alice and helper',
      user_id: 'alice',
      agent_id: 'helper',
    });
    const shared = results[0]?.id ?? '';
    await remember('Only of alice', { user_id: 'alice' });
    await remember('Only of helper', { agent_id: 'helper' });

    const { deleted } = await target.call('delete_entity', {
      entity_type: 'user',
      entity_id: 'alice',
    });

    const left = await target.call('get_memories', { filters: { agent_id: '*' } });
    const entities = await target.call('list_entities', {});
    expect(deleted).toBe(2);
    expect(left.results.map(({ memory }) => memory)).toEqual(['Only of helper']);
    expect(entities.results.map(({ id, total_memories }) => [id, total_memories])).toEqual([
      ['helper', 1],
    ]);
    expect((await target.refusal('get_history', { memory_id: shared })).code).toBe('not_found');
  });

  it('leave no text behind in events when they are deleted', async () => {
    await remember('The code word is xylophone', { user_id: 'alice' });

    await target.call('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    const { results } = await target.call('list_events', {});
    expect(JSON.stringify(results)).not.toContain('xylophone');
  });

  it('answer not found when unknown or of another project', async () => {
    await remember('One', { user_id: 'alice' });
    const elsewhere = target.as({ project_id: target.engine.projects.sibling.project_id });

    const unknown = await target.refusal('delete_entity', {
      entity_type: 'user',
      entity_id: 'nobody',
    });
    const hidden = await elsewhere.refusal('delete_entity', {
      entity_type: 'user',
      entity_id: 'alice',
    });

    expect(unknown.code).toBe('not_found');
    expect(hidden).toEqual(unknown);
    expect((await elsewhere.call('list_entities', {})).results).toEqual([]);
    expect((await target.call('list_entities', {})).total).toBe(1);
  });

  it('refuse an unknown type and name those allowed', async () => {
    const refusal = await target.refusal('delete_entity', { entity_type: 'pet', entity_id: 'x' });

    expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('agent') });
    expect(refusal.message).toContain('Invalid entity type');
  });

  it('are not deleted by a reader', async () => {
    await remember('One', { user_id: 'alice' });
    const reader = target.as({ read_only: true });

    const input = { entity_type: 'user', entity_id: 'alice' };

    expect((await reader.refusal('delete_entity', input)).code).toBe('forbidden');
    expect((await reader.call('list_entities', {})).total).toBe(1);
  });
});

describe.each(faces)('a list of entities, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  /** Later ones have fewer memories. */
  async function rememberAll(names: readonly string[]): Promise<void> {
    for (const [at, user_id] of names.entries()) {
      target.engine.clock.advance(1000);
      for (const text of ['One', 'Two', 'Three'].slice(at)) {
        await target.call('add_memory', { text: `${text} of ${user_id}`, user_id });
      }
    }
  }

  const namesOf = async (input: Record<string, unknown>) =>
    (await target.call('list_entities', input)).results.map(({ id }) => id);

  it('holds those whose id or name has a part, in any case, and counts them', async () => {
    await rememberAll(['Straße 7', 'ada@home', '100%_ünë']);
    await target.call('create_agent', { agent_id: 'a1', name: 'Helper of ADA' });

    const found = await target.call('list_entities', { query: ' ada ' });
    const users = await target.call('list_entities', { query: 'ada', entity_type: 'user' });

    expect(found.results.map(({ id }) => id)).toEqual(['a1', 'ada@home']);
    expect(found).toMatchObject({ total: 2, total_users: 1, total_agents: 1, total_apps: 0 });
    expect(users).toMatchObject({ total: 1, results: [{ id: 'ada@home' }] });
    expect(await namesOf({ query: 'STRASSE' })).toEqual(['Straße 7']);
    expect(await namesOf({ query: 'ÜNË' })).toEqual(['100%_ünë']);
    expect(await namesOf({ query: '0%_' })).toEqual(['100%_ünë']);
    expect(await namesOf({ query: "' or 1=1 --" })).toEqual([]);
    expect(await namesOf({ query: 'ada', page: 2, page_size: 1 })).toEqual(['ada@home']);
  });

  it('can begin with the newest, those last added to, the most memories or the name', async () => {
    await rememberAll(['bea', 'Cleo', 'abe']);
    target.engine.clock.advance(1000);
    await target.call('add_memory', { text: 'Four', user_id: 'bea' });

    expect(await namesOf({})).toEqual(['abe', 'Cleo', 'bea']);
    expect(await namesOf({ sort: 'created_at' })).toEqual(['abe', 'Cleo', 'bea']);
    expect(await namesOf({ sort: 'updated_at' })).toEqual(['bea', 'abe', 'Cleo']);
    expect(await namesOf({ sort: 'total_memories' })).toEqual(['bea', 'Cleo', 'abe']);
    expect(await namesOf({ sort: 'name' })).toEqual(['abe', 'bea', 'Cleo']);
    expect(await namesOf({ sort: 'name', page: 2, page_size: 2 })).toEqual(['Cleo']);
  });

  it('of the past holds those that were there then', async () => {
    await rememberAll(['ada one']);
    const as_of = target.engine.clock.now();
    await rememberAll(['ada two']);

    expect(await namesOf({ query: 'ada', sort: 'name', as_of })).toEqual(['ada one']);
    expect(await target.refusal('list_entities', { sort: 'total_memories', as_of })).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('sort'),
    });
  });

  it.each([
    ['a part that nobody can see', { query: '\u200b' }, 'query'],
    ['a part that is too long', { query: 'x'.repeat(256) }, 'query'],
    ['an unknown order', { sort: 'age' }, 'created_at'],
  ])('is refused with %s', async (_, input, word) => {
    const refusal = await target.refusal('list_entities', input);

    expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining(word) });
  });

  it('is one of a project, which a reader may search', async () => {
    await rememberAll(['ada']);
    const reader = target.as({ read_only: true });
    const { project_id } = target.engine.projects.sibling;

    expect((await reader.call('list_entities', { query: 'ada', sort: 'name' })).total).toBe(1);
    expect((await reader.call('list_entities', { query: 'ada', project_id })).total).toBe(0);
    expect((await reader.refusal('list_entities', { project_id: 'other' })).code).toBe('not_found');
  });
});

describe.each(faces)('entities created before their first memory, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, ids: Record<string, string>): Promise<void> {
    await target.call('add_memory', { text, ...ids });
  }

  describe.each([
    ['user', 'create_user', {}],
    ['agent', 'create_agent', { name: 'The helper' }],
    ['app', 'create_app', { name: 'The shop' }],
    ['run', 'create_run', { name: 'Monday’s call' }],
  ] as const)('of the type %s', (type, operation, named) => {
    const ids = { [`${type}_id`]: 'new' };
    const listed = async () => (await target.call('list_entities', { entity_type: type })).results;

    it('are listed with what they were created with', async () => {
      const metadata = { team: 'blue' };

      const created = await target.call(operation, { ...ids, ...named, metadata });

      expect(created).toMatchObject({ ...ids, ...named, metadata, is_deleted: false });
      expect(created).toMatchObject({ graph_entities: null, created_at: expect.any(String) });
      expect([created.id, created.project]).toEqual([expect.any(Number), expect.any(Number)]);
      const entity = { ...named, type, id: 'new', metadata, total_memories: 0 };
      expect(await listed()).toMatchObject([entity]);
      expect((await target.call('list_entities', {})).total).toBe(1);
    });

    it('are the same when created again, and keep what they have', async () => {
      const first = await target.call(operation, { ...ids, ...named, metadata: { team: 'blue' } });
      const other = type === 'user' ? {} : { name: 'Another' };

      const same = await target.call(operation, { ...ids, ...named });
      const changed = await target.call(operation, { ...ids, ...other, metadata: { team: 'red' } });

      expect([same, changed]).toEqual([first, first]);
      expect((await target.call('list_entities', {})).total).toBe(1);
    });

    it('are created once by calls at the same time', async () => {
      const calls = ['One', 'Two', 'Three'].map(() => target.call(operation, { ...ids, ...named }));

      const created = await Promise.all([...calls, remember('One', ids)]);

      expect(new Set(created.slice(0, 3).map((one) => JSON.stringify(one))).size).toBe(1);
      expect((await target.call('list_entities', {})).total).toBe(1);
      expect(await listed()).toMatchObject([{ id: 'new', ...named, total_memories: 1 }]);
    });

    it('get what they lack when a memory made them', async () => {
      await remember('One', ids);

      const created = await target.call(operation, { ...ids, ...named, metadata: { a: 1 } });

      expect(created).toMatchObject({ ...named, metadata: { a: 1 } });
      expect(await listed()).toMatchObject([{ id: 'new', ...named, total_memories: 1 }]);
      expect((await target.call('list_entities', {})).total).toBe(1);
    });

    it('get memories, and go when they are deleted', async () => {
      await target.call(operation, { ...ids, ...named });
      await remember('One', ids);
      await remember('Two', ids);

      const { total_memories } = (await listed())[0] ?? {};
      const gone = await target.call('delete_entity', { entity_type: type, entity_id: 'new' });

      expect([total_memories, gone.deleted]).toEqual([2, 2]);
      expect(await listed()).toEqual([]);
    });

    it('go without a memory too, with their metadata', async () => {
      const { id } = await target.call(operation, { ...ids, ...named, metadata: { team: 'blue' } });
      const { receipt } = await target.call('delete_entity', {
        entity_type: type,
        entity_id: 'new',
      });

      target.engine.clock.advance(1);
      const again = await target.call(operation, { ...ids, ...named });

      expect(receipt).toMatchObject({ removed: { entities: 1 }, remaining: {} });
      expect(again.metadata).toEqual({});
      expect(again.id).not.toBe(id);
    });

    it('are those of one project', async () => {
      const elsewhere = target.as({ project_id: target.engine.projects.sibling.project_id });
      const first = await target.call(operation, { ...ids, ...named });

      const second = await elsewhere.call(operation, { ...ids, ...named });
      await elsewhere.call('delete_entity', { entity_type: type, entity_id: 'new' });

      expect([second.id === first.id, second.project === first.project]).toEqual([false, false]);
      expect(await listed()).toMatchObject([{ id: 'new' }]);
    });

    it.each([
      ['no id', {}, `${type}_id`],
      ['any id', { [`${type}_id`]: '*' }, '"*"'],
      ['an empty id', { [`${type}_id`]: '' }, `${type}_id`],
      ['metadata that is no object', { ...ids, metadata: 'blue' }, 'metadata'],
    ])('are refused with %s', async (_, input, word) => {
      const refusal = await target.refusal(operation, { ...named, ...input });

      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining(word) });
      expect(await listed()).toEqual([]);
    });

    it('are not created by a reader', async () => {
      const reader = target.as({ read_only: true });

      expect((await reader.refusal(operation, { ...ids, ...named })).code).toBe('forbidden');
      expect(await listed()).toEqual([]);
    });

    it('hold no secrets', async () => {
      const metadata = { note: 'password: hunter2-and-more' };

      const created = await target.call(operation, { ...ids, ...named, metadata });

      expect(JSON.stringify([created, await listed()])).not.toContain('hunter2');
    });
  });

  it('need a name unless they are users', async () => {
    for (const [operation, ids] of [
      ['create_agent', { agent_id: 'new' }],
      ['create_app', { app_id: 'new' }],
      ['create_run', { run_id: 'new' }],
    ] as const) {
      const refusal = await target.refusal(operation, ids);

      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('name') });
    }
  });
});

describe.each(faces)('what lists can be filtered by, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  it('are types of events, categories, users and filter fields with operators', async () => {
    await target.call('add_memory', { text: 'One', user_id: 'alice', agent_id: 'helper' });
    await target.call('create_user', { user_id: 'bob' });

    const values = await target.call('get_filter_values', {});

    expect(values.event_type).toEqual(expect.arrayContaining(['ADD', 'SEARCH', 'DELETE_ENTITY']));
    expect(values.categories).toEqual(expect.arrayContaining(['travel', 'misc']));
    expect(values.users.sort()).toEqual(['alice', 'bob']);
    expect(values.parameters).toContainEqual({ name: 'pinned', operators: ['eq', 'ne'] });
    expect(values.parameters.map(({ name }) => name)).toContain('metadata.<key>');
    for (const event_type of values.event_type) await target.call('list_events', { event_type });
  });

  it('hold the categories of the project and those that memories have', async () => {
    const { org_id, project_id } = target.engine.projects.own;
    const custom_categories = [{ boats: 'Boats and ships' }];
    await target.call('update_project', { org_id, project_id, custom_categories });
    const add = (text: string, categories: object) =>
      target.call('add_memory', { text, user_id: 'alice', custom_categories: categories });
    await add('Owns a boat', [{ boats: 'Boats and ships' }]);
    await add('Grows roses', [{ roses: 'Gardens and roses' }]);

    const { categories } = await target.call('get_filter_values', {});

    expect(categories).toEqual(['boats', 'roses']);
  });

  it('are those of one project', async () => {
    await target.call('add_memory', { text: 'One', user_id: 'alice' });
    const { project_id } = target.engine.projects.sibling;

    expect((await target.call('get_filter_values', { project_id })).users).toEqual([]);
  });
});
