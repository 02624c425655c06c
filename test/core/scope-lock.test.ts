import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Operation } from '../../src/contract/operation.ts';
import { type Caller, contract, type OperationName } from '../../src/contract.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { pickFields, requiredFields } from '../support/example-input.ts';

type Fields = Record<string, unknown>;

const secret = /wombat|burrow/;
const ada = { user_id: 'ada', agent_id: 'cook' };
const bob = { user_id: 'bob', agent_id: 'digger' };

let engine: Engine;
let own: string;
let foreign: string;

beforeEach(async () => {
  engine = await startEngine();
  own = await store('Ada likes tea', ada);
  foreign = await store('Bob keeps a wombat in a burrow', bob);
});
afterEach(() => engine.stop());

const lockedTo = (lock: NonNullable<Caller['lock']>): Caller => ({ ...owner, lock });
const allNames = Object.keys(contract) as OperationName[];

/** What a caller that is locked to Ada is answered. */
async function answered(name: OperationName, input: Fields, caller = lockedTo({ user_id: 'ada' })) {
  try {
    return { ...(await engine.invoke(name, input, { caller })) } as Fields;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { code, message } as Fields;
  }
}

describe('a caller that is locked to a user', () => {
  it.each(allNames)('learns and changes nothing of another by %s', async (name) => {
    const { input }: Operation = contract[name];
    const before = await everythingOfBob();

    for (const more of [{}, bob, { user_id: 'bob' }, { filters: { user_id: 'bob' } }]) {
      const fields = pickFields(requiredFields(contract[name]), valuesOfBob());
      const known = Object.entries(more).filter(([field]) => field in input.shape);
      const answer = await answered(name, { ...fields, ...Object.fromEntries(known) });

      expect(JSON.stringify(answer)).not.toMatch(secret);
    }
    expect(await everythingOfBob()).toEqual(before);
  });

  it('is refused what reaches beyond entities', async () => {
    const codes = await Promise.all(
      allNames.map(async (name) => {
        const fields = pickFields(requiredFields(contract[name]), valuesOfBob());
        return [name, (await answered(name, fields)).code] as const;
      }),
    );

    const forbidden = codes.filter(([, code]) => code === 'forbidden').map(([name]) => name);
    expect(forbidden).toEqual([
      'delete_snapshot',
      'create_agent',
      'create_app',
      'create_run',
      'get_filter_values',
      'create_webhook',
      'list_webhooks',
      'get_webhook',
      'delete_webhook',
      'rotate_webhook_secret',
      'test_webhook',
      'list_webhook_deliveries',
      'resend_webhook_delivery',
      'create_organization',
      'list_organizations',
      'get_organization',
      'delete_organization',
      'list_organization_members',
      'add_organization_member',
      'update_organization_member',
      'remove_organization_member',
      'list_invitations',
      'accept_invitation',
      'decline_invitation',
      'create_project',
      'list_projects',
      'get_project',
      'delete_project',
      'list_project_members',
      'add_project_member',
      'update_project_member',
      'remove_project_member',
      'get_stats',
      'get_growth',
      'get_profile_settings',
      'update_profile_settings',
      'get_profile_job',
      'create_key',
      'list_keys',
      'revoke_key',
      'list_audit',
      'list_models',
      'get_configuration',
      'create_backup',
    ]);
  });

  it('sees and changes its own', async () => {
    const seen = await answered('get_memory', { memory_id: own });
    const listed = await answered('get_memories', {});
    const changed = await answered('update_memory', { memory_id: own, text: 'Ada likes coffee' });
    const history = await answered('get_history', { memory_id: own });
    const profile = await answered('get_profile', { entity_type: 'user', entity_id: 'ada' });

    expect(seen).toMatchObject({ memory: 'Ada likes tea' });
    expect(listed).toMatchObject({ total: 1 });
    expect(changed).toMatchObject({ memory: 'Ada likes coffee' });
    expect(history.results).toHaveLength(2);
    expect(profile).toMatchObject({ entity_id: 'ada', memory_count: 1 });
  });

  it('stores and lists what is its own, without naming itself', async () => {
    await answered('add_memory', { text: 'Ada owns a kite', app_id: 'toys' });

    const entities = await answered('list_entities', {});
    const events = await answered('list_events', { event_type: 'ADD' });
    const kites = await answered('search_memories', { query: 'kite' });

    expect(entities).toMatchObject({ total: 1, results: [{ id: 'ada' }] });
    expect(events).toMatchObject({ total: 2 });
    expect(kites).toMatchObject({ results: [{ memory: 'Ada owns a kite', user_id: 'ada' }] });
  });

  it('imports no archive, whose lines name their owners', async () => {
    const lines = [{ type: 'memory', memory: 'Bob says so', ...bob }];
    const answer = await answered('import_memories', { lines, format: 'mneme', user_id: 'ada' });

    expect(answer).toMatchObject({ code: 'forbidden' });
  });

  it('reaches no export of another by its id, whatever the filters say', async () => {
    const schema = { type: 'object', properties: { pet: { type: 'string' } } };
    const created = await engine.invoke('create_export', { schema, ...bob }, { caller: owner });

    const answer = await answered('get_export', {
      memory_export_id: created.id,
      filters: { user_id: 'bob' },
    });

    expect(answer).toEqual({ code: 'not_found', message: 'export not found' });
  });

  it('leaves no record in the name of another', async () => {
    await answered('search_memories', { query: 'tea', filters: { user_id: 'bob' } });
    await answered('get_memories', { entity_type: 'user', entity_id: 'bob' });

    const query = { entity_type: 'user', entity_id: 'bob' } as const;
    const { results } = await engine.invoke('list_events', query, { caller: owner });
    const types = results.map(({ event_type }) => event_type);
    expect(types.filter((type) => type !== 'ADD')).toEqual([]);
  });

  it('learns nothing of events and memories of another by an undo', async () => {
    const { results } = await engine.invoke('list_events', {}, { caller: owner });
    const ofBob = results.find((event) => JSON.stringify(event).includes(foreign));
    const missing = '0197a6b2-0000-7000-8000-00000000abcd';

    for (const field of ['event_id', 'memory_id']) {
      const hidden = field === 'event_id' ? ofBob?.id : foreign;
      const [one, other] = [
        await answered('undo_changes', { [field]: hidden }),
        await answered('undo_changes', { [field]: missing }),
      ];
      expect(one).toEqual(other);
      expect(one).toMatchObject({ code: 'not_found' });
    }
  });

  it('finds the event of its own batch, and undoes it', async () => {
    const { event_id } = await answered('batch_delete_memories', { memory_ids: [own] });

    const event = await answered('get_event', { event_id });
    const undone = await answered('undo_changes', { event_id });

    expect(event).toMatchObject({ event_type: 'DELETE' });
    expect(undone).toMatchObject({ changes: [{ id: own }] });
  });

  it('reads its own deleted memory as of a time when it was there', async () => {
    const as_of = new Date(engine.clock.now()).toISOString();
    engine.clock.advance(1000);
    await answered('delete_memory', { memory_id: own });

    expect(await answered('get_memory', { memory_id: own, as_of })).toMatchObject({ id: own });
  });

  it('is not told the names of projects', async () => {
    const answer = await answered('get_memories', { project_id: 'nope' });

    expect(answer).toEqual({ code: 'not_found', message: 'organization or project not found' });
  });

  it('is told which id it may not name', async () => {
    const answer = await answered('search_memories', { query: 'tea', user_id: 'bob' });

    expect(answer).toEqual({
      code: 'invalid',
      message: 'user_id: the scope is locked to user_id "ada"; leave it out',
    });
  });
});

