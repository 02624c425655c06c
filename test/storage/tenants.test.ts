import { describe, expect, it } from 'vitest';
import { defaultProjectSettings } from '../../src/contract/schemas/project.ts';
import type { Instant, Store, TenantRef } from '../../src/core/ports/index.ts';
import { later, now } from './memory.ts';
import { makeAccount, makeOrganization, makeProject } from './records.ts';
import { makeFolder, makeStore, open } from './support.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function addAccount(store: Store, account_id: string) {
  return store.transaction((tx) => tx.accounts.insert(makeAccount({ account_id })));
}

describe('a new store', () => {
  it('has an account that owns an organization with a project', async () => {
    const { store } = await makeStore();

    const owner = await store.accounts.getFirst();
    const project = await store.projects.find({});
    const [organization] = await store.organizations.list(null);

    expect(owner).toMatchObject({ number: 1, email: 'owner@localhost', username: 'owner' });
    expect(organization).toMatchObject({ name: 'Default', owner_id: owner.account_id });
    expect(project).toMatchObject({
      org_id: organization?.org_id,
      name: 'Default',
      settings: defaultProjectSettings,
    });
    for (const id of [owner.account_id, project?.org_id, project?.project_id]) {
      expect(id).toMatch(uuid);
    }
    const place = { org_id: project?.org_id ?? '', project_key: null };
    expect(await store.members.findRole(place, owner.account_id)).toBe('OWNER');
  });

  it('has them once, however often it is opened', async () => {
    const folder = await makeFolder();
    const first = await open(folder);
    const project = await first.projects.find({});
    await first.close();

    const second = await open(folder);

    expect(await second.projects.find({})).toStrictEqual(project);
    expect(await second.organizations.list(null)).toHaveLength(1);
    await second.close();
  });
});

