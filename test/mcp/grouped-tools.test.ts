import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpOptions } from '../../src/mcp/server.ts';
import { type Engine, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { connect, dataOf, type Elicited, optionsFor, textOf } from './support.ts';

type Data = Record<string, unknown>;
type Args = Record<string, unknown>;

const url = 'https://example.com/hook';
const email = 'ada@example.com';
const unknownId = '00000000-0000-4000-8000-000000000000';

let engine: Engine;
let client: Client;

beforeEach(async () => {
  engine = await startEngine();
  client = await start();
});
afterEach(async () => {
  await client.close();
  await engine.stop();
});

/** A real client of the face on the real engine. */
function start(changes: Partial<McpOptions> = {}, answer?: Elicited, asked: string[] = []) {
  const options = optionsFor(engine.invoke, { secret: engine.store.secret, ...changes });
  return connect(options, 'auto', { asked, ...(answer && { answer }) });
}

async function call(name: string, args: Args, by = client): Promise<Data> {
  const result = await by.callTool({ name, arguments: args });
  expect(result.isError ? textOf(result) : null).toBeNull();
  return dataOf(result);
}

async function refusal(name: string, args: Args, by = client): Promise<string> {
  const result = await by.callTool({ name, arguments: args });
  expect(result.isError).toBe(true);
  return textOf(result);
}

async function actionsOf(name: string, by: Client): Promise<unknown> {
  const { tools } = await by.listTools();
  const found = tools.find((tool) => tool.name === name);
  const { action } = (found?.inputSchema.properties ?? {}) as Record<string, { enum?: unknown }>;
  return action?.enum;
}

function settled(args: Args): Promise<Data> {
  return eventually(async () => {
    const data = await call('get_export', args);
    expect(['PENDING', 'RUNNING']).not.toContain(data.status);
    return data;
  });
}

function namesIn({ results }: Data): unknown[] {
  return (results as Data[]).map(({ name }) => name);
}

/** Repeats a call with the token that its first answer names. */
async function confirmed(name: string, args: Args): Promise<Data> {
  const first = textOf(await client.callTool({ name, arguments: args }));
  expect(first).toContain('Nothing was deleted yet.');
  const [, confirm] = /confirm: "([^"]+)"/.exec(first) ?? [];
  return call(name, { ...args, confirm });
}

const groups = ['manage_webhook', 'manage_organization', 'manage_project'] as const;

describe('manage_webhook', () => {
  it('does each of its actions', async () => {
    const tool = (action: string, args: Args = {}) => call('manage_webhook', { action, ...args });

    const { webhook_id, secret } = await tool('create', { url, event_types: ['memory:add'] });
    const listed = await tool('list');
    const updated = await tool('update', { webhook_id, name: 'Renamed', is_active: false });
    const got = await tool('get', { webhook_id });
    const rotated = await tool('rotate_secret', { webhook_id });
    const tested = await tool('test', { webhook_id });
    const log = await tool('list_deliveries', { webhook_id });
    const gone = await tool('delete', { webhook_id });
    const left = await tool('list');

    expect(secret).toMatch(/^whsec_/);
    expect(listed.results).toMatchObject([{ webhook_id, url, event_types: ['memory:add'] }]);
    expect(JSON.stringify([listed, got])).not.toContain('whsec_');
    expect(updated.message).toContain('updated');
    expect(got).toMatchObject({ name: 'Renamed', is_active: false });
    expect(rotated.secret).not.toBe(secret);
    expect(tested).toMatchObject({ status: 'DELIVERED', response_status: 200 });
    expect(log.results).toMatchObject([{ id: tested.id }]);
    expect(gone.message).toContain('deleted');
    expect(left.results).toEqual([]);
  });
});

describe('manage_organization', () => {
  it('does each of its actions', async () => {
    const tool = (action: string, args: Args = {}) =>
      call('manage_organization', { action, ...args });

    const { org_id } = await tool('create', { name: 'Guild' });
    const listed = await tool('list');
    const got = await tool('get', { org_id });
    await tool('add_member', { org_id, email, role: 'READER' });
    await tool('update_member', { org_id, email, role: 'OWNER' });
    const members = await tool('list_members', { org_id });
    await tool('remove_member', { org_id, email });
    const fewer = await tool('list_members', { org_id });
    const counted = await tool('delete', { org_id, dry_run: true });
    const deleted = await confirmed('manage_organization', { action: 'delete', org_id });
    const hidden = await refusal('manage_organization', { action: 'get', org_id });

    expect(namesIn(listed)).toContain('Guild');
    expect(got).toMatchObject({ org_id, name: 'Guild' });
    expect(members.members).toContainEqual(expect.objectContaining({ email, role: 'OWNER' }));
    expect(fewer.members).toHaveLength(1);
    expect(counted.message).toContain('Dry run');
    expect(deleted.message).toContain('deleted');
    expect(hidden).toContain('not found');
  });
});

