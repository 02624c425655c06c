import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shortIdOf } from '../../src/contract/short-id.ts';
import type { ProjectRef } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { callOn, connect, dataOf, optionsFor, scripted, textOf } from './support.ts';

const alice = { user_id: 'alice' };

describe('an unlocked scope', () => {
  it.each([
    ['is the default', { query: 'tea' }, { user_id: 'alice' }],
    ['gives way to a field', { query: 'tea', user_id: 'bob' }, { user_id: 'bob' }],
    ['gives way to a filter', { query: 'tea', filters: { user_id: 'bob' } }, {}],
    ['gives way to an alias', { query: 'tea', filters: { userId: 'bob' } }, {}],
    [
      'gives way to a nested filter in JSON text',
      { query: 'tea', filters: '{"or": [{"user_id": "bob"}, {"AND": [{"user_id": "eve"}]}]}' },
      {},
    ],
    [
      'stays beside other filters',
      { query: 'tea', filters: { metadata: { user_id: 'bob' } } },
      { user_id: 'alice' },
    ],
    ['opens to any user with "*"', { query: 'tea', user_id: '*' }, {}],
  ])('%s', async (_, args, ids) => {
    const { invoke, calls } = scripted({ search_memories: () => ({ results: [] }) });
    const call = callOn(optionsFor(invoke, { scope: alice }));

    await call('search_memories', args);

    const { user_id } = calls[0]?.input ?? {};
    expect({ user_id }).toEqual({ user_id: undefined, ...ids });
  });

  it('is no default for what is found by its id', async () => {
    const { invoke, calls } = scripted({ get_memory: () => ({ id: 'x', memory: 'tea' }) });
    const call = callOn(optionsFor(invoke, { scope: { ...alice, project_id: 'home' } }));

    await call('get_memory', { memory_id: someId });

    expect(calls[0]?.input).toEqual({ memory_id: someId, project_id: 'home' });
  });

  it('is echoed in both channels', async () => {
    const { invoke } = scripted({ search_memories: () => ({ results: [] }) });
    const call = callOn(optionsFor(invoke, { scope: { ...alice, project_id: 'home' } }));

    const result = await call('search_memories', { query: 'tea' });

    expect(textOf(result)).toContain('Scope: project_id "home", user_id "alice"');
    expect(dataOf(result).scope).toEqual({ user_id: 'alice', project_id: 'home' });
  });

  it.each(['add_memory', 'delete_all_memories'])('refuses any user in %s', async (name) => {
    const { invoke, calls } = scripted({});
    const call = callOn(optionsFor(invoke));
    const text = name === 'add_memory' ? { text: 'tea' } : {};

    const result = await call(name, { ...text, user_id: '*' });

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('"*" is allowed for reads only');
    expect(calls).toEqual([]);
  });
});

