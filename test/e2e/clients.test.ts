import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolNames } from '../support/tool-names.ts';
import { type Connection, clients } from './clients.ts';
import { httpClients } from './http-clients.ts';
import { ownerKey, type Service, spawnService } from './service.ts';
import { localUser, type Settings, type ToolResult } from './support.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

type Item = Record<string, unknown>;
type Refusal = { args: Item; code: string; says: string };

/** One tool as an agent uses it: its result, and how it refuses. */
type Scenario = {
  tool: string;
  succeeds: (agent: Connection) => Promise<void>;
  refuses: Refusal;
};

/** Each scenario has a user of its own, so that they share one server and nothing else. */
const scenarios: Scenario[] = [
  {
    tool: 'add_memory',
    succeeds: async (agent) => {
      const verbatim = await agent.call('add_memory', { text: 'Likes green tea', user_id: 'add' });
      const messages = [{ role: 'user', content: 'I moved to Lisbon in May. Thanks!' }];
      const inferred = await agent.call('add_memory', { messages, user_id: 'add' });

      expect(resultsOf(verbatim)).toMatchObject([{ event: 'ADD', memory: 'Likes green tea' }]);
      expect(inferred.structuredContent.status).toBe('SUCCEEDED');
      expect(JSON.stringify(resultsOf(inferred))).toContain('Lisbon');
    },
    refuses: { args: { text: '' }, code: 'invalid', says: 'text' },
  },
  {
    tool: 'search_memories',
    succeeds: async (agent) => {
      await add(agent, 'Plays the cello on Sundays', 'search');

      const found = await agent.call('search_memories', { query: 'cello', user_id: 'search' });

      expect(resultsOf(found)).toMatchObject([{ memory: 'Plays the cello on Sundays' }]);
      expect(found.content[0]?.text).toContain('Plays the cello on Sundays');
    },
    refuses: { args: { query: '  ' }, code: 'invalid', says: 'query' },
  },
  {
    tool: 'get_memories',
    succeeds: async (agent) => {
      await add(agent, 'Owns a red bicycle', 'list');

      const args = { user_id: 'list', response_format: 'detailed', page_size: 5 };
      const listed = await agent.call('get_memories', args);

      expect(listed.structuredContent).toMatchObject({ total: 1, page: 1, page_size: 5 });
      expect(resultsOf(listed)).toMatchObject([{ memory: 'Owns a red bicycle', user_id: 'list' }]);
    },
    refuses: { args: { filters: { colour: 'red' } }, code: 'invalid', says: 'unknown field' },
  },
  {
    tool: 'get_memory',
    succeeds: async (agent) => {
      const memory_id = await add(agent, 'Is allergic to nuts', 'get');

      const got = await agent.call('get_memory', { memory_id });

      expect(got.structuredContent).toMatchObject({ id: memory_id, memory: 'Is allergic to nuts' });
    },
    refuses: { args: { memory_id: unknownId }, code: 'not_found', says: 'search_memories' },
  },
  {
    tool: 'update_memory',
    succeeds: async (agent) => {
      const memory_id = await add(agent, 'Lives in Rome', 'update');

      const args = { memory_id, text: 'Lives in Oslo', metadata: { topic: 'home' } };
      const updated = await agent.call('update_memory', args);

      expect(updated.structuredContent).toMatchObject({ id: memory_id, memory: 'Lives in Oslo' });
    },
    refuses: { args: { memory_id: unknownId }, code: 'invalid', says: 'nothing to update' },
  },
  {
    tool: 'delete_memory',
    succeeds: async (agent) => {
      const memory_id = await add(agent, 'Wants to be forgotten', 'delete');

      const deleted = await agent.call('delete_memory', { memory_id });

      expect(deleted.structuredContent).toMatchObject({ deleted: 1 });
      expect((await agent.call('get_memory', { memory_id })).isError).toBe(true);
    },
    refuses: { args: { memory_id: 'no-uuid' }, code: 'invalid', says: 'is not the id of a memory' },
  },
  {
    tool: 'delete_all_memories',
    succeeds: async (agent) => {
      await add(agent, 'First of two', 'sweep');
      await add(agent, 'Second of two', 'sweep');

      const deleted = await confirmed(agent, 'delete_all_memories', { user_id: 'sweep' });

      expect(deleted.structuredContent).toMatchObject({ deleted: 2 });
    },
    refuses: {
      args: { user_id: 'nobody', confirm: 1 },
      code: 'invalid',
      says: 'confirm',
    },
  },
  {
    tool: 'batch_update_memories',
    succeeds: async (agent) => {
      const first = await add(agent, 'Drives a van', 'batch');
      const second = await add(agent, 'Drives a lorry', 'batch');

      const memories = [first, second].map((memory_id, index) => ({
        memory_id,
        text: `Sold car ${index}`,
      }));
      const updated = await agent.call('batch_update_memories', { memories });

      expect(updated.structuredContent.message).toContain('2 memories');
    },
    refuses: {
      args: { memories: [{ memory_id: unknownId, text: 'x' }] },
      code: 'not_found',
      says: unknownId,
    },
  },
  {
    tool: 'batch_delete_memories',
    succeeds: async (agent) => {
      const memory_ids = [await add(agent, 'One', 'pair'), await add(agent, 'Two', 'pair')];

      const deleted = await confirmed(agent, 'batch_delete_memories', { memory_ids });

      expect(deleted.structuredContent).toMatchObject({ deleted: 2 });
    },
    refuses: { args: { memory_ids: [] }, code: 'invalid', says: 'at least one id' },
  },
  {
    tool: 'get_history',
    succeeds: async (agent) => {
      const memory_id = await add(agent, 'Has one cat', 'history');
      await agent.call('update_memory', { memory_id, text: 'Has two cats' });

      const history = await agent.call('get_history', { memory_id });

      expect(resultsOf(history)).toMatchObject([
        { event: 'ADD', new_memory: 'Has one cat' },
        { event: 'UPDATE', old_memory: 'Has one cat', new_memory: 'Has two cats' },
      ]);
    },
    refuses: { args: { memory_id: unknownId }, code: 'not_found', says: 'not found' },
  },
  {
    tool: 'add_feedback',
    succeeds: async (agent) => {
      const memory_id = await add(agent, 'Hums in the shower', 'feedback');

      const args = { memory_id, feedback: 'POSITIVE', feedback_reason: 'it helped' };
      const rated = await agent.call('add_feedback', args);

      expect(rated.structuredContent).toMatchObject(args);
    },
    refuses: {
      args: { memory_id: unknownId, feedback: 'GREAT' },
      code: 'invalid',
      says: 'must be one of POSITIVE, NEGATIVE, VERY_NEGATIVE',
    },
  },
  {
    tool: 'create_export',
    succeeds: async (agent) => {
      const args = { schema: { type: 'object', properties: {} }, user_id: 'export' };

      const { structuredContent } = await agent.call('create_export', args);

      expect(structuredContent.id).toBeTruthy();
    },
    refuses: { args: { schema: 'none' }, code: 'invalid', says: 'schema' },
  },
  {
    tool: 'get_export',
    succeeds: async (agent) => {
      const args = { schema: { type: 'object', properties: {} }, user_id: 'export' };
      const { structuredContent } = await agent.call('create_export', args);

      const found = await agent.call('get_export', { memory_export_id: structuredContent.id });

      expect(found.structuredContent.id).toBe(structuredContent.id);
    },
    refuses: { args: { memory_export_id: unknownId }, code: 'not_found', says: 'No memory export' },
  },
  {
    tool: 'list_entities',
    succeeds: async (agent) => {
      await add(agent, 'Counted', 'entity');

      const listed = await agent.call('list_entities', { entity_type: 'user', page_size: 1000 });

      expect(resultsOf(listed)).toContainEqual(
        expect.objectContaining({ id: 'entity', type: 'user', total_memories: 1 }),
      );
    },
    refuses: { args: { entity_type: 'planet' }, code: 'invalid', says: 'Invalid entity type' },
  },
  {
    tool: 'delete_entity',
    succeeds: async (agent) => {
      await add(agent, 'Leaves no trace', 'leaver');

      const args = { entity_type: 'user', entity_id: 'leaver' };
      const deleted = await confirmed(agent, 'delete_entity', args);

      expect(deleted.structuredContent).toMatchObject({ deleted: 1 });
    },
    refuses: {
      args: { entity_type: 'user', entity_id: 'never seen' },
      code: 'not_found',
      says: 'list_entities',
    },
  },
  {
    tool: 'list_events',
    succeeds: async (agent) => {
      await add(agent, 'Something happened', 'events');

      const listed = await agent.call('list_events', { event_type: 'ADD', status: 'SUCCEEDED' });

      expect(JSON.stringify(resultsOf(listed))).toContain('Something happened');
    },
    refuses: { args: { page: -1 }, code: 'invalid', says: 'page' },
  },
  {
    tool: 'get_event',
    succeeds: async (agent) => {
      const added = await agent.call('add_memory', { text: 'Is recorded', user_id: 'event' });

      const { event_id } = added.structuredContent;
      const event = await agent.call('get_event', { event_id });

      expect(event.structuredContent).toMatchObject({ id: event_id, status: 'SUCCEEDED' });
    },
    refuses: { args: { event_id: unknownId }, code: 'not_found', says: 'list_events' },
  },
  {
    tool: 'manage_webhook',
    succeeds: async (agent) => {
      const args = { action: 'create', url: 'https://hooks.example.com/a', is_active: false };

      const { structuredContent } = await agent.call('manage_webhook', args);
      const listed = await agent.call('manage_webhook', { action: 'list' });

      expect(structuredContent.secret).toMatch(/^whsec_/);
      expect(JSON.stringify(listed.structuredContent)).toContain('hooks.example.com');
      expect(JSON.stringify(listed.structuredContent)).not.toContain('whsec_');
    },
    refuses: { args: { action: 'crate' }, code: 'invalid', says: 'create' },
  },
  {
    tool: 'manage_organization',
    succeeds: async (agent) => {
      const made = await agent.call('manage_organization', { action: 'create', name: 'Acme' });

      const { org_id } = made.structuredContent;
      const found = await agent.call('manage_organization', { action: 'get', org_id });

      expect(found.structuredContent).toMatchObject({ org_id, name: 'Acme' });
    },
    refuses: { args: { action: 'get', org_id: 'none' }, code: 'not_found', says: 'Organization' },
  },
  {
    tool: 'manage_project',
    succeeds: async (agent) => {
      const made = await agent.call('manage_organization', { action: 'create', name: 'Acme' });
      const { org_id } = made.structuredContent;

      await agent.call('manage_project', { action: 'create', org_id, name: 'Site' });
      const listed = await agent.call('manage_project', { action: 'list', org_id });

      expect(JSON.stringify(listed.structuredContent)).toContain('Site');
    },
    refuses: { args: { action: 'get', project_id: 'none' }, code: 'not_found', says: 'project' },
  },
];

