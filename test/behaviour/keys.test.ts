import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/contract.ts';
import { openKeyAdmin } from '../../src/core/tenants/key-admin.ts';
import { owner } from '../support/engine.ts';
import { type Target, targets } from '../support/targets.ts';

/** These operations are not tools. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(faces)('keys, %s', (name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  /** Whom a key's text lets in. */
  async function callerOf(key: string): Promise<Caller | undefined> {
    const { authenticate } = openKeyAdmin({ ...target.engine, keyUsed: () => {} }, owner);
    return (await authenticate(key))?.caller;
  }

  async function makeKey(input: Record<string, unknown> = {}, as = target) {
    const made = await as.call('create_key', input);
    const caller = await callerOf(made.key);
    if (caller === undefined) throw new Error('the key lets nobody in');
    return { ...made, as: target.as(caller) };
  }

  /** The keys that it sees, but for those with which callers speak HTTP here. */
  async function keysSeenBy(as: Pick<Target, 'call'>) {
    const { results } = await as.call('list_keys', {});
    return results.filter((key) => key.name !== 'scenario');
  }

  it('are told once, work, and do not any more once they are revoked', async () => {
    const { key, key_id } = await makeKey({ name: 'ci' });

    const before = await callerOf(key);
    const results = await keysSeenBy(target);
    await target.call('revoke_key', { key_id });

    expect(key).toMatch(/^mk_[0-9A-Za-z]{43}$/);
    expect(before).toMatchObject({ bound_to: null, read_only: false, key_id });
    expect(results).toMatchObject([{ key_id, name: 'ci', account: 'owner@localhost' }]);
    expect(JSON.stringify(results)).not.toContain(key);
    expect(await callerOf(key)).toBeUndefined();
    expect((await keysSeenBy(target))[0]?.revoked_at).not.toBeNull();
  });

  it('are limited to a project, to reading and in time', async () => {
    const { project_id, org_id } = target.engine.projects.sibling;

    const { key, ...made } = await makeKey({
      reach: 'project',
      project_id,
      read_only: true,
      expires_in_days: 1,
    });
    const caller = await callerOf(key);
    target.engine.clock.advance(25 * 60 * 60 * 1000);

    expect(made).toMatchObject({ org_id, project_id, read_only: true });
    expect(caller).toMatchObject({ bound_to: 'project', project_id, read_only: true });
    expect(await callerOf(key)).toBeUndefined();
  });

  it('make no key that reaches more or belongs to somebody else', async () => {
    const { own, sibling } = target.engine.projects;
    const { as } = await makeKey(placeOf(own));

    const heir = await as.call('create_key', {});
    const elsewhere = await as.refusal('create_key', { project_id: sibling.project_id });
    const others = await as.refusal('create_key', { email: 'eve@example.com' });

    expect(heir).toMatchObject({ project_id: own.project_id, account: 'owner@localhost' });
    expect(elsewhere.code).toBe('not_found');
    expect(others).toMatchObject({ code: 'forbidden', message: expect.stringContaining('owner') });
  });

  // Over HTTP, the caller speaks with another key of its account, which has no end.
  it.runIf(name === 'directly')('make no key that lasts longer', async () => {
    const { own } = target.engine.projects;
    const { as } = await makeKey({ ...placeOf(own), expires_in_days: 2 });

    const heir = await as.call('create_key', { expires_in_days: 100 });

    expect(Date.parse(heir.expires_at ?? '')).toBeLessThan(
      Date.parse(target.engine.clock.now()) + 3 * 24 * 60 * 60 * 1000,
    );
  });

  it('are made for others by the owner of the store, and are theirs alone', async () => {
    const mine = await makeKey({ name: 'mine' });
    const { as } = await makeKey({ email: 'eve@example.com' });
    await as.call('create_organization', { name: 'Theirs' });

    const results = await keysSeenBy(as);
    const refusals = [
      await as.refusal('revoke_key', { key_id: mine.key_id }),
      await as.refusal('revoke_key', { key_id: 'unknown' }),
    ];

    expect(results.map(({ account }) => account)).toEqual(['eve@example.com']);
    expect(await keysSeenBy(target)).toHaveLength(2);
    expect(refusals[0]).toEqual(refusals[1]);
    expect(refusals[0]?.code).toBe('not_found');
    expect(await callerOf(mine.key)).toBeDefined();
  });

  it('of one project see no others of their account', async () => {
    const { own } = target.engine.projects;
    await makeKey({ name: 'everywhere' });
    const { as, key_id } = await makeKey(placeOf(own));

    const results = await keysSeenBy(as);

    expect(results.map((key) => key.key_id)).toEqual([key_id]);
  });

  it('that only read make and revoke none', async () => {
    const { as, key_id } = await makeKey({ read_only: true });

    const refusals = [
      await as.refusal('create_key', {}),
      await as.refusal('revoke_key', { key_id }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(['forbidden', 'forbidden']);
    expect(await keysSeenBy(as)).toHaveLength(1);
  });

  it('refuse what is no name, no day and no place', async () => {
    const refusals = [
      await target.refusal('create_key', { name: '' }),
      await target.refusal('create_key', { expires_in_days: 0 }),
      await target.refusal('create_key', { project_id: 'unknown' }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(['invalid', 'invalid', 'not_found']);
  });
});

function placeOf({ project_id }: { project_id: string }) {
  return { reach: 'project', project_id };
}