describe('manage_project', () => {
  it('does each of its actions', async () => {
    const { org_id } = engine.projects.own;
    const tool = (action: string, args: Args = {}) => call('manage_project', { action, ...args });

    const { project_id } = await tool('create', { org_id, name: 'Garden', description: 'Plants' });
    const listed = await tool('list', { org_id });
    await tool('update', { project_id, custom_instructions: 'Plants only' });
    const got = await tool('get', { project_id });
    await tool('add_member', { project_id, email, role: 'READER' });
    await tool('update_member', { project_id, email, role: 'OWNER' });
    const members = await tool('list_members', { project_id });
    await tool('remove_member', { project_id, email });
    const fewer = await tool('list_members', { project_id });
    await call('add_memory', { text: 'The roses are red', user_id: 'alex', project_id });
    const counted = await tool('delete', { project_id, dry_run: true });
    const deleted = await confirmed('manage_project', { action: 'delete', project_id });
    const hidden = await refusal('manage_project', { action: 'get', project_id });

    expect(namesIn(listed)).toContain('Garden');
    expect(got).toMatchObject({ description: 'Plants', custom_instructions: 'Plants only' });
    expect(members.members).toContainEqual(expect.objectContaining({ email, role: 'OWNER' }));
    expect(fewer.members).toHaveLength(1);
    expect(counted).toMatchObject({ would_delete: 1, samples: [{ memory: 'The roses are red' }] });
    expect(deleted.message).toContain('deleted');
    expect(hidden).toContain('not found');
  });
});

describe('create_export and get_export', () => {
  it('fill a schema from memories', async () => {
    await call('add_memory', { text: 'My email is alex@example.com', user_id: 'alex' });
    const schema = {
      type: 'object',
      properties: { email: { type: 'string', format: 'email' }, shoe_size: { type: 'number' } },
    };

    const { id } = await call('create_export', { schema, user_id: 'alex' });
    const done = await settled({ memory_export_id: id });

    expect(done).toMatchObject({
      status: 'SUCCEEDED',
      data: { email: 'alex@example.com', shoe_size: null },
    });
  });

  it('say when there is none', async () => {
    const said = await refusal('get_export', { memory_export_id: unknownId });

    expect(said).toContain('No memory export request found');
  });
});

describe.each(groups)('%s', (name) => {
  it.each([
    [{}, 'action: must be one of '],
    [{ action: 'remove' }, 'action: must be one of '],
    [{ action: 'creat' }, 'Did you mean "create"?'],
    [{ action: 'list', colour: 'red' }, 'unknown argument "colour"'],
  ])('called with %j says what it takes', async (args, said) => {
    expect(await refusal(name, args)).toContain(said);
  });

  it('has only actions that read on a server that may only read', async () => {
    const reading = await start({ read_only: true });

    const actions = await actionsOf(name, reading);
    const refused = await refusal(name, { action: 'create', name: 'x', url }, reading);

    expect(actions).toEqual(expect.arrayContaining(['list', 'get']));
    expect(JSON.stringify(actions)).not.toMatch(/create|update|delete|add|remove|rotate|test/);
    expect(refused).toContain('read-only');
  });

  it('is left out, and refused, where the scope is locked', async () => {
    const locked = await start({ lock_scope: true, scope: { user_id: 'alex' } });

    const { tools } = await locked.listTools();
    const refused = await refusal(name, { action: 'list' }, locked);

    expect(tools.map((tool) => tool.name)).not.toContain(name);
    expect(refused).toContain('switched off');
  });
});

describe('a delete of a place', () => {
  const args = () => ({ action: 'delete', project_id: engine.projects.sibling.project_id });

  it('asks the user of a client that shows forms, and takes a no', async () => {
    const asked: string[] = [];
    const declining = await start({}, { action: 'decline' }, asked);

    const result = await declining.callTool({ name: 'manage_project', arguments: args() });

    expect(asked).toEqual([
      'Erase project "sibling" with 0 memories for good? This cannot be undone.',
    ]);
    expect(textOf(result)).toContain('nothing was deleted');
    await call('manage_project', { action: 'get', project_id: 'sibling' });
  });

  it('goes on once the user has said yes', async () => {
    const yes = { action: 'accept', content: { confirm: true } } as const;
    const accepting = await start({}, yes);

    const data = await call('manage_project', args(), accepting);

    expect(data.message).toContain('deleted');
  });

  it('deletes nothing with a token of another place', async () => {
    const first = textOf(await client.callTool({ name: 'manage_project', arguments: args() }));
    const [, confirm] = /confirm: "([^"]+)"/.exec(first) ?? [];
    const other = { action: 'delete', project_id: engine.projects.own.project_id, confirm };

    expect(await refusal('manage_project', other)).toContain('nothing was deleted');
  });

  it('needs no confirmation where the configuration asks for none', async () => {
    const trusting = await start({ confirm_destructive: false });

    const data = await call('manage_project', args(), trusting);

    expect(data.message).toContain('deleted');
  });

  it('keeps the last project of a store, and its organization', async () => {
    const trusting = await start({ confirm_destructive: false });
    const { foreign, own, sibling } = engine.projects;
    const remove = ({ project_id }: typeof own) => ({ action: 'delete', project_id });

    await call('manage_organization', { action: 'delete', org_id: foreign.org_id }, trusting);
    await call('manage_project', remove(sibling), trusting);
    const project = await refusal('manage_project', remove(own), trusting);
    const args = { action: 'delete', org_id: own.org_id };
    const organization = await refusal('manage_organization', args, trusting);

    expect(project).toContain('cannot be deleted');
    expect(organization).toContain('cannot be deleted');
  });
});