/** Every client on a store of its own; one of them also in front of a remote service. */
const setups = [
  ...[...clients, ...httpClients].map(([name, connect]) => [name, connect, false] as const),
  ...clients.slice(0, 1).map(([name, connect]) => [`${name}, far away`, connect, true] as const),
];

describe.each(setups)('%s', (_, connectAs, isRemote) => {
  let agent: Connection;
  let folder: string;
  let settings: Settings;
  let service: Service | null = null;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
    service = isRemote ? await spawnService({ data_dir: join(folder, 'service') }) : null;
    const remote = { MNEME_BASE_URL: service?.url ?? '', MNEME_API_KEY: ownerKey };
    settings = { data_dir: folder, env: isRemote ? remote : {} };
    agent = await connectAs(settings);
    // A client checks results against the output schemas that it has read.
    await agent.client.listTools();
  });
  afterAll(async () => {
    await agent.close();
    service?.kill('SIGKILL');
    await service?.exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it.runIf(isRemote)('keeps nothing on its own machine', async () => {
    await add(agent, 'Is stored elsewhere', 'elsewhere');

    const kept = await readdir(folder, { recursive: true });
    expect(kept.filter((path) => /\.db/.test(path) && !path.startsWith('service'))).toEqual([]);
  });

  it('is told which server responds and how to use the memory', () => {
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'mneme' });
    expect(agent.client.getInstructions()).toContain(`Current user: "${localUser}"`);
  });

  it('sees every tool', async () => {
    const { tools } = await agent.client.listTools();

    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
  });

  it.each(scenarios)('gets a result of $tool', async ({ succeeds }) => {
    await succeeds(agent);
  });

  it.each(scenarios)('reads how $tool refuses', async ({ tool, refuses }) => {
    const { args, code, says } = refuses;

    const refused = await agent.call(tool, args);

    expect(refused.isError).toBe(true);
    expect(refused.structuredContent.error).toMatchObject({ code });
    expect(refused.content[0]?.text).toContain(says);
  });

  it('fills in every prompt', async () => {
    const { prompts } = await agent.client.listPrompts();
    const filled = await Promise.all(
      prompts.map(({ name, arguments: known = [] }) => {
        const given = known.map((argument) => [argument.name, 'my garden'] as const);
        return agent.client.getPrompt({ name, arguments: Object.fromEntries(given) });
      }),
    );

    expect(prompts.map(({ name }) => name)).toEqual(['recall', 'remember', 'review']);
    expect(filled.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
    expect(JSON.stringify(filled[0])).toContain('my garden');
  });

  it('is refused a prompt that lacks its argument', async () => {
    await expect(agent.client.getPrompt({ name: 'recall' })).rejects.toThrow('topic');
  });

  it('reads the profile of its user', async () => {
    await add(agent, 'Grows tomatoes', localUser);
    const { resources } = await agent.client.listResources();
    const uri = resources[0]?.uri ?? '';

    const { contents } = await agent.client.readResource({ uri });

    expect(uri).toBe(`mneme://entity/user/${localUser}/profile`);
    expect(JSON.stringify(contents)).toContain('Grows tomatoes');
  });

  it('reads a memory by its template', async () => {
    const memory_id = await add(agent, 'Sings in a choir', 'template');
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);

    const uri = (templates[0] ?? '').replace('{memory_id}', memory_id);
    const { contents } = await agent.client.readResource({ uri });

    expect(templates).toHaveLength(2);
    expect(JSON.stringify(contents)).toContain('Sings in a choir');
  });

  it('is told that a resource does not exist', async () => {
    const uri = `mneme://memory/${unknownId}`;

    await expect(agent.client.readResource({ uri })).rejects.toThrow(/not found/i);
  });

  it.each([
    ['deletes in bulk once its user has confirmed by a form', true, 0],
    ['deletes nothing when its user does not', false, 1],
  ])('%s', async (_title, confirm, left) => {
    const asked: string[] = [];
    const polite = await connectAs(settings, { confirm, asked });
    await add(polite, 'Is asked about', `asked ${confirm}`);

    const user_id = `asked ${confirm}`;
    await polite.call('delete_all_memories', { user_id });
    const { structuredContent } = await polite.call('get_memories', { user_id });
    await polite.close();

    expect(asked).toEqual([expect.stringContaining('Delete 1 memory')]);
    expect(structuredContent.total).toBe(left);
  });

  it('is told the existing tools when it calls an unknown one', async () => {
    await expect(agent.call('search_memorys', {})).rejects.toThrow('search_memories');
  });
});

function resultsOf({ structuredContent }: ToolResult): Item[] {
  return structuredContent.results as Item[]; // what the output schema of a list says
}

/** Stores a text for a user; returns its id. */
async function add(agent: Connection, text: string, user_id: string): Promise<string> {
  const added = await agent.call('add_memory', { text, user_id });
  expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
  return String(resultsOf(added)[0]?.id);
}

/** Carries out a bulk delete as an agent does whose user can't be shown a form. */
async function confirmed(agent: Connection, tool: string, args: Item): Promise<ToolResult> {
  const asked = await agent.call(tool, args);
  const { confirm } = asked.structuredContent;
  expect(asked.isError).toBeFalsy();
  return agent.call(tool, { ...args, confirm });
}