describe('accounts', () => {
  it('are found by id and by e-mail, with their own number', async () => {
    const { store } = await makeStore();
    const account = makeAccount({ account_id: 'ann', email: 'ann@example.com' });

    const added = await store.transaction((tx) => tx.accounts.insert(account));

    expect(added).toStrictEqual({ ...account, number: 2 });
    expect(await store.accounts.find('ann')).toStrictEqual(added);
    expect(await store.accounts.findByEmail('ann@example.com')).toStrictEqual(added);
    expect(await store.accounts.find('bob')).toBeNull();
    expect(await store.accounts.findByEmail('bob@example.com')).toBeNull();
  });

  it('have a unique e-mail', async () => {
    const { store } = await makeStore();
    await addAccount(store, 'ann');

    const attempt = store.transaction((tx) =>
      tx.accounts.insert(makeAccount({ email: 'ann@example.com' })),
    );

    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('ensureProject', () => {
  it('creates a project once, in an organization that the first account owns', async () => {
    const { store, project } = await makeStore();
    const { account_id } = await store.accounts.getFirst();

    const again = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, later(1));

    expect(again).toStrictEqual(project);
    expect(project).toStrictEqual({ key: project.key, org_id: 'acme', project_id: 'own' });
    expect(await store.organizations.find('acme')).toMatchObject({ owner_id: account_id });
    const place = { org_id: 'acme', project_key: null };
    expect(await store.members.findRole(place, account_id)).toBe('OWNER');
  });

  it('does not change the members of an existing organization', async () => {
    const { store } = await makeStore();
    const ann = await addAccount(store, 'ann');
    const organization = makeOrganization({ org_id: 'zeta', owner_id: ann.account_id });
    await store.transaction((tx) => tx.organizations.insert(organization));

    await store.ensureProject({ org_id: 'zeta', project_id: 'z' }, now);

    expect(await store.members.list({ org_id: 'zeta', project_key: null })).toEqual([]);
  });

  it('does not move a project to another organization', async () => {
    const { store } = await makeStore();

    const attempt = store.ensureProject({ org_id: 'zeta', project_id: 'own' }, now);

    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.organizations.find('zeta')).toBeNull();
  });
});

describe('organizations', () => {
  it('come back as they were made, with a number', async () => {
    const { store } = await makeStore();
    const { account_id } = await store.accounts.getFirst();
    const organization = makeOrganization({
      org_id: 'zeta',
      name: 'Zeta "Ltd"',
      description: 'd',
      address: 'a',
      contact_email: 'c@example.com',
      phone_number: '1',
      website: 'https://example.com',
      owner_id: account_id,
    });

    const added = await store.transaction((tx) => tx.organizations.insert(organization));

    expect(added).toStrictEqual({ ...organization, number: 3 });
    expect(await store.organizations.find('zeta')).toStrictEqual(added);
    expect(await store.organizations.find('unknown')).toBeNull();
  });

  it('are listed oldest first, all or those of an account', async () => {
    const { store, project } = await makeStore();
    const foreign = await store.ensureProject({ org_id: 'zeta', project_id: 'z' }, now);
    await store.ensureProject({ org_id: 'beta', project_id: 'b' }, now);
    const { account_id } = await addAccount(store, 'ann');
    await store.transaction(async (tx) => {
      const member = { account_id, role: 'READER', now } as const;
      await tx.members.put({ org_id: 'zeta', project_key: foreign.key }, member);
      await tx.members.put({ org_id: 'acme', project_key: null }, member);
      await tx.members.put({ org_id: 'acme', project_key: project.key }, member);
    });
    const names = async (member: string | null) =>
      (await store.organizations.list(member)).map(({ name }) => name);

    expect(await names(null)).toEqual(['Default', 'acme', 'zeta', 'beta']);
    expect(await names(account_id)).toEqual(['acme', 'zeta']);
    expect(await names('unknown')).toEqual([]);
  });

  it('are deleted only when they are empty', async () => {
    const { store } = await makeStore();
    const foreign = await store.ensureProject({ org_id: 'zeta', project_id: 'z' }, now);
    const remove = () => store.transaction((tx) => tx.organizations.delete('zeta'));
    const place = { org_id: 'zeta', project_key: null };

    await expect(remove()).rejects.toThrow('projects');
    await store.transaction((tx) => tx.projects.delete(foreign));
    await expect(remove()).rejects.toThrow('members');
    await store.transaction((tx) => tx.members.deleteAll(place));
    await remove();

    expect(await store.organizations.find('zeta')).toBeNull();
    expect(await store.organizations.find('acme')).not.toBeNull();
  });
});

describe('projects', () => {
  it('come back as they were made, with their key', async () => {
    const { store } = await makeStore();
    const settings = {
      ...defaultProjectSettings,
      custom_instructions: 'only food',
      custom_categories: [{ food: 'what one eats' }],
      enable_graph: true,
    };
    const project = makeProject({ org_id: 'acme', project_id: 'p', description: 'd', settings });

    const added = await store.transaction((tx) => tx.projects.insert(project));

    expect(added).toStrictEqual({ ...project, key: added.key });
    expect(await store.projects.find({ project_id: 'p' })).toStrictEqual(added);
  });

  it('are found by project, by organization, or as the first one', async () => {
    const { store, project, other } = await makeStore();
    const foreign = await store.ensureProject({ org_id: 'zeta', project_id: 'z' }, now);
    const find = async (ref: Parameters<typeof store.projects.find>[0]) =>
      (await store.projects.find(ref))?.key;

    expect(await find({})).toBe(1);
    expect(await find({ project_id: 'other' })).toBe(other.key);
    expect(await find({ org_id: 'acme' })).toBe(project.key);
    expect(await find({ org_id: 'zeta' })).toBe(foreign.key);
    expect(await find({ org_id: 'zeta', project_id: 'z' })).toBe(foreign.key);
    expect(await store.projects.find({ org_id: 'zeta', project_id: 'own' })).toBeNull();
    expect(await store.projects.find({ project_id: 'unknown' })).toBeNull();
  });

  it('have an id that no other project of any organization has', async () => {
    const { store } = await makeStore();
    await store.ensureProject({ org_id: 'zeta', project_id: 'z' }, now);

    const attempt = store.transaction((tx) =>
      tx.projects.insert(makeProject({ org_id: 'acme', project_id: 'z' })),
    );

    await expect(attempt).rejects.toMatchObject({ code: 'conflict' });
  });

  it('are listed oldest first, one organization at a time', async () => {
    const { store } = await makeStore();
    await store.ensureProject({ org_id: 'zeta', project_id: 'z' }, now);

    const projects = await store.projects.list('acme');

    expect(projects.map(({ project_id }) => project_id)).toEqual(['own', 'other']);
    expect(await store.projects.list('unknown')).toEqual([]);
  });

  it('change what the patch names and nothing else', async () => {
    const { store, project, other } = await makeStore();
    const before = await store.projects.find({ project_id: 'own' });
    const settings = { ...defaultProjectSettings, multilingual: false };
    const update = (patch: { name?: string; settings?: typeof settings }, seconds: number) =>
      store.transaction((tx) =>
        tx.projects.update(project, { ...patch, updated_at: later(seconds) }),
      );

    await update({ settings }, 1);
    await update({ name: 'New' }, 2);

    const changed = { name: 'New', settings, updated_at: later(2) };
    expect(await store.projects.find({ project_id: 'own' })).toEqual({ ...before, ...changed });
    expect(await store.projects.find({ project_id: 'other' })).toMatchObject({
      key: other.key,
      name: 'other',
    });
  });
});

describe('members', () => {
  async function makePlaces() {
    const { store, project, other } = await makeStore();
    const organization: TenantRef = { org_id: 'acme', project_key: null };
    const inProject: TenantRef = { org_id: 'acme', project_key: project.key };
    const inOther: TenantRef = { org_id: 'acme', project_key: other.key };
    const { account_id } = await addAccount(store, 'ann');
    const put = (place: TenantRef, role: 'READER' | 'OWNER', id = account_id) =>
      store.transaction((tx) => tx.members.put(place, { account_id: id, role, now }));
    const roles = () =>
      Promise.all(
        [organization, inProject, inOther].map((at) => store.members.findRole(at, account_id)),
      );
    return { store, organization, inProject, inOther, account_id, put, roles };
  }

  it('have a role in exactly the place they were added to', async () => {
    const { put, roles, organization, inProject } = await makePlaces();

    await put(organization, 'READER');
    const asReader = await roles();
    await put(inProject, 'OWNER');

    expect(asReader).toEqual(['READER', null, null]);
    expect(await roles()).toEqual(['READER', 'OWNER', null]);
  });

  it('have one role in a place: a second one replaces the first', async () => {
    const { store, put, roles, organization, inProject, account_id } = await makePlaces();

    for (const place of [organization, inProject]) await put(place, 'READER');
    for (const place of [organization, inProject]) await put(place, 'OWNER');

    expect(await roles()).toEqual(['OWNER', 'OWNER', null]);
    expect(await store.members.list(inProject)).toHaveLength(1);
    expect(await store.members.listTenants(account_id)).toEqual([organization, inProject]);
  });

  it('are listed with their accounts, oldest first', async () => {
    const { store, put, organization, account_id } = await makePlaces();
    const owner = await store.accounts.getFirst();
    await put(organization, 'READER');

    const members = await store.members.list(organization);

    expect(members).toStrictEqual([
      { ...owner, role: 'OWNER', accepted_at: now },
      { ...(await store.accounts.find(account_id)), role: 'READER', accepted_at: now },
    ]);
  });

  it('that are invited have no role and no place until they accept', async () => {
    const { store, roles, organization, inProject, account_id } = await makePlaces();
    const { members } = store;
    await store.transaction(async (tx) => {
      await tx.members.invite(inProject, { account_id, role: 'OWNER', now });
    });
    const before = [await roles(), await members.listTenants(account_id)];
    const organizations = await store.organizations.list(account_id);

    const accept = (at: Instant) =>
      store.transaction((tx) => tx.members.acceptInvitations(organization, account_id, at));

    expect(before).toEqual([[null, null, null], []]);
    expect(organizations).toEqual([]);
    expect(await members.list(inProject)).toEqual([]);
    expect(await members.list(inProject, 'invited')).toMatchObject([{ accepted_at: null }]);
    expect([await accept(later(1)), await accept(later(1))]).toEqual([true, false]);
    expect(await roles()).toEqual([null, 'OWNER', null]);
    expect(await members.list(inProject)).toMatchObject([{ account_id, accepted_at: later(1) }]);
  });

  it('stay invited when they are invited again, and are members once they are put', async () => {
    const { store, put, roles, organization, account_id } = await makePlaces();
    const invite = (role: 'READER' | 'OWNER') =>
      store.transaction((tx) => tx.members.invite(organization, { account_id, role, now }));

    await invite('READER');
    await invite('OWNER');
    const invited = await store.members.list(organization, 'invited');
    await put(organization, 'READER');
    await invite('OWNER');

    expect(invited).toMatchObject([{ account_id, role: 'OWNER', accepted_at: null }]);
    expect(await roles()).toEqual(['OWNER', null, null]);
  });

  it('have their places in the order in which they accepted them', async () => {
    const { store, put, organization, inProject, inOther, account_id } = await makePlaces();
    await store.transaction((tx) =>
      tx.members.invite(inProject, { account_id, role: 'OWNER', now }),
    );
    await put(inOther, 'READER');

    await store.transaction((tx) =>
      tx.members.acceptInvitations(organization, account_id, later(1)),
    );

    expect(await store.members.listTenants(account_id)).toEqual([inOther, inProject]);
  });

  it('list and decline the invitations of a place', async () => {
    const { store, organization, inProject, account_id } = await makePlaces();
    await store.transaction(async (tx) => {
      await tx.members.invite(inProject, { account_id, role: 'OWNER', now });
      await tx.members.invite(organization, { account_id, role: 'READER', now });
    });
    const list = (place: TenantRef | null, page = 1) =>
      store.members.listInvitations(account_id, { place, page, page_size: 1 });
    const lists = [await list(null), await list(null, 2), await list(inProject)];

    const decline = (place: TenantRef) =>
      store.transaction((tx) => tx.members.declineInvitations(place, account_id));
    const declined = [await decline(inProject), await decline(inProject)];

    const ofOrganization = { org_id: 'acme', project_id: null, project_name: null, role: 'READER' };
    const ofProject = { org_id: 'acme', project_id: 'own', role: 'OWNER', created_at: now };
    expect(lists).toMatchObject([
      { total: 2, results: [ofOrganization] },
      { total: 2, results: [ofProject] },
      { total: 1, results: [ofProject] },
    ]);
    expect(declined).toEqual([true, false]);
    expect(await list(null)).toMatchObject({ total: 1, results: [ofOrganization] });
  });

  it('that leave a project stay in the organization and its other projects', async () => {
    const { store, put, roles, organization, inProject, inOther, account_id } = await makePlaces();
    for (const place of [organization, inProject, inOther]) await put(place, 'READER');

    await store.transaction((tx) => tx.members.delete(inProject, account_id));

    expect(await roles()).toEqual(['READER', null, 'READER']);
  });

  it('that leave an organization leave its projects too, and no other organization', async () => {
    const { store, put, roles, organization, inProject, account_id } = await makePlaces();
    const foreign = await store.ensureProject({ org_id: 'zeta', project_id: 'z' }, now);
    const elsewhere: TenantRef = { org_id: 'zeta', project_key: foreign.key };
    for (const place of [organization, inProject, elsewhere]) await put(place, 'READER');

    await store.transaction((tx) => tx.members.delete(organization, account_id));

    expect(await roles()).toEqual([null, null, null]);
    expect(await store.members.listTenants(account_id)).toEqual([elsewhere]);
    expect(await store.members.list(organization)).toHaveLength(1);
  });

  it('all leave at once, a project or an organization with its projects', async () => {
    const { store, put, organization, inProject, inOther } = await makePlaces();
    for (const place of [organization, inProject, inOther]) await put(place, 'READER');

    await store.transaction((tx) => tx.members.deleteAll(inProject));
    const left = await store.members.list(inOther);
    await store.transaction((tx) => tx.members.deleteAll(organization));

    expect(await store.members.list(inProject)).toEqual([]);
    expect(left).toHaveLength(1);
    expect(await store.members.list(inOther)).toEqual([]);
    expect(await store.members.list(organization)).toEqual([]);
  });
});

it('the version of a store changes with each commit, and with nothing else', async () => {
  const folder = await makeFolder();
  const [store, elsewhere] = [await open(folder), await open(folder)];
  const isUnchangedByRead = async () => {
    const before = await store.version();
    await store.projects.find({});
    return (await store.version()) === before;
  };
  // More than once: on PostgreSQL, commits in other databases of the server change it too.
  await expect.poll(isUnchangedByRead, { timeout: 10_000 }).toBe(true);
  const before = await store.version();

  await addAccount(elsewhere, 'ann');
  const theirs = await store.version();
  await addAccount(store, 'bob');
  const ours = await store.version();

  expect(theirs).not.toBe(before);
  expect(ours).not.toBe(theirs);
  await Promise.all([store.close(), elsewhere.close()]);
});
