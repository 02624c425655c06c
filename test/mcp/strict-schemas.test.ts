import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Engine, startEngine } from '../support/engine.ts';
import { connect, dataOf, optionsFor, textOf } from './support.ts';

let engine: Engine;
let client: Client;

beforeAll(async () => {
  engine = await startEngine();
  client = await connect(optionsFor(engine.invoke, { strict_schemas: true }), 'auto');
});
afterAll(async () => {
  await client.close();
  await engine.stop();
});

type Schema = {
  type?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
};

it('lists no object without its fields and no list without its items', async () => {
  const { tools } = await client.listTools();

  const schemas = tools.flatMap(({ inputSchema }) => schemasIn(inputSchema as Schema));
  expect(schemas.length).toBeGreaterThan(100);
  expect(schemas.filter(({ type }) => typeof type !== 'string')).toEqual([]);
  expect(schemas.filter(({ type, properties }) => type === 'object' && !properties)).toEqual([]);
  expect(schemas.filter(({ type, items }) => type === 'array' && !items)).toEqual([]);
});

it('reads JSON text where it lists it, and null for every field that is left out', async () => {
  const user_id = 'ada';
  await call('add_memory', { text: 'Ada likes figs', user_id, metadata: '{"topic":"food"}' });

  const { results } = await call('search_memories', {
    query: 'figs',
    filters: '{"AND":[{"user_id":"ada"},{"metadata":{"topic":"food"}}]}',
  });

  expect(results).toMatchObject([{ memory: 'Ada likes figs', metadata: { topic: 'food' } }]);
  const [found] = results as { id: string }[];
  await call('batch_update_memories', {
    memories: [{ memory_id: found?.id, text: 'Ada likes plums', metadata: '{"topic":"fruit"}' }],
  });
  const { memory, metadata } = await call('get_memory', { memory_id: found?.id });
  expect({ memory, metadata }).toEqual({
    memory: 'Ada likes plums',
    metadata: { topic: 'fruit' },
  });
});

it('reads categories of a project as JSON text', async () => {
  const { project_id } = engine.projects.own;
  const args = { action: 'update', project_id, custom_categories: ['{"cars":"What she drives"}'] };
  await call('manage_project', args);

  const { custom_categories } = await call('manage_project', { action: 'get', project_id });
  expect(custom_categories).toEqual([{ cars: 'What she drives' }]);
});

it('leaves alone what a strict call does not set', async () => {
  const until = { expiration_date: '2999-01-01' };
  const { results } = await call('add_memory', { text: 'Bo rents a van', user_id: 'bo', ...until });
  const [added] = results as { id: string }[];

  await call('update_memory', { memory_id: added?.id, text: 'Bo rents a red van' });

  expect(await call('get_memory', { memory_id: added?.id })).toMatchObject(until);
});

/** Calls as strict modes do: every field of the tool is given. */
async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { tools } = await client.listTools();
  const { properties = {} } = tools.find((tool) => tool.name === name)?.inputSchema ?? {};
  const none = Object.fromEntries(Object.keys(properties).map((field) => [field, null]));
  const result = await client.callTool({ name, arguments: { ...none, ...args } });
  expect(result.isError ? textOf(result) : null).toBeNull();
  return dataOf(result);
}

function schemasIn(schema: Schema): Schema[] {
  const { properties = {}, items } = schema;
  const inside = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return [schema, ...inside.flatMap(schemasIn)];
}