describe('a locked scope', () => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(async () => {
    await engine.stop();
  });

  const locked = () =>
    callOn(
      optionsFor(engine.invoke, { scope: alice, lock_scope: true, confirm_destructive: false }),
    );
  const store = async (text: string, ids: object) => {
    const input = { text, ...ids };
    const { results } = await engine.invoke('add_memory', input, { caller: owner });
    return String(results[0]?.id);
  };

  it.each([
    ['a field', { user_id: 'bob' }],
    ['a filter', { filters: { user_id: 'bob' } }],
    ['an alias', { filters: { userId: 'bob' } }],
    ['a nested filter', { filters: { OR: [{ user_id: 'alice' }, { NOT: { user_id: 'bob' } }] } }],
    ['a list', { filters: { user_id: { in: ['alice', 'bob'] } } }],
    ['an inequality', { filters: { user_id: { ne: 'alice' } } }],
    ['"*"', { user_id: '*' }],
  ])('refuses another user in %s', async (_, args) => {
    const call = locked();

    for (const name of ['search_memories', 'get_memories', 'delete_all_memories']) {
      const query = name === 'search_memories' ? { query: 'tea' } : {};
      const result = await call(name, { ...query, ...args });

      expect(result.isError).toBe(true);
      expect(textOf(result)).toContain('the scope of this server is locked to user_id "alice"');
    }
  });

  it('accepts its own value, and fills it in where it is left out', async () => {
    await store('Bob likes coffee', { user_id: 'bob' });
    await store('Alice likes tea', alice);

    const call = locked();
    const named = await call('get_memories', { user_id: 'alice' });
    const left = await call('get_memories', {});

    expect(dataOf(named)).toMatchObject({ total: 1, results: [{ memory: 'Alice likes tea' }] });
    expect(dataOf(left)).toMatchObject({ total: 1 });
  });

  it('adds to itself, whatever the filters say', async () => {
    const call = locked();

    const result = await call('add_memory', { text: 'likes tea', filters: { user_id: 'alice' } });

    expect(dataOf(result)).toMatchObject({ scope: alice, results: [{ event: 'ADD' }] });
  });

  it.each([
    ['get_memory', (id: string) => ({ memory_id: id })],
    ['get_history', (id: string) => ({ memory_id: id })],
    ['update_memory', (id: string) => ({ memory_id: id, text: 'changed' })],
    ['delete_memory', (id: string) => ({ memory_id: id })],
    ['add_feedback', (id: string) => ({ memory_id: id, feedback: 'POSITIVE' })],
  ])('hides another user from %s as it hides what is unknown', async (name, args) => {
    const own = await store('Alice likes tea', alice);
    const foreign = await store('Bob likes coffee', { user_id: 'bob' });

    const call = locked();
    const hidden = await call(name, args(foreign));
    const unknown = await call(name, args(someId));
    const allowed = await call(name, args(own));

    expect(hidden.isError).toBe(true);
    expect(hidden).toEqual(unknown);
    expect(allowed.isError).toBeFalsy();
    const kept = await engine.invoke('get_memory', { memory_id: foreign }, { caller: owner });
    expect(kept.memory).toBe('Bob likes coffee');
  });

  it('holds for a project, whatever an argument nests', async () => {
    const { sibling } = engine.projects;
    const own = await store('Alice likes tea', alice);
    const foreign = await store('Bob likes coffee', { user_id: 'bob', ...refOf(sibling) });
    const scope = refOf(engine.projects.own);
    const call = callOn(optionsFor(engine.invoke, { scope, lock_scope: true }));
    const text = { text: 'changed', memory_id: foreign, ...refOf(sibling) };

    await call('update_memory', { memory_id: own, text });

    const input = { memory_id: foreign, ...refOf(sibling) };
    const kept = await engine.invoke('get_memory', input, { caller: owner });
    const changed = await engine.invoke('get_memory', { memory_id: own }, { caller: owner });
    expect([kept.memory, changed.memory]).toEqual(['Bob likes coffee', 'changed']);
  });

  it.each([
    ['batch_update_memories', (ids: string[]) => ({ memories: ids.map(toUpdate) })],
    ['batch_delete_memories', (ids: string[]) => ({ memory_ids: ids })],
    ['batch_delete_memories', (ids: string[]) => ({ memories: ids.map(toUpdate) })],
    ['batch_delete_memories', (ids: string[]) => ({ memory_ids: ids, dry_run: true })],
  ])('hides another user from %s', async (name, args) => {
    const own = await store('Alice likes tea', alice);
    const foreign = await store('Bob likes coffee', { user_id: 'bob' });

    const call = locked();
    const hidden = await call(name, args([own, foreign]));
    const unknown = await call(name, args([own, someId]));

    expect(hidden.isError).toBe(true);
    const told = textOf(hidden).replaceAll(shortIdOf(foreign), shortIdOf(someId));
    expect(told).toBe(textOf(unknown));
    const kept = await engine.invoke('get_memories', {}, { caller: owner });
    expect(kept.results.map(({ memory }) => memory).sort()).toEqual([
      'Alice likes tea',
      'Bob likes coffee',
    ]);
  });

  it('erases no memory of another user', async () => {
    const own = await store('Alice likes tea', alice);
    const foreign = await store('Bob likes coffee', { user_id: 'bob' });
    const call = locked();

    const hidden = await call('erase_memories', { memory_ids: [own, foreign] });
    const erased = await call('erase_memories', { memory_ids: [own] });

    expect(dataOf(hidden).error).toMatchObject({ code: 'not_found' });
    expect(dataOf(erased)).toMatchObject({ deleted: 1 });
    const kept = await engine.invoke('get_memories', {}, { caller: owner });
    expect(kept.results).toMatchObject([{ memory: 'Bob likes coffee' }]);
  });

  it('shows the history of its own memory after its delete, and of no other', async () => {
    const own = await store('Alice likes tea', alice);
    const foreign = await store('Bob likes coffee', { user_id: 'bob' });
    const call = locked();
    await call('delete_memory', { memory_id: own });
    await engine.invoke('delete_memory', { memory_id: foreign }, { caller: owner });

    const mine = await call('get_history', { memory_id: own });
    const other = await call('get_history', { memory_id: foreign });

    expect(dataOf(mine).results).toHaveLength(2);
    expect(other.isError).toBe(true);
    expect(textOf(other)).not.toContain('coffee');
  });

  it('lists and deletes the locked entity only', async () => {
    await store('Alice likes tea', alice);
    await store('Bob likes coffee', { user_id: 'bob', app_id: 'cafe' });
    const call = locked();

    const listed = await call('list_entities', {});
    const apps = await call('list_entities', { entity_type: 'app' });
    const refused = await call('delete_entity', { entity_type: 'user', entity_id: 'bob' });
    const app = await call('delete_entity', { entity_type: 'app', entity_id: 'cafe' });
    const deleted = await call('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    expect(dataOf(listed)).toMatchObject({ total: 1, results: [{ id: 'alice', type: 'user' }] });
    expect(dataOf(apps)).toMatchObject({ total: 0, results: [] });
    expect([refused.isError, app.isError]).toEqual([true, true]);
    expect(deleted.isError).toBeFalsy();
    const left = await engine.invoke('get_memories', {}, { caller: owner });
    expect(left.results.map(({ user_id }) => user_id)).toEqual(['bob']);
  });

  it.each([
    ['another user', { user_id: 'bob' }],
    ['an app', { app_id: 'cafe' }],
    ['an app beside its own user', { user_id: 'alice', app_id: 'cafe' }],
    ['another user beside its own', { user_id: 'bob', entity_type: 'user', entity_id: 'alice' }],
    ['every user', { user_id: '*' }],
    ['another user in a dry run', { user_id: 'bob', dry_run: true }],
  ])('erases or counts nothing of a stranger by the name of %s', async (_, args) => {
    await store('Alice likes tea', { ...alice, app_id: 'cafe' });
    await store('Bob likes coffee', { user_id: 'bob', app_id: 'cafe' });

    const refused = await locked()('delete_entities', args);

    expect(refused.isError).toBe(true);
    expect(textOf(refused)).not.toContain('coffee');
    const left = await engine.invoke('get_memories', {}, { caller: owner });
    expect(left.total).toBe(2);
  });

  it('tells nothing of a stranger whom a call names by type', async () => {
    await store('Bob likes coffee', { user_id: 'bob' });
    const call = locked();

    const hidden = await call('delete_entities', { user_id: 'bob' });
    const unknown = await call('delete_entities', { user_id: 'nobody' });

    expect(dataOf(hidden).error).toMatchObject({ code: 'not_found' });
    expect(hidden).toEqual(unknown);
  });

  it('erases its own entity by the name of its type', async () => {
    await store('Alice likes tea', alice);
    await store('Bob likes coffee', { user_id: 'bob' });

    const erased = await locked()('delete_entities', { user_id: 'alice' });

    expect(erased.isError).toBeFalsy();
    const left = await engine.invoke('get_memories', {}, { caller: owner });
    expect(left.results.map(({ user_id }) => user_id)).toEqual(['bob']);
  });

  it('deletes no entity when it holds more than that one', async () => {
    await store('Alice likes tea', { ...alice, app_id: 'cafe' });
    const scope = { ...alice, app_id: 'cafe' };
    const call = callOn(
      optionsFor(engine.invoke, { scope, lock_scope: true, confirm_destructive: false }),
    );

    const result = await call('delete_entity', { entity_type: 'app', entity_id: 'cafe' });

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('delete by filter instead');
  });

  it('shows the events of its own writes only', async () => {
    const { event_id: own } = await add('Alice likes tea', alice);
    const { event_id: foreign } = await add('Bob likes coffee', { user_id: 'bob' });
    const call = locked();

    const listed = await call('list_events', {});
    const mine = await call('get_event', { event_id: own });
    const hidden = await call('get_event', { event_id: foreign });
    const unknown = await call('get_event', { event_id: someId });

    expect(dataOf(listed)).toMatchObject({ total: 1, results: [{ id: own }] });
    expect(dataOf(mine)).toMatchObject({ id: own });
    expect(hidden.isError).toBe(true);
    expect(hidden).toEqual(unknown);
  });

  const add = (text: string, ids: object) =>
    engine.invoke('add_memory', { text, ...ids }, { caller: owner });

  it('hides profiles and memories of others as resources', async () => {
    const own = await store('Alice likes tea', alice);
    const foreign = await store('Bob likes coffee', { user_id: 'bob' });
    const client = await connect(optionsFor(engine.invoke, { scope: alice, lock_scope: true }));
    const read = (uri: string) => client.readResource({ uri });

    const memory = await read(`mneme://memory/${own}`);

    expect(JSON.stringify(memory)).toContain('Alice likes tea');
    await expect(read(`mneme://memory/${foreign}`)).rejects.toThrow('Resource not found');
    await expect(read('mneme://entity/user/bob/profile')).rejects.toThrow('Resource not found');
    expect(JSON.stringify(await read('mneme://entity/user/alice/profile'))).toContain('tea');
  });
});

const someId = '0197a6b2-0000-7000-8000-000000000000';

function refOf({ org_id, project_id }: ProjectRef) {
  return { org_id, project_id };
}

function toUpdate(memory_id: string) {
  return { memory_id, text: 'changed' };
}
