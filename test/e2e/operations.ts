import { randomUUID } from 'node:crypto';
import { toHttpRequest } from '../../src/contract/http-binding.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { contract, type OperationName } from '../../src/contract.ts';
import { pickFields, requiredFields } from '../support/example-input.ts';
import { type Answer, createKey, listOf, type Service } from './service.ts';

export type Input = Record<string, unknown>;

/** A store with two tenants, and the keys of the callers. */
export type World = {
  service: Service;
  /** The owner's own place. */
  org_id: string;
  project_id: string;
  keys: { owner: string; readOnly: string; reader: string; foreign: string };
};

/** How to call one operation so that it succeeds, and how to get it wrong. */
export type Example = {
  /** The input, after what the call needs was created. */
  input: (world: World) => Promise<Input> | Input;
  /** Fields that make the same call a 400; null if nothing can be wrong. */
  wrong: Input | null;
  status?: number;
};

/** Calls an operation on its canonical route. */
export function callOver(
  { send }: Service,
  { name, input, key }: { name: OperationName; input: Input; key: string | null },
): Promise<Answer> {
  const record: Operation = contract[name];
  const { method, path, body } = toHttpRequest(record, input);
  return send(method, path, { key, ...(body !== null && { body }) });
}

/** Creates as the owner what another call needs. */
async function make(world: World, name: OperationName, input: Input): Promise<Answer> {
  const answer = await callOver(world.service, { name, input, key: world.keys.owner });
  if (answer.status < 300) return answer;
  throw new Error(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

let made = 0;
const user_id = 'alex';
const graphLine = { type: 'entity', name: 'Otis', entityType: 'dog', observations: ['barks'] };
const url = 'https://example.com/hook';
const schema = { type: 'object', properties: { name: { type: 'string' } } };

async function memory(world: World): Promise<unknown> {
  made += 1;
  const input = { text: `Fact number ${made}`, user_id };
  const [added] = listOf(await make(world, 'add_memory', input));
  return added?.id;
}

/** What the required fields of an operation without an example hold. */
const fieldValues: Readonly<Record<string, (world: World) => unknown>> = {
  memory_id: memory,
  entity_type: () => 'user',
  entity_id: () => user_id,
  user_id: () => user_id,
  agent_id: () => 'helper',
  app_id: () => 'shop',
  run_id: () => 'monday',
  name: () => 'A name',
  org_id: ({ org_id }) => org_id,
  project_id: ({ project_id }) => project_id,
  webhook_id: async (world) => (await webhook(world)).webhook_id,
};

/** How to call an operation: its own example, else one that its record gives. */
export function exampleOf(name: OperationName): Example {
  const record: Operation = contract[name];
  const required = requiredFields(record);
  const [id] = 'org_id' in record.input.shape ? ['org_id'] : required;
  return (
    examples[name] ?? {
      input: (world) => inputOf(required, world),
      wrong: id === undefined ? null : { [id]: tooLong },
      status: record.status,
    }
  );
}

async function inputOf(fields: readonly string[], world: World): Promise<Input> {
  const made = Object.entries(pickFields(fields, fieldValues)).map(
    async ([field, make]) => [field, await make(world)] as const,
  );
  return Object.fromEntries(await Promise.all(made));
}

async function oneMemory(world: World): Promise<Input> {
  return { memory_id: await memory(world) };
}

async function organization(world: World): Promise<Input> {
  const { org_id } = (await make(world, 'create_organization', { name: 'Another' })).body;
  return { org_id };
}

async function project(world: World): Promise<Input> {
  const { org_id } = world;
  const name = `Another ${randomUUID()}`;
  const { project_id } = (await make(world, 'create_project', { org_id, name })).body;
  return { org_id, project_id };
}

/** In a project of its own, which trusts nobody but the user. */
async function waitingMemory(world: World): Promise<Input> {
  const { project_id } = await project(world);
  await make(world, 'update_project', { org_id: world.org_id, project_id, trust_min: 'user' });
  const input = { text: 'Owns a boat', user_id, source_class: 'tool', project_id };
  const [added] = listOf(await make(world, 'add_memory', input));
  return { memory_id: added?.id, project_id };
}

/** In a project of its own, which keeps what is asked. */
async function keptRecall(world: World): Promise<Input> {
  const { project_id } = await project(world);
  const { org_id } = world;
  await make(world, 'update_project', { org_id, project_id, keep_recalls: 'text' });
  await make(world, 'search_memories', { query: 'tea', user_id, project_id });
  const [kept] = listOf(await make(world, 'list_recalls', { project_id }));
  return { recall_id: kept?.id, project_id };
}

/** In a project of its own, because a project has few. */
async function webhook(world: World, to = url): Promise<Input> {
  const { project_id } = await project(world);
  const { webhook_id } = (await make(world, 'create_webhook', { project_id, url: to })).body;
  return { webhook_id };
}

async function organizationMember(world: World): Promise<Input> {
  const place = await organization(world);
  await make(world, 'add_organization_member', { ...place, ...reader });
  return { ...place, email: reader.email };
}

async function projectMember(world: World): Promise<Input> {
  const place = await project(world);
  await make(world, 'add_project_member', { ...place, ...reader });
  return { ...place, email: reader.email };
}

/** Of a person who shares no organization with the owner yet. */
async function invitation({ service }: World): Promise<Input> {
  made += 1;
  const key = await createKey(service.data_dir, ['--email', `host-${made}@example.com`]);
  const call = (name: OperationName, input: Input) => callOver(service, { name, input, key });
  const { org_id } = (await call('create_organization', { name: 'Host' })).body;
  await call('add_organization_member', { org_id, email: 'owner@localhost', role: 'READER' });
  return { org_id };
}

function newSnapshot(): Input {
  made += 1;
  return { name: `snapshot ${made}` };
}

const reader = { email: 'ada@example.com', role: 'READER' };
const badId = { memory_id: 'no-uuid' };
const badPage = { page: 'first' };
const badFilters = { filters: { colour: 'red' } };
const tooLong = 'x'.repeat(256);

/** Of operations whose input says too little by itself, or which change what others read. */
const examples: { [N in OperationName]?: Example } = {
  add_memory: { input: () => ({ text: 'Likes tea', user_id }), wrong: { user_id: '' } },
  search_memories: { input: () => ({ query: 'tea', user_id }), wrong: badFilters },
  list_recalls: { input: () => ({ user_id }), wrong: badPage },
  replay_recall: { input: keptRecall, wrong: { recall_id: 'none' } },
  get_memories: { input: () => ({ user_id }), wrong: badPage },
  get_memory: { input: oneMemory, wrong: badId },
  update_memory: {
    input: async (world) => ({ ...(await oneMemory(world)), text: 'Better' }),
    wrong: { metadata: 'none' },
  },
  delete_memory: { input: oneMemory, wrong: badId, status: 204 },
  delete_all_memories: {
    input: async (world) => {
      await make(world, 'add_memory', { text: 'Soon gone', user_id: 'leaving' });
      return { user_id: 'leaving' };
    },
    wrong: { filters: 'everything' },
    status: 204,
  },
  batch_update_memories: {
    input: async (world) => ({ memories: [{ ...(await oneMemory(world)), text: 'In a batch' }] }),
    wrong: { memories: [] },
  },
  batch_delete_memories: {
    input: async (world) => ({ memory_ids: [await memory(world)] }),
    wrong: { memory_ids: ['no-uuid'] },
  },
  erase_memories: {
    input: async (world) => ({ memory_ids: [await memory(world)] }),
    wrong: { memory_ids: ['no-uuid'] },
  },
  get_history: { input: oneMemory, wrong: badId },
  list_history: { input: () => ({ user_id }), wrong: badPage },
  list_changes: { input: () => ({}), wrong: { after: 'yesterday' } },
  undo_changes: { input: oneMemory, wrong: { since: 'some day' } },
  diff_changes: { input: () => ({ from: '2026-01-31' }), wrong: { from: 'some day' } },
  create_snapshot: { input: newSnapshot, wrong: { name: '' }, status: 201 },
  delete_snapshot: {
    input: async (world) => {
      const snapshot = newSnapshot();
      await make(world, 'create_snapshot', snapshot);
      return snapshot;
    },
    wrong: { name: '2026-01-31' },
  },
  get_filter_values: { input: () => ({}), wrong: { org_id: tooLong } },
  list_audit: { input: () => ({}), wrong: { page: 0 } },
  list_reviews: { input: () => ({}), wrong: badPage },
  review_memory: {
    input: async (world) => ({ ...(await waitingMemory(world)), decision: 'accept' }),
    wrong: { decision: 'maybe' },
  },
  resolve_ids: {
    input: async (world) => ({ short_ids: [String(await memory(world)).slice(-8)] }),
    wrong: { short_ids: ['x'] },
  },
  add_feedback: {
    input: async (world) => ({ ...(await oneMemory(world)), feedback: 'POSITIVE' }),
    wrong: { feedback: 'FINE' },
  },
  create_export: { input: () => ({ schema, user_id }), wrong: { schema: 'none' }, status: 201 },
  get_export: {
    input: async (world) => {
      const { id } = (await make(world, 'create_export', { schema, user_id })).body;
      return { memory_export_id: id };
    },
    wrong: { memory_export_id: 'no-uuid' },
  },
  list_entities: { input: () => ({}), wrong: badPage },
  delete_entity: {
    input: async (world) => {
      made += 1;
      const entity_id = `leaving-${made}`;
      await make(world, 'add_memory', { text: 'Soon gone', user_id: entity_id });
      return { entity_type: 'user', entity_id };
    },
    wrong: { entity_id: tooLong },
    status: 204,
  },
  list_events: { input: () => ({}), wrong: { status: 'DONE' } },
  get_event: {
    input: async (world) => {
      const messages = [{ role: 'user', content: 'I moved to Bern.' }];
      const added = await make(world, 'add_memory', { messages, user_id });
      return { event_id: listOf(added)[0]?.event_id };
    },
    wrong: { event_id: 'no-uuid' },
  },
  create_webhook: {
    input: ({ project_id }) => ({ project_id, url }),
    wrong: { url: 'nowhere' },
    status: 201,
  },
  list_webhooks: { input: ({ project_id }) => ({ project_id }), wrong: { org_id: tooLong } },
  get_webhook: { input: (world) => webhook(world), wrong: { webhook_id: 'no-uuid' } },
  update_webhook: {
    input: async (world) => ({ ...(await webhook(world)), name: 'Renamed' }),
    wrong: { event_types: ['memory:forget'] },
  },
  delete_webhook: { input: (world) => webhook(world), wrong: { webhook_id: 'no-uuid' } },
  rotate_webhook_secret: { input: (world) => webhook(world), wrong: { webhook_id: 'no-uuid' } },
  test_webhook: {
    // Port 9 refuses immediately; the outcome of the delivery is part of the response.
    input: (world) => webhook(world, 'https://127.0.0.1:9/'),
    wrong: { webhook_id: 'no-uuid' },
  },
  resend_webhook_delivery: {
    input: async (world) => {
      const { project_id } = await project(world);
      const { webhook_id } = (await make(world, 'create_webhook', { project_id, url })).body;
      await make(world, 'add_memory', { text: 'Told to a webhook', user_id, project_id });
      const deliveries = await make(world, 'list_webhook_deliveries', { webhook_id });
      return { webhook_id, delivery_id: listOf(deliveries)[0]?.id };
    },
    wrong: { delivery_id: tooLong },
  },
  list_webhook_deliveries: { input: (world) => webhook(world), wrong: badPage },
  create_organization: { input: () => ({ name: 'Ours' }), wrong: { name: '' }, status: 201 },
  list_organizations: { input: () => ({}), wrong: null },
  delete_organization: { input: organization, wrong: { org_id: tooLong } },
  add_organization_member: {
    input: async (world) => ({ ...(await organization(world)), ...reader }),
    wrong: { role: 'BOSS' },
    status: 201,
  },
  update_organization_member: {
    input: async (world) => ({ ...(await organizationMember(world)), role: 'OWNER' }),
    wrong: { email: 'nobody' },
  },
  remove_organization_member: { input: organizationMember, wrong: { email: 'nobody' } },
  list_invitations: { input: () => ({}), wrong: badPage },
  accept_invitation: { input: invitation, wrong: { org_id: tooLong } },
  decline_invitation: { input: invitation, wrong: { org_id: tooLong } },
  create_project: { input: ({ org_id }) => ({ org_id, name: 'Ours' }), wrong: { name: '' } },
  update_project: {
    input: async (world) => ({ ...(await project(world)), custom_instructions: 'Be brief' }),
    wrong: { custom_categories: 'none' },
  },
  delete_project: { input: project, wrong: { project_id: tooLong } },
  add_project_member: {
    input: async (world) => ({ ...(await project(world)), ...reader }),
    wrong: { role: 'BOSS' },
  },
  update_project_member: {
    input: async (world) => ({ ...(await projectMember(world)), role: 'OWNER' }),
    wrong: { email: 'nobody' },
  },
  remove_project_member: { input: projectMember, wrong: { email: 'nobody' } },
  get_growth: { input: () => ({}), wrong: { days: 0 } },
  list_relations: { input: () => ({}), wrong: { limit: 0 } },
  create_key: { input: () => ({}), wrong: { expires_in_days: 'soon' }, status: 201 },
  list_keys: { input: () => ({}), wrong: null },
  revoke_key: {
    input: async (world) => {
      const { key_id } = (await make(world, 'create_key', {})).body;
      return { key_id };
    },
    wrong: { key_id: tooLong },
  },
  import_memories: {
    input: () => ({ lines: [graphLine], format: 'server-memory', user_id }),
    wrong: { lines: [] },
  },
  list_models: { input: () => ({}), wrong: null },
  get_configuration: { input: () => ({}), wrong: null },
  create_backup: { input: () => ({}), wrong: null, status: 201 },
  get_summary: { input: () => ({ filters: { user_id } }), wrong: badFilters },
  get_profile: {
    input: () => ({ entity_type: 'user', entity_id: user_id }),
    wrong: { entity_id: tooLong },
  },
  update_profile_settings: { input: () => ({ enabled: true }), wrong: { enabled: 'perhaps' } },
  create_profile_job: { input: () => ({ entity_id: user_id }), wrong: { operation: 'guess' } },
  get_profile_job: {
    input: async (world) => {
      const { job_id } = (await make(world, 'create_profile_job', { entity_id: user_id })).body;
      return { job_id };
    },
    wrong: { job_id: tooLong },
  },
};