describe('a caller that is locked to a project', () => {
  it('reaches no other, whatever the input names', async () => {
    const { own: project, sibling, foreign: elsewhere } = engine.projects;
    const caller = lockedTo({ org_id: project.org_id, project_id: project.project_id });
    const ask = (input: Fields) => answered('get_memories', input, caller);

    expect(await ask({})).toMatchObject({ page: 1 });
    expect(await ask({ project_id: project.project_id })).toMatchObject({ page: 1 });
    expect(await ask({ project_id: sibling.project_id })).toMatchObject({ code: 'not_found' });
    expect(await ask({ org_id: elsewhere.org_id })).toMatchObject({ code: 'not_found' });
    const projects = await answered('list_projects', { org_id: project.org_id }, caller);
    expect(projects).toMatchObject({ code: 'not_found' });
  });

  it('may be locked to its name', async () => {
    const name = 'a project with a name';
    await engine.invoke(
      'create_project',
      { org_id: engine.projects.own.org_id, name },
      { caller: owner },
    );
    const caller = lockedTo({ project_id: name });

    const listed = await answered('get_memories', { project_id: name }, caller);
    const other = await answered('get_memories', refOfSibling(), caller);

    expect(listed).toMatchObject({ total: 0 });
    expect(other).toMatchObject({ code: 'not_found' });
  });
});

function refOfSibling(): Fields {
  const { org_id, project_id } = engine.projects.sibling;
  return { org_id, project_id };
}

/** Required fields with ids of what Bob has. */
function valuesOfBob(): Fields {
  return {
    text: 'changed',
    query: 'what is kept where?',
    memory_id: foreign,
    memory_ids: [own, foreign],
    memories: [{ memory_id: foreign, text: 'changed' }],
    event_id: foreign,
    webhook_id: foreign,
    delivery_id: foreign,
    recall_id: foreign,
    job_id: foreign,
    kind: 'memory',
    short_ids: [foreign.slice(-8)],
    lines: [],
    entity: 'bob',
    entity_type: 'user',
    entity_id: 'bob',
    user_id: 'bob',
    agent_id: 'digger',
    app_id: 'toys',
    run_id: 'night',
    schema: { type: 'object', properties: { pet: { type: 'string' } } },
    decision: 'decline',
    feedback: 'POSITIVE',
    from: '2020-01-01',
    name: 'a name',
    operation: 'generate',
    org_id: engine.projects.own.org_id,
    project_id: engine.projects.own.project_id,
    key_id: foreign,
    email: 'nobody@example.com',
    role: 'READER',
    url: 'https://example.com/hook',
  };
}

async function everythingOfBob(): Promise<unknown> {
  const everything = { show_expired: true, show_waiting: true, latest_only: false };
  const input = { user_id: 'bob', ...everything };
  const { results } = await engine.invoke('get_memories', input, { caller: owner });
  const history = await engine.invoke('list_history', { user_id: 'bob' }, { caller: owner });
  return [results, history.results];
}

async function store(text: string, ids: Fields): Promise<string> {
  const { results } = await engine.invoke('add_memory', { text, ...ids }, { caller: owner });
  return String(results[0]?.id);
}
