import { describe, expect, it } from 'vitest';
import { callOn, optionsFor, scripted, textOf } from './support.ts';

const id = '0197a6b2-0000-7000-8000-000000000000';

function startCall() {
  const found = { results: [], total: 0 };
  const changed = { ...found, id, status: 'SUCCEEDED', event_id: id, message: 'done', memory: 'x' };
  const { invoke, calls } = scripted({
    search_memories: () => found,
    add_memory: () => changed,
    update_memory: () => changed,
    list_entities: () => ({ ...found, page: 1, page_size: 10 }),
  });
  return { call: callOn(optionsFor(invoke, { scope: { user_id: 'ada' } })), calls };
}

describe('an argument that says nothing', () => {
  it.each(['null', 'None', 'undefined', '', ' ', 'NULL', 'N/A'])(
    'is read as absent: %j',
    async (blank) => {
      const { call, calls } = startCall();

      const ids = { user_id: blank, agent_id: blank, run_id: blank, app_id: blank };
      await call('search_memories', { query: 'boat', ...ids, categories: blank, filters: blank });
      await call('add_memory', { text: 'Has a boat', messages: blank, ...ids, metadata: blank });

      const search = calls.find(({ name }) => name === 'search_memories')?.input;
      const add = calls.find(({ name }) => name === 'add_memory')?.input;
      expect(search).toMatchObject({ query: 'boat', user_id: 'ada' });
      expect(add).toMatchObject({ text: 'Has a boat', user_id: 'ada' });
      for (const name of ['agent_id', 'run_id', 'app_id', 'categories', 'filters', 'metadata']) {
        expect(search).not.toHaveProperty(name);
        expect(add).not.toHaveProperty(name);
      }
    },
  );

  it('is refused where the call needs it', async () => {
    const { call, calls } = startCall();

    const search = await call('search_memories', { query: '' });
    const update = await call('update_memory', { memory_id: 'null', text: 'x' });

    expect(textOf(search)).toContain('query');
    expect(textOf(update)).toContain('memory_id');
    expect(calls).toEqual([]);
  });

  it('is refused by a bulk delete, which would delete more without it', async () => {
    const { call, calls } = startCall();

    const all = await call('delete_all_memories', { user_id: 'ada', run_id: 'null' });
    const erased = await call('erase_memories', { agent_id: 'None' });

    expect(textOf(all)).toContain('run_id: must not be "null"; leave it out instead');
    expect(textOf(erased)).toContain('agent_id: must not be "None"');
    expect(calls).toEqual([]);
  });

  it('is a query like any other where it is one', async () => {
    const { call, calls } = startCall();

    await call('search_memories', { query: 'null' });

    expect(calls[0]?.input).toMatchObject({ query: 'null' });
  });
});

describe('what clients add to each call', () => {
  it.each([
    ['toolCallId', 'call_1'],
    ['tool_call_id', 'call_1'],
    ['sessionId', 's1'],
    ['requestId', 7],
    ['random_string', 'dummy'],
    ['_meta', { progressToken: 1 }],
  ])('is dropped: %s', async (name, value) => {
    const { call, calls } = startCall();

    const result = await call('list_entities', { [name]: value });

    expect(result.isError ?? false).toBe(false);
    expect(calls[0]?.input).not.toHaveProperty(name);
  });

  it('is told apart from a misspelt argument', async () => {
    const { call } = startCall();

    const result = await call('search_memories', { query: 'tea', session: 's1', limt: 3 });

    expect(textOf(result)).toContain('unknown argument "session" of search_memories');
  });
});
