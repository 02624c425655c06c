import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepRemoteWithinLock } from '../../src/app/remote/locked-invoke.ts';
import type { Caller, OperationName } from '../../src/contract.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

type RemoteOutput = Record<string, unknown>;

describe('a remote instance, which does not know the lock', () => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(() => engine.stop());

  const ask = async (lock: NonNullable<Caller['lock']>, name: OperationName, input: object) => {
    const remote = keepRemoteWithinLock((operation, sent, options) =>
      engine.invoke(operation, sent, { ...options, caller: owner }),
    );
    try {
      return { ...(await remote(name, input, { caller: { ...owner, lock } })) } as RemoteOutput;
    } catch (error) {
      return { code: (error as { code?: string }).code } as RemoteOutput;
    }
  };

  it('is asked for the locked project only, by any operation', async () => {
    const { own, sibling } = engine.projects;
    const { org_id, project_id } = sibling;
    const text = 'the wombat of the other project';
    await engine.invoke(
      'add_memory',
      { text, user_id: 'carol', org_id, project_id },
      { caller: owner },
    );
    const lock = { project_id: own.project_id };

    for (const name of ['list_history', 'get_summary', 'get_stats', 'get_memories'] as const) {
      expect(await ask(lock, name, {})).not.toHaveProperty('code');
      expect(await ask(lock, name, { project_id })).toEqual({ code: 'invalid' });
    }
    for (const [name, input] of [
      ['list_organizations', {}],
      ['list_keys', {}],
      ['create_key', { name: 'k', reach: 'account' }],
      ['create_organization', { name: 'o' }],
      ['list_projects', { org_id }],
    ] as const) {
      expect(await ask(lock, name, input)).toEqual({ code: 'forbidden' });
    }
  });

  it('is asked nothing that takes only some of the locked entities', async () => {
    await engine.invoke(
      'create_user',
      { user_id: 'bob', metadata: { secret: 1 } },
      { caller: owner },
    );
    const lock = { agent_id: 'cook' };

    expect(await ask(lock, 'create_user', { user_id: 'bob' })).toEqual({ code: 'forbidden' });
    expect(await ask(lock, 'list_relations', { entity: 'bob' })).toEqual({ code: 'forbidden' });
    expect(await ask({ user_id: 'ada' }, 'list_webhooks', {})).toEqual({ code: 'forbidden' });
  });

  it('still answers for the locked entity', async () => {
    await engine.invoke('add_memory', { text: 'Ada likes tea', user_id: 'ada' }, { caller: owner });
    await engine.invoke('add_memory', { text: 'Bob likes tea', user_id: 'bob' }, { caller: owner });
    const lock = { user_id: 'ada' };

    const profile = await ask(lock, 'get_profile', { entity_type: 'user', entity_id: 'ada' });
    const entities = await ask(lock, 'list_entities', {});

    expect(profile).toMatchObject({ entity_id: 'ada', memory_count: 1 });
    expect(entities).toMatchObject({ total: 1, total_users: 1, total_agents: 0 });
  });
});
