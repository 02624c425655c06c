import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { findStoredText } from '../support/stored-text.ts';

const key = 'sk-proj-Zq8Rk2LmX9vTb4NcW7yHd3Jf6Ps1Ga5UoEiCx0Vw';
const held = `the key is ${key}`;
const person = { user_id: 'ann' };

/** What is stored by each operation, with a key in all of its texts. */
const calls: readonly (readonly [OperationName, Record<string, unknown>])[] = [
  ['add_memory', { ...person, text: held, metadata: { [key]: held, deep: [{ held }] } }],
  ['add_memory', { ...person, messages: [{ role: 'user', content: `I live in Rome, ${held}` }] }],
  ['add_memory', { ...person, text: 'Ann sings', includes: held, excludes: held }],
  ['add_memory', { ...person, text: 'Ann rows', custom_instructions: held }],
  ['create_user', { user_id: 'bob', metadata: { held } }],
  ['create_agent', { agent_id: 'helper', name: held }],
  ['create_app', { app_id: 'shop', name: held }],
  ['create_run', { run_id: 'first', name: held }],
  ['create_webhook', { url: 'https://example.com/hook', name: held, event_types: ['memory:add'] }],
  ['create_organization', { name: held, description: held, address: held, website: held }],
  ['update_project', { name: held, description: held, custom_instructions: held }],
  ['update_project', { custom_categories: [{ [key]: held }], retrieval_criteria: [{ held }] }],
  ['update_project', { inclusion_prompt: held, exclusion_prompt: held, usecase_setting: held }],
  ['update_profile_settings', { entities: { user: { custom_instructions: held } } }],
  ['create_export', { ...person, schema: { type: 'object', title: held } }],
  ['create_export', { ...person, schema: { type: 'object' }, export_instructions: held }],
  ['search_memories', { query: held, filters: { metadata: { held: key } }, user_id: 'ann' }],
  ['get_memories', { user_id: 'ann', keywords: key }],
  ['delete_all_memories', { user_id: 'nobody', metadata: { held } }],
];

describe('a secret', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(async () => {
    await engine.stop();
  });

  async function call(name: OperationName, input: Record<string, unknown>) {
    const { org_id, project_id } = engine.projects.own;
    const scope = name === 'create_organization' ? {} : { org_id, project_id };
    return engine.invoke(name, { ...input, ...scope }, { caller: owner });
  }

  it.each(calls)('is not stored by %s, call %#', async (name, input) => {
    await call(name, input);
    // Events of reads are written behind their answers.
    await engine.store.transaction(async () => undefined);

    expect(await findStoredText(engine.data_dir, /Zq8Rk2LmX9vTb4/)).toEqual([]);
  });

  it.each([
    ['add_memory', { text: 'Ann sings', user_id: key }, 'user_id'],
    ['create_agent', { agent_id: key, name: 'Helper' }, 'agent_id'],
    ['create_export', { schema: {}, filters: { metadata: { held } } }, 'filters'],
  ] as const)('is refused by %s where it would name something', async (name, input, field) => {
    await expect(call(name, input)).rejects.toMatchObject({
      code: 'invalid',
      fields: { [field]: ['holds what looks like a secret (api_key)'] },
    });
  });

  it('is not seen in an owner whose id is a number like a card', async () => {
    const user_id = '4111111111111111';
    await call('add_memory', { text: 'Ann sings', user_id });

    const { results } = await engine.invoke('get_memories', { user_id }, { caller: owner });

    expect(results).toMatchObject([{ user_id }]);
  });

  it('is still found and deleted where it was stored before', async () => {
    const { deps } = engine;
    deps.secrets = 'keep';
    await call('add_memory', { text: 'Ann sings', user_id: key, metadata: { held: key } });
    deps.secrets = 'redact';

    const metadata = { held: key };
    const answer = await call('delete_all_memories', { user_id: key, metadata });

    expect(answer).toMatchObject({ deleted: 1 });
  });
});
