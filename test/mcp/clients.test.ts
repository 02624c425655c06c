import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isReadOnly } from '../../src/contract/operation.ts';
import { contract, type OperationName } from '../../src/contract.ts';
import { type Engine, startEngine } from '../support/engine.ts';
import { pickFields, requiredFields } from '../support/example-input.ts';
import { connect, connectFirst, dataOf, optionsFor, textOf } from './support.ts';

const operationNames = Object.keys(contract) as OperationName[];

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(async () => {
  await engine.stop();
});

const options = () =>
  optionsFor(engine.invoke, { scope: { user_id: 'alice' }, confirm_destructive: false });

// Clients check each answer against the output schema that they listed.
describe.each([
  ['the newer SDK, older protocol', () => connect(options(), 'legacy')],
  ['the newer SDK, newer protocol', () => connect(options(), 'auto')],
  ['the older SDK', () => connectFirst(options())],
] as const)('%s', (_, start) => {
  it('goes through all tools', async () => {
    const client = await start();
    const { tools } = await client.listTools();
    const called = new Set<string>();
    const call = async (name: string, args: Record<string, unknown>) => {
      called.add(name);
      const result = await client.callTool({ name, arguments: args });
      expect(textOf(result)).not.toBe('');
      expect(result.isError).toBeFalsy();
      return dataOf(result);
    };
    const isOtherRead = (name: OperationName) =>
      isReadOnly(contract[name]) && tools.some((tool) => tool.name === name) && !called.has(name);
    const add = async (text: string) => {
      const { results } = await call('add_memory', { text });
      return String((results as { id: string }[])[0]?.id);
    };

    const memory_id = await add('Alice likes tea');
    const other = await add('Alice lives in Berlin');
    await call('search_memories', { query: 'tea', response_format: 'detailed' });
    await call('get_memories', { page_size: 1 });
    await call('get_memory', { memory_id });
    await call('update_memory', { memory_id, text: 'Alice likes coffee' });
    await call('batch_update_memories', { memories: [{ memory_id, text: 'Alice likes juice' }] });
    await call('add_feedback', { memory_id, feedback: 'POSITIVE' });
    const { id } = await call('create_export', {
      schema: { type: 'object', properties: { name: { type: 'string' } } },
      filters: { user_id: 'alice' },
    });
    await call('get_export', { memory_export_id: id });
    const { project_id } = engine.projects.own;
    await call('manage_webhook', { action: 'list', project_id });
    await call('manage_organization', { action: 'list' });
    await call('manage_project', { action: 'get', project_id });
    await call('manage_changes', { action: 'list_snapshots' });
    await call('recalls', { action: 'list' });
    const { results } = await call('list_events', { response_format: 'detailed' });
    await call('get_event', { event_id: (results as { id: string }[])[0]?.id });
    // What needs no example of its own: the record says which fields it takes.
    const known = { memory_id, entity_type: 'user', entity_id: 'alice' };
    for (const name of operationNames.filter(isOtherRead)) {
      await call(name, pickFields(requiredFields(contract[name]), known));
    }
    await call('delete_memory', { memory_id });
    await call('batch_delete_memories', { memory_ids: [other] });
    await call('erase_memories', { memory_ids: [other] });
    await call('delete_all_memories', { dry_run: true });
    await call('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort());
    await client.close();
  });

  it('learns how to use the server', async () => {
    const client = await start();

    expect(client.getInstructions()).toContain('Current user: "alice"');
    expect(client.getServerVersion()).toMatchObject({ name: 'mneme', version: '1.2.3' });
    expect(Object.keys(client.getServerCapabilities() ?? {}).sort()).toEqual([
      'prompts',
      'resources',
      'tools',
    ]);
  });
});

// They say in it what called them.
describe('the argument `source` of clients of the hosted service', () => {
  it.each([
    ['search_memories', { query: 'tea' }],
    ['get_memories', {}],
    ['list_entities', {}],
    ['list_events', {}],
    ['delete_all_memories', { user_id: 'nobody' }],
    ['delete_entities', { user_id: 'nobody' }],
  ])('changes nothing in a call of %s', async (name, args) => {
    const client = await connect(options());
    const call = (more: object) => client.callTool({ name, arguments: { ...args, ...more } });

    const [plain, labelled] = [await call({}), await call({ source: 'OPENMEMORY' })];

    expect(labelled.isError).toBe(plain.isError);
    expect(textOf(labelled)).not.toContain('source');
    await client.close();
  });

  it('is taken by each tool of one memory', async () => {
    const client = await connect(options());
    const source = 'OPENMEMORY';
    const call = async (name: string, args: object) => {
      const result = await client.callTool({ name, arguments: { ...args, source } });
      expect(result.isError).toBeFalsy();
      return dataOf(result);
    };

    const { results } = await call('add_memory', { text: 'Likes oolong' });
    const [added] = results as { id: string }[];
    const memory_id = added?.id;
    await call('update_memory', { memory_id, text: 'Likes sencha' });
    const memory = await call('get_memory', { memory_id });
    await call('delete_memory', { memory_id });

    expect(memory).toMatchObject({ memory: 'Likes sencha', metadata: { source } });
    await client.close();
  });

  it('must be text', async () => {
    const client = await connect(options());

    const result = await client.callTool({ name: 'get_memories', arguments: { source: 5 } });

    expect(textOf(result)).toContain('source: must be a string');
    await client.close();
  });
});
