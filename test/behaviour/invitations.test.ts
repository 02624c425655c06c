import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOrInviteAccount } from '../../src/core/tenants/accounts.ts';
import { type Target, targets } from '../support/targets.ts';

const sam = 'sam@example.com';
const mallory = 'mallory@example.com';

/** None of these operations is a tool, so agents do not reach them. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(faces)('invitations, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  /** The same engine as a person who is a member of nothing. */
  async function asPerson(email: string): Promise<Target> {
    const { store, deps } = target.engine;
    const find = store.transaction((tables) => findOrInviteAccount(deps, email, tables));
    return target.as({ account_id: (await find).account_id });
  }

  /** A person who has an organization with a project, which requests go to. */
  async function settled(email: string) {
    const person = await asPerson(email);
    const { org_id } = await person.call('create_organization', { name: `Of ${email}` });
    const { project_id } = await person.call('create_project', { org_id, name: 'Home' });
    return { person, org_id, project_id };
  }

  type Settled = Awaited<ReturnType<typeof settled>>;

  function invite({ person, org_id }: Settled, email: string, role = 'OWNER') {
    return person.call('add_organization_member', { org_id, email, role });
  }

  function add(person: Target, text: string, place: object = {}) {
    return person.call('add_memory', { text, user_id: 'u', infer: false, ...place });
  }

  async function textsIn({ person, project_id }: Settled): Promise<string[]> {
    const { results } = await person.call('get_memories', { user_id: 'u', project_id });
    return results.map(({ memory }) => `${memory}`);
  }

  describe('a stranger who invites an account', () => {
    it('receives nothing of it, and shows nothing to it', async () => {
      const stranger = await settled(mallory);
      const victim = await settled(sam);
      const { org_id, project_id } = stranger;

      await invite(stranger, sam);
      const place = { project_id, email: sam, role: 'OWNER' };
      await stranger.person.call('add_project_member', place);
      await add(victim.person, 'Mine');

      expect(await textsIn(stranger)).toEqual([]);
      expect(await textsIn(victim)).toEqual(['Mine']);
      const { results } = await victim.person.call('list_organizations', {});
      expect(results).toMatchObject([{ org_id: victim.org_id, is_default: true }]);
      const unknown = await victim.person.refusal('get_project', { project_id: 'no-such' });
      expect(await victim.person.refusal('get_project', { project_id })).toEqual(unknown);
      const hidden = [
        await victim.person.refusal('get_organization', { org_id }),
        await victim.person.refusal('list_projects', { org_id }),
        await victim.person.refusal('get_memories', { user_id: 'u', project_id }),
        await victim.person.refusal('add_memory', { text: 'x', user_id: 'u', project_id }),
      ];
      expect(new Set(hidden.map(({ code }) => code))).toEqual(new Set(['not_found']));
    });

    it('invites it to 20 places and no more, which leaves room for others', async () => {
      const stranger = await settled(mallory);
      const other = await settled('boss@example.com');
      const victim = await asPerson(sam);
      const { org_id } = stranger;
      await invite(stranger, sam, 'READER');
      await invite(stranger, sam);
      const place = async (name: string) => {
        const { project_id } = await stranger.person.call('create_project', { org_id, name });
        return { project_id, email: sam, role: 'OWNER' };
      };
      for (let at = 1; at < 20; at += 1)
        await stranger.person.call('add_project_member', await place(`Trap ${at}`));

      const another = await stranger.person.call('create_organization', { name: 'Another' });
      const refused = [
        await stranger.person.refusal('add_project_member', await place('Last')),
        await stranger.person.refusal('add_organization_member', {
          org_id: another.org_id,
          email: sam,
          role: 'OWNER',
        }),
      ];
      await invite(stranger, sam, 'READER');
      await invite(stranger, 'else@example.com');
      await invite(other, sam);
      const listed = await victim.call('list_invitations', { page_size: 100 });
      await victim.call('decline_invitation', { org_id });
      await stranger.person.call('add_project_member', await place('After'));

      for (const { code, message } of refused) {
        expect(code).toBe('invalid');
        expect(message).toContain('at most 20 invitations of one owner');
      }
      expect(listed.total).toBe(21);
      expect(listed.results.filter((one) => one.org_id === org_id)).toHaveLength(20);
      expect(await victim.call('list_invitations', {})).toMatchObject({ total: 2 });
    });

    it('receives nothing when the account is removed from its own place', async () => {
      const employer = await settled('boss@example.com');
      const person = await asPerson(sam);
      const stranger = await settled(mallory);
      await invite(stranger, sam);
      await invite(employer, sam);
      await person.call('accept_invitation', { org_id: employer.org_id });
      await add(person, 'At work');

      const { org_id } = employer;
      await employer.person.call('remove_organization_member', { org_id, email: sam });
      const refusal = await person.refusal('add_memory', { text: 'Where?', user_id: 'u' });

      expect(refusal).toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/project_id.*name a project/),
      });
      expect(await textsIn(employer)).toEqual(['At work']);
      expect(await textsIn(stranger)).toEqual([]);
    });

    it('is told the same whether or not there is such an account', async () => {
      const stranger = await settled(mallory);
      await asPerson(sam);
      const { org_id, project_id } = stranger;
      const nobody = 'nobody@example.com';

      const known = [await invite(stranger, sam), await invite(stranger, sam)];
      const unknown = [await invite(stranger, nobody), await invite(stranger, nobody)];
      for (const email of [sam, nobody]) {
        const place = { project_id, email, role: 'READER' };
        await stranger.person.call('add_project_member', place);
      }

      expect(known).toEqual(unknown);
      const lists = [
        await stranger.person.call('list_organization_members', { org_id }),
        await stranger.person.call('list_project_members', { project_id }),
      ];
      for (const { members } of lists) {
        const invited = members.filter(({ status }) => status === 'invited');
        const shown = invited.map((one) => JSON.stringify(one));
        expect(shown).toHaveLength(2);
        expect(shown[0]?.replaceAll(sam, nobody)).toEqual(shown[1]);
      }
      const { members } = await stranger.person.call('get_organization', { org_id });
      expect(members).toHaveLength(1);
      const project = await stranger.person.call('get_project', { project_id });
      expect(project.members).toHaveLength(1);
    });
  });

  describe('the account that is invited', () => {
    it('sees what it is invited to, newest first, page by page', async () => {
      const host = await settled(mallory);
      const guest = await asPerson(sam);
      const { org_id, project_id } = host;
      await invite(host, sam, 'READER');
      await host.person.call('add_project_member', { project_id, email: sam, role: 'OWNER' });

      const first = await guest.call('list_invitations', { page_size: 1 });
      const all = await guest.call('list_invitations', {});

      expect(first).toMatchObject({ total: 2, page: 1, page_size: 1 });
      expect(first.results).toHaveLength(1);
      expect(all.results).toMatchObject([
        { org_id, project_id, project_name: 'Home', role: 'OWNER' },
        { org_id, organization_name: `Of ${mallory}`, project_id: null, role: 'READER' },
      ]);
      expect(await host.person.call('list_invitations', {})).toMatchObject({ total: 0 });
      expect((await guest.refusal('list_invitations', { page: 0 })).code).toBe('invalid');
    });

    it('becomes a member by accepting, and requests that name no project go there', async () => {
      const host = await settled(mallory);
      const guest = await asPerson(sam);
      await invite(host, sam);
      const before = await guest.refusal('ping', {});

      await guest.call('accept_invitation', { org_id: host.org_id });
      await add(guest, 'Shared');

      expect(before.code).toBe('invalid');
      expect(await textsIn(host)).toEqual(['Shared']);
      const { org_id } = host;
      const { members } = await host.person.call('list_organization_members', { org_id });
      expect(members).toMatchObject([{ role: 'OWNER' }, { role: 'OWNER', status: 'accepted' }]);
      expect(await guest.call('list_invitations', {})).toMatchObject({ total: 0 });
    });

    it('keeps its own default when it accepts an older invitation', async () => {
      const host = await settled(mallory);
      await invite(host, sam);
      const guest = await settled(sam);
      target.engine.clock.advance(1000);

      await guest.person.call('accept_invitation', { org_id: host.org_id });
      await add(guest.person, 'Still mine');

      expect(await textsIn(guest)).toEqual(['Still mine']);
      expect(await textsIn(host)).toEqual([]);
    });

    it('may decline, and is no member then', async () => {
      const host = await settled(mallory);
      const guest = await asPerson(sam);
      const { org_id } = host;
      await invite(host, sam);

      await guest.call('decline_invitation', { org_id });

      expect(await guest.call('list_invitations', {})).toMatchObject({ total: 0 });
      expect((await guest.refusal('accept_invitation', { org_id })).code).toBe('not_found');
      const { members } = await host.person.call('list_organization_members', { org_id });
      expect(members).toHaveLength(1);
    });

    it('cannot accept what was withdrawn', async () => {
      const host = await settled(mallory);
      const guest = await asPerson(sam);
      const { org_id } = host;
      await invite(host, sam);

      await host.person.call('remove_organization_member', { org_id, email: sam });

      expect((await guest.refusal('accept_invitation', { org_id })).code).toBe('not_found');
    });

    it('gets the role that the invitation has when it accepts', async () => {
      const host = await settled(mallory);
      const guest = await asPerson(sam);
      const { org_id } = host;
      await invite(host, sam, 'OWNER');

      const change = { org_id, email: sam, role: 'READER' };
      await host.person.call('update_organization_member', change);
      const stillInvited = await guest.refusal('get_organization', { org_id });
      await guest.call('accept_invitation', { org_id });

      expect(stillInvited.code).toBe('not_found');
      expect(await guest.call('get_organization', { org_id })).toMatchObject({
        user_role: 'READER',
      });
    });

    it.each(['accept_invitation', 'decline_invitation'] as const)(
      'needs an organization for %s, of its own invitation, and a key that may write',
      async (name) => {
        const host = await settled(mallory);
        await invite(host, sam);
        const { org_id } = host;
        const guest = await asPerson(sam);
        const { account_id } = await target.engine.store.transaction((tables) =>
          findOrInviteAccount(target.engine.deps, sam, tables),
        );

        const wrong = await guest.refusal(name, { org_id: 'x'.repeat(256) });
        const reading = await target.as({ account_id, read_only: true }).refusal(name, { org_id });
        const other = await asPerson('eve@example.com');
        const foreign = await other.refusal(name, { org_id });
        const unknown = await other.refusal(name, { org_id: 'no-such-organization' });

        expect(wrong).toMatchObject({
          code: 'invalid',
          message: expect.stringContaining('org_id'),
        });
        expect(reading.code).toBe('forbidden');
        expect(foreign.code).toBe('not_found');
        expect(foreign).toEqual(unknown);
      },
    );

    it('answers with a bound key only what the key is bound to', async () => {
      const [host, other] = [await settled(mallory), await settled('boss@example.com')];
      const guest = await asPerson(sam);
      for (const one of [host, other]) await invite(one, sam);
      const { project_id } = host;
      await host.person.call('add_project_member', { project_id, email: sam, role: 'OWNER' });
      const { account_id } = await target.engine.store.transaction((tables) =>
        findOrInviteAccount(target.engine.deps, sam, tables),
      );
      const { org_id } = host;
      const ofProject = target.as({ account_id, org_id, project_id, bound_to: 'project' });
      const ofOrganization = target.as({ account_id, org_id, bound_to: 'organization' });

      const seen = [
        await guest.call('list_invitations', {}),
        await ofOrganization.call('list_invitations', {}),
        await ofProject.call('list_invitations', {}),
      ];
      const refused = await ofProject.refusal('accept_invitation', { org_id: other.org_id });
      await ofProject.call('accept_invitation', { org_id });

      expect(seen.map(({ total }) => total)).toEqual([3, 2, 1]);
      expect(refused.code).toBe('not_found');
      expect(await guest.call('list_invitations', {})).toMatchObject({ total: 2 });
      expect(await guest.call('get_project', { project_id })).toMatchObject({ user_role: 'OWNER' });
    });
  });

  describe('no invitation is needed', () => {
    it('of somebody who shares an organization with the account', async () => {
      const host = await settled(mallory);
      const guest = await asPerson(sam);
      await invite(host, sam);
      await guest.call('accept_invitation', { org_id: host.org_id });
      const { org_id } = await host.person.call('create_organization', { name: 'Second' });

      await host.person.call('add_organization_member', { org_id, email: sam, role: 'READER' });

      expect(await guest.call('get_organization', { org_id })).toMatchObject({
        user_role: 'READER',
      });
    });

    it('of the owner of the store, who makes its keys', async () => {
      const guest = await asPerson(sam);
      const { account_id } = await target.engine.store.accounts.getFirst();
      const withKey = target.as({ account_id });
      const { org_id } = await withKey.call('create_organization', { name: 'Team' });

      await withKey.call('add_organization_member', { org_id, email: sam, role: 'READER' });

      expect(await guest.call('get_organization', { org_id })).toMatchObject({
        user_role: 'READER',
      });
    });
  });

  it('members of two projects of an organization, who do not see each other, are strangers', async () => {
    const host = await settled('boss@example.com');
    const { org_id } = host;
    const { project_id } = await host.person.call('create_project', { org_id, name: 'Other' });
    const people = [await asPerson(sam), await asPerson(mallory)] as const;
    const places = [
      { project_id: host.project_id, email: sam, role: 'OWNER' },
      { project_id, email: mallory, role: 'OWNER' },
    ];
    for (const place of places) await host.person.call('add_project_member', place);
    for (const person of people) await person.call('accept_invitation', { org_id });

    const [first, second] = people;
    const own = await second.call('create_organization', { name: 'Trap' });
    const trap = { org_id: own.org_id, email: sam, role: 'OWNER' };
    await second.call('add_organization_member', trap);

    expect(await first.call('list_invitations', {})).toMatchObject({
      total: 1,
      results: [{ organization_name: 'Trap' }],
    });
  });

  it('an organization without an accepted owner but one keeps that one', async () => {
    const host = await settled(mallory);
    const { org_id } = host;
    await invite(host, sam, 'OWNER');

    const removing = { org_id, email: mallory };
    const refusal = await host.person.refusal('remove_organization_member', removing);

    expect(refusal.code).toBe('conflict');
  });
});
