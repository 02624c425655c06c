import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authenticate, bootstrapKey, createKey, type NewKey } from '../../src/core/tenants/keys.ts';
import { type Engine, startEngine } from '../support/engine.ts';

describe('API keys', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(async () => {
    await engine.stop();
  });

  async function makeKey(more: Partial<NewKey> = {}) {
    return createKey(engine.deps, {
      name: 'test',
      email: null,
      org_id: null,
      project_id: null,
      read_only: false,
      expires_at: null,
      ...more,
    });
  }

  it('are random, of one shape, and kept as a hash only', async () => {
    const { key, record } = await makeKey();
    const other = await makeKey();

    expect(key).toMatch(/^mk_[0-9A-Za-z]{43}$/);
    expect(other.key).not.toBe(key);
    expect(JSON.stringify(record)).not.toContain(key);
    expect(record).toMatchObject({ prefix: key.slice(0, 8) });
  });

  it('authenticate their account, with what they are bound to', async () => {
    const { project_id, org_id } = engine.projects.sibling;
    const free = await makeKey();
    const bound = await makeKey({ project_id, read_only: true });
    const wide = await makeKey({ org_id });

    expect(await authenticate(engine.deps, free.key)).toMatchObject({
      caller: { bound_to: null, read_only: false },
    });
    expect(await authenticate(engine.deps, bound.key)).toMatchObject({
      caller: { bound_to: 'project', project_id, org_id, read_only: true },
    });
    expect(await authenticate(engine.deps, wide.key)).toMatchObject({
      caller: { bound_to: 'organization', org_id },
    });
  });

  it('authenticate nobody when unknown, revoked or expired', async () => {
    const revoked = await makeKey();
    const expiring = await makeKey({ expires_at: '2026-03-15T00:00:00.000Z' });
    await engine.store.transaction(({ keys }) =>
      keys.revoke(revoked.record.key_id, engine.clock.now()),
    );
    const before = await authenticate(engine.deps, expiring.key);
    engine.clock.set('2026-03-15T00:00:00.000Z');

    expect(before).not.toBeNull();
    expect(await authenticate(engine.deps, expiring.key)).toBeNull();
    expect(await authenticate(engine.deps, revoked.key)).toBeNull();
    expect(await authenticate(engine.deps, 'mk_unknown')).toBeNull();
  });

  it('reach nothing beyond what they are bound to', async () => {
    const { sibling, foreign } = engine.projects;
    const { key } = await makeKey({ project_id: sibling.project_id });
    const found = await authenticate(engine.deps, key);
    if (found === null) throw new Error('the key authenticates');
    const { caller } = found;

    await engine.invoke('add_memory', { text: 'Here', user_id: 'a' }, { caller });
    const refusal = engine.invoke(
      'get_memories',
      { user_id: 'a', project_id: foreign.project_id },
      { caller },
    );
    const organization = engine.invoke('get_organization', { org_id: sibling.org_id }, { caller });

    await expect(refusal).rejects.toMatchObject({ code: 'not_found' });
    await expect(organization).rejects.toMatchObject({ code: 'not_found' });
    expect(await engine.store.memories.size(sibling, {})).toBe(1);
  });

  it('are made for a place that exists only', async () => {
    await expect(makeKey({ project_id: 'no-such-project' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('begin with one for the first account, made once', async () => {
    const first = await bootstrapKey(engine.deps, null);
    const second = await bootstrapKey(engine.deps, null);

    expect(first).toMatch(/^mk_/);
    expect(second).toBeNull();
  });

  it('can be given from outside, again and again', async () => {
    const given = 'a-secret-from-the-environment';

    await bootstrapKey(engine.deps, given);
    await bootstrapKey(engine.deps, given);

    expect(await authenticate(engine.deps, given)).toMatchObject({ caller: { bound_to: null } });
    expect(await engine.store.keys.list()).toHaveLength(1);
  });
});
