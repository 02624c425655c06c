import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { owner } from '../support/engine.ts';
import { type Target, targets } from '../support/targets.ts';

const stranger = { email: 'sam@example.com' };

describe.each(targets)('organizations, projects and roles, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function makeOrganization(name = 'Acme'): Promise<string> {
    return (await target.call('create_organization', { name })).org_id;
  }

  async function makeProject(org_id: string, name = 'Site'): Promise<string> {
    return (await target.call('create_project', { org_id, name })).project_id;
  }

  /** The same engine as a person who is a member of nothing. */
  async function asPerson(email: string): Promise<Target> {
    const { store, clock } = target.engine;
    const account = await store.transaction(async ({ accounts }) => {
      const existing = await accounts.findByEmail(email);
      const created_at = clock.now();
      return existing ?? accounts.insert({ account_id: email, email, username: email, created_at });
    });
    return target.as({ account_id: account.account_id });
  }

  describe('organizations', () => {
    it('are made with their maker as owner, read and listed', async () => {
      const org_id = await makeOrganization('Acme');

      const organization = await target.call('get_organization', { org_id });
      const { results } = await target.call('list_organizations', {});

      expect(organization).toMatchObject({
        org_id,
        name: 'Acme',
        on_paid_plan: false,
        is_owner: true,
        user_role: 'OWNER',
        members: [{ role: 'OWNER' }],
      });
      expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(['Default', 'Acme']));
    });

    it('are not listed for a key of one project, and only its own for a key of one', async () => {
      const org_id = await makeOrganization('Acme');
      const project_id = await makeProject(org_id);
      const listed = async (as: Target) => {
        const { results } = await as.call('list_organizations', {});
        return results.map((one) => one.org_id);
      };

      const ofProject = target.as({ org_id, project_id, bound_to: 'project' });
      const ofOrganization = target.as({ org_id, bound_to: 'organization' });

      expect(await listed(ofProject)).toEqual([]);
      expect(await listed(ofOrganization)).toEqual([org_id]);
    });

    it('are made by who owns a place or has none, and not by who only reads', async () => {
      const org_id = await makeOrganization('Acme');
      const project_id = await makeProject(org_id);
      const reader = await asPerson('rea@example.com');
      const ofProject = await asPerson('pro@example.com');
      const asReader = { org_id, email: 'rea@example.com', role: 'READER' };
      await target.call('add_organization_member', asReader);
      const inProject = { org_id, project_id, email: 'pro@example.com', role: 'READER' };
      await target.call('add_project_member', inProject);

      const refusals = [
        await reader.refusal('create_organization', { name: 'Own' }),
        await ofProject.refusal('create_organization', { name: 'Own' }),
      ];
      const before = await ofProject.call('list_organizations', {});
      await target.call('update_project_member', { ...inProject, role: 'OWNER' });
      const made = await ofProject.call('create_organization', { name: 'Own' });
      const stranger = await asPerson('nobody@example.com');
      const first = await stranger.call('create_organization', { name: 'First' });

      expect(refusals).toMatchObject(Array(2).fill({ code: 'forbidden' }));
      expect(before.results.map(({ name }) => name)).toEqual(['Acme']);
      expect([made, first]).toMatchObject(Array(2).fill({ org_id: expect.any(String) }));
    });

    it('need a name', async () => {
      const refusal = await target.refusal('create_organization', {});

      expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('name') });
    });

    it('hide from strangers behind the answer for an unknown id', async () => {
      const org_id = await makeOrganization();
      const sam = await asPerson(stranger.email);

      const hidden = await sam.refusal('get_organization', { org_id });
      const unknown = await sam.refusal('get_organization', { org_id: 'no-such-organization' });

      expect(hidden.code).toBe('not_found');
      expect(hidden).toEqual(unknown);
    });

    it('let a reader read and an owner change them', async () => {
      const org_id = await makeOrganization();
      const sam = await asPerson(stranger.email);
      await target.call('add_organization_member', { org_id, ...stranger, role: 'READER' });

      const seen = await sam.call('get_organization', { org_id });
      const refused = await sam.refusal('create_project', { org_id, name: 'Mine' });
      await target.call('update_organization_member', { org_id, ...stranger, role: 'OWNER' });
      const made = await sam.call('create_project', { org_id, name: 'Mine' });

      expect(seen).toMatchObject({ user_role: 'READER', is_owner: false });
      expect(refused).toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('Unauthorized to create projects'),
      });
      expect(made.project_id).toBeTruthy();
    });

    it('are found by the account where it has one: a project needs only a name', async () => {
      const org_id = await makeOrganization();
      const sam = await asPerson(stranger.email);
      await target.call('add_organization_member', { org_id, ...stranger, role: 'OWNER' });

      const { project_id } = await sam.call('create_project', { name: 'Mine' });
      const { results } = await sam.call('list_projects', {});
      const reached = await target.call('get_project', { org_id, project_id });

      expect(results.map((project) => project.project_id)).toEqual([project_id]);
      expect(reached).toMatchObject({ name: 'Mine' });
    });

    it('must be named where an account has several, and the refusal names only its own', async () => {
      const [first, second, hidden] = [
        await makeOrganization('Acme'),
        await makeOrganization('Bravo'),
        await makeOrganization('Secret'),
      ];
      const sam = await asPerson(stranger.email);
      for (const org_id of [first, second]) {
        await target.call('add_organization_member', { org_id, ...stranger, role: 'OWNER' });
      }

      const refused = await sam.refusal('create_project', { name: 'Mine' });
      const listed = await sam.refusal('list_projects', {});

      expect([refused.code, listed.code]).toEqual(['invalid', 'invalid']);
      for (const text of [first, second, 'Acme', 'Bravo']) expect(listed.message).toContain(text);
      expect(listed.message).not.toMatch(new RegExp(`${hidden}|Secret|Default`));
    });

    it('are taken from the key or the configuration where these name a place', async () => {
      const org_id = await makeOrganization();
      const project_id = await makeProject(org_id);
      const places: Parameters<Target['as']>[0][] = [
        { org_id, bound_to: 'organization' },
        { org_id },
        { project_id },
      ];

      const made = await Promise.all(
        places.map((place, at) => {
          return target.as(place).call('create_project', { name: `Here ${at}` });
        }),
      );
      const { results } = await target.call('list_projects', { org_id });

      expect(made).toHaveLength(3);
      expect(results.filter(({ name }) => name.startsWith('Here'))).toHaveLength(3);
    });

    it('are no place for new projects of strangers, readers and keys of one project', async () => {
      const org_id = await makeOrganization();
      const project_id = await makeProject(org_id);
      const sam = await asPerson(stranger.email);

      const stranded = await sam.refusal('create_project', { name: 'Mine' });
      await target.call('add_organization_member', { org_id, ...stranger, role: 'READER' });
      const reading = await sam.refusal('create_project', { name: 'Mine' });
      const bound = target.as({ org_id, project_id, bound_to: 'project' });
      const outside = await bound.refusal('create_project', { name: 'Mine' });
      const nowhere = await target
        .as({ project_id: 'no-such-project' })
        .refusal('create_project', { name: 'Mine' });

      expect([stranded, reading, outside, nowhere].map(({ code }) => code)).toEqual([
        'invalid',
        'forbidden',
        'not_found',
        'not_found',
      ]);
    });

    it('invite an unknown e-mail, and refuse a malformed one or an unknown role', async () => {
      const org_id = await makeOrganization();

      await target.call('add_organization_member', {
        org_id,
        email: 'New@Example.com',
        role: 'READER',
      });
      const { members } = await target.call('list_organization_members', { org_id });
      const refusals = [
        await target.refusal('add_organization_member', { org_id, email: 'x', role: 'READER' }),
        await target.refusal('add_organization_member', { org_id, ...stranger, role: 'ADMIN' }),
        await target.refusal('add_organization_member', {
          org_id,
          email: 'new@example.com',
          role: 'OWNER',
        }),
      ];

      expect(members).toHaveLength(2);
      expect(refusals.map(({ code }) => code)).toEqual(['invalid', 'invalid', 'conflict']);
    });

    it('keep their last owner', async () => {
      const org_id = await makeOrganization();
      const email = 'owner@localhost';

      const removed = await target.refusal('remove_organization_member', { org_id, email });
      const lowered = await target.refusal('update_organization_member', {
        org_id,
        email,
        role: 'READER',
      });

      expect([removed.code, lowered.code]).toEqual(['conflict', 'conflict']);
    });

    it('lose a member with all places in their projects', async () => {
      const org_id = await makeOrganization();
      const project_id = await makeProject(org_id);
      await target.call('add_organization_member', { org_id, ...stranger, role: 'READER' });
      await target.call('add_project_member', { project_id, ...stranger, role: 'OWNER' });
      const sam = await asPerson(stranger.email);

      await target.call('remove_organization_member', { org_id, ...stranger });

      expect((await sam.refusal('get_project', { project_id })).code).toBe('not_found');
    });

    it('go with their projects and memories', async () => {
      const org_id = await makeOrganization();
      const project_id = await makeProject(org_id);
      await target.call('add_memory', { text: 'Ours', user_id: 'alice', project_id });

      await target.call('delete_organization', { org_id });

      expect((await target.refusal('get_organization', { org_id })).code).toBe('not_found');
      expect((await target.refusal('get_memories', { user_id: 'alice', project_id })).code).toBe(
        'not_found',
      );
    });
  });

  describe('projects', () => {
    it('are made, read, listed and deleted with all they hold', async () => {
      const org_id = await makeOrganization();
      const first = await makeProject(org_id, 'First');
      const second = await makeProject(org_id, 'Second');
      await target.call('add_memory', { text: 'One', user_id: 'alice', project_id: first });

      const { results } = await target.call('list_projects', { org_id });
      await target.call('delete_project', { project_id: first });

      // MCP leaves out what is not so.
      expect(results.map(({ name, is_default = false }) => [name, is_default])).toEqual([
        ['First', true],
        ['Second', false],
      ]);
      expect((await target.refusal('get_project', { project_id: first })).code).toBe('not_found');
      expect(await target.call('get_project', { project_id: second })).toMatchObject({
        name: 'Second',
        org_id,
        user_role: 'OWNER',
      });
    });

    it('are deleted, the only one of an organization too', async () => {
      const org_id = await makeOrganization();
      const project_id = await makeProject(org_id);

      await target.call('delete_project', { project_id });

      expect(await target.call('list_projects', { org_id })).toMatchObject({ results: [] });
    });

    it('keep each setting until it is sent again', async () => {
      const project_id = await makeProject(await makeOrganization());

      await target.call('update_project', { project_id, custom_instructions: 'Be brief' });
      await target.call('update_project', {
        project_id,
        custom_categories: [{ food: 'meals' }],
        enable_graph: true,
      });

      expect(await target.call('get_project', { project_id })).toMatchObject({
        custom_instructions: 'Be brief',
        custom_categories: [{ food: 'meals' }],
        enable_graph: true,
        decay: false,
      });
      expect(
        await target.call('get_project', { project_id, fields: ['custom_instructions'] }),
      ).not.toHaveProperty('name');
    });

    it('refuse an update of nothing and name what can be sent', async () => {
      const project_id = await makeProject(await makeOrganization());

      const refusal = await target.refusal('update_project', { project_id });

      expect(refusal).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('custom_instructions'),
      });
    });

    it('take members of their own, who see nothing of the others', async () => {
      const org_id = await makeOrganization();
      const open = await makeProject(org_id, 'Open');
      const closed = await makeProject(org_id, 'Closed');
      const sam = await asPerson(stranger.email);

      await target.call('add_project_member', { project_id: open, ...stranger, role: 'OWNER' });
      await sam.call('add_memory', { text: 'Mine', user_id: 'sam', project_id: open });
      const { results } = await sam.call('list_projects', { org_id });
      const { members } = await target.call('list_project_members', { project_id: open });
      await target.call('update_project_member', { project_id: open, ...stranger, role: 'READER' });
      const lowered = await sam.refusal('add_memory', {
        text: 'x',
        user_id: 'sam',
        project_id: open,
      });
      await target.call('remove_project_member', { project_id: open, ...stranger });

      expect(results.map(({ name }) => name)).toEqual(['Open']);
      expect(members).toHaveLength(2);
      expect(lowered.code).toBe('forbidden');
      expect((await sam.refusal('get_project', { project_id: open })).code).toBe('not_found');
      expect((await sam.refusal('get_project', { project_id: closed })).code).toBe('not_found');
    });

    it('are where requests of their member go that name none', async () => {
      const project_id = await makeProject(await makeOrganization());
      const sam = await asPerson(stranger.email);
      await target.call('add_project_member', { project_id, ...stranger, role: 'OWNER' });

      await sam.call('add_memory', { text: 'By default', user_id: 'sam' });

      const { results } = await target.call('get_memories', { user_id: 'sam', project_id });
      expect(results.map(({ memory }) => memory)).toEqual(['By default']);
    });
  });

  it('statistics count only users that have memories', async () => {
    const { results } = await target.call('add_memory', { text: 'One', user_id: 'alice' });
    await target.call('add_memory', { text: 'Two', user_id: 'bob' });
    await target.call('delete_memory', { memory_id: results[0]?.id ?? '' });

    expect(await target.engine.invoke('get_stats', {}, { caller: owner })).toMatchObject({
      total_memories: 1,
      total_users_with_memories: 1,
      memories_per_user: 1,
    });
  });

  it('statistics count what the project holds', async () => {
    await target.call('add_memory', { text: 'One', user_id: 'alice' });
    await target.call('add_memory', { text: 'Two', user_id: 'alice' });
    await target.call('add_memory', { text: 'Three', user_id: 'bob' });

    expect(await target.engine.invoke('get_stats', {}, { caller: owner })).toMatchObject({
      total_memories: 3,
      total_add_events: 3,
      total_users_with_memories: 2,
      memories_per_user: 1.5,
    });
  });
});
