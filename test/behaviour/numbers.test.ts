import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOrInviteAccount } from '../../src/core/tenants/accounts.ts';
import { type Target, targets } from '../support/targets.ts';

/** None of these operations is a tool that agents reach. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(faces)('the numbers of published shapes, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function tenant(email: string) {
    const { store, deps } = target.engine;
    const find = store.transaction((tables) => findOrInviteAccount(deps, email, tables));
    const person = target.as({ account_id: (await find).account_id });
    const makePlace = async () => {
      const { org_id } = await person.call('create_organization', { name: `Of ${email}` });
      const { project_id } = await person.call('create_project', { org_id, name: 'Home' });
      return { org_id, project_id };
    };
    const { org_id, project_id } = await makePlace();
    /** What the tenant makes next, as numbers. */
    const makeNext = async () => {
      const place = await makePlace();
      const organization = await person.call('get_organization', { org_id: place.org_id });
      const home = await person.call('get_project', { project_id: place.project_id });
      const user_id = `u${Math.random()}`;
      const user = await person.call('create_user', { user_id, project_id });
      const text = 'Hello';
      await person.call('add_memory', { text, infer: false, user_id: `${user_id}-2`, project_id });
      const remembered = { user_id: `${user_id}-2`, project_id };
      const implied = await person.call('create_user', remembered);
      return [organization.id, organization.owner, home.id, user.id, implied.id];
    };
    return { person, org_id, project_id, makeNext };
  }

  it('say nothing of what others make in between', async () => {
    const mine = await tenant('mine@example.com');
    const others = await tenant('others@example.com');

    const before = await mine.makeNext();
    const between = await others.makeNext();
    const after = await mine.makeNext();

    const own = (numbers: number[]) => numbers.filter((_, at) => at !== 1); // but the account's
    const all = [...before, ...between, ...own(after)];
    expect(after[1]).toBe(before[1]);
    expect(new Set(all).size).toBe(all.length);
    expect(all.every((number) => Number.isSafeInteger(number) && number > 0)).toBe(true);
    // Two of 48 random bits are this near to each other once in a hundred million times.
    const sorted = all.toSorted((one, other) => one - other);
    const gaps = sorted.slice(1).map((number, at) => number - (sorted[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(1_000);
  });

  it('stay, and are others for what is made again', async () => {
    const { person, project_id } = await tenant('mine@example.com');
    const alice = { user_id: 'alice', project_id };
    const settled = () => person.call('get_project', { project_id });

    const { id, project } = await person.call('create_user', alice);
    const again = await person.call('create_user', alice);
    await person.call('update_project', { project_id, multilingual: true });
    const changed = await settled();
    await person.call('delete_entity', { entity_type: 'user', entity_id: 'alice', project_id });
    target.engine.clock.advance(1);
    const second = await person.call('create_user', alice);

    expect(again).toMatchObject({ id, project });
    expect(changed).toMatchObject({ id: project, multilingual: true });
    expect(second.project).toBe(project);
    expect(second.id).not.toBe(id);
  });
});
