import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createInvoke } from '../../src/core/invoke.ts';
import { openStore } from '../../src/storage/store.ts';
import { databaseOf } from '../support/database.ts';
import { owner } from '../support/engine.ts';
import { type Target, targets } from '../support/targets.ts';

const fact = { text: 'Likes tea', user_id: 'ann', infer: false } as const;
const sam = { email: 'sam@example.com' };

describe.each(targets)('names of projects, %s', (_name, start) => {
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

  async function makeProject(org_id: string, name: string): Promise<string> {
    return (await target.call('create_project', { org_id, name })).project_id;
  }

  async function asSam(): Promise<Target> {
    const { store, clock } = target.engine;
    const times = { created_at: clock.now() };
    const account = { account_id: 'sam', username: 'sam', ...sam, ...times };
    await store.transaction((tables) => tables.accounts.insert(account));
    return target.as({ account_id: 'sam' });
  }

  async function listTexts(who: Target, project_id: string): Promise<unknown[]> {
    const { results } = await who.call('get_memories', { user_id: 'ann', project_id });
    return results.map(({ memory }) => memory);
  }

  /** As a store of an earlier version may have them. */
  async function makeTwins(org_id: string): Promise<[string, string]> {
    const [one, two] = [await makeProject(org_id, 'Twin'), await makeProject(org_id, 'Other')];
    const { store, clock } = target.engine;
    const found = await store.projects.find({ project_id: two });
    if (found === null) throw new Error('it was made');
    const patch = { name: 'Twin', updated_at: clock.now() };
    await store.transaction((tables) => tables.projects.update(found, patch));
    return [one, two];
  }

  it('find them wherever an id would', async () => {
    const project_id = await makeProject(await makeOrganization(), 'webshop');

    await target.call('add_memory', { ...fact, project_id: 'webshop' });
    const project = await target.call('get_project', { project_id: 'webshop' });
    await target.call('update_project', { project_id: 'webshop', description: 'Tea' });

    expect(project).toMatchObject({ project_id, name: 'webshop' });
    expect(await listTexts(target, 'webshop')).toEqual(['Likes tea']);
    expect(await listTexts(target, project_id)).toEqual(['Likes tea']);
    expect(await target.call('get_project', { project_id })).toMatchObject({ description: 'Tea' });
  });

  it('count only where no id is the same', async () => {
    const org_id = await makeOrganization();
    const project_id = await makeProject(org_id, 'webshop');
    await makeProject(org_id, project_id);

    expect(await target.call('get_project', { project_id })).toMatchObject({ name: 'webshop' });
  });

  it('are told where none matches, with how a project is made', async () => {
    const org_id = await makeOrganization();
    for (let at = 0; at < 7; at += 1) await makeProject(org_id, `shop ${at}`);
    const { engine } = target;
    const wrong = { user_id: 'ann', org_id, project_id: 'webshop' };

    const refusal = await target.refusal('get_memories', wrong);
    const refused = engine.invoke('get_memories', wrong, { caller: owner });
    const { next } = (await refused.catch((error: unknown) => error)) as { next: string };
    const unknown = await target.refusal('get_memories', { user_id: 'ann', org_id: 'nowhere' });

    expect(refusal).toMatchObject({ code: 'not_found', message: 'project not found' });
    expect(next.match(/"shop \d"/g)).toHaveLength(5);
    expect(next).toContain('create_project with a name makes one');
    expect(unknown).toMatchObject({ code: 'not_found', message: 'organization not found' });
  });

  it('of others are hidden, and change nothing for who sees one project of that name', async () => {
    const [ours, theirs] = [await makeOrganization('Ours'), await makeOrganization('Theirs')];
    await makeProject(theirs, 'secret');
    await makeProject(theirs, 'webshop');
    const project_id = await makeProject(ours, 'webshop');
    const person = await asSam();
    await target.call('add_organization_member', { org_id: ours, ...sam, role: 'READER' });

    const hidden = await person.refusal('get_project', { project_id: 'secret' });
    const unknown = await person.refusal('get_project', { project_id: 'no such name' });
    const seen = await person.call('get_project', { project_id: 'webshop' });
    const write = await person.refusal('add_memory', { ...fact, project_id: 'webshop' });

    expect(hidden).toMatchObject({ code: 'not_found' });
    expect(hidden).toEqual(unknown);
    expect(JSON.stringify(hidden)).not.toContain('secret');
    expect(seen).toMatchObject({ project_id, org_id: ours });
    expect(write.code).toBe('forbidden');
  });

  it('reach no project outside what a key is bound to', async () => {
    const [ours, theirs] = [await makeOrganization('Ours'), await makeOrganization('Theirs')];
    const project_id = await makeProject(ours, 'webshop');
    await makeProject(ours, 'sibling');
    await makeProject(theirs, 'foreign');
    const ofProject = target.as({ org_id: ours, project_id, bound_to: 'project' });
    const ofOrganization = target.as({ org_id: ours, bound_to: 'organization' });

    const codes = [
      await ofProject.refusal('get_project', { project_id: 'sibling' }),
      await ofOrganization.refusal('get_project', { project_id: 'foreign' }),
      await ofOrganization.refusal('get_project', { org_id: theirs, project_id: 'foreign' }),
    ].map(({ code }) => code);
    const reached = await ofOrganization.call('get_project', { project_id: 'sibling' });

    expect(codes).toEqual(Array(3).fill('not_found'));
    expect(reached).toMatchObject({ name: 'sibling' });
  });

  it('are unique in an organization, for new projects and renamed ones', async () => {
    const [org_id, elsewhere] = [await makeOrganization('One'), await makeOrganization('Two')];
    await makeProject(org_id, 'webshop');
    const project_id = await makeProject(org_id, 'garden');
    await makeProject(elsewhere, 'webshop');

    const refusals = [
      await target.refusal('create_project', { org_id, name: 'webshop' }),
      await target.refusal('update_project', { project_id, name: 'webshop' }),
    ];
    await target.call('update_project', { project_id, name: 'garden' });

    const taken = expect.stringContaining('is taken by another project of the organization');
    expect(refusals).toMatchObject(Array(2).fill({ code: 'invalid', message: taken }));
  });

  it('that two have are refused with their ids, and either can be renamed', async () => {
    const [one, two] = await makeTwins(await makeOrganization());

    const refusal = await target.refusal('get_project', { project_id: 'Twin' });
    await target.call('update_project', { project_id: two, name: 'Twin', description: 'Kept' });
    await target.call('update_project', { project_id: two, name: 'Single' });
    const found = await target.call('get_project', { project_id: 'Twin' });

    expect(refusal.code).toBe('invalid');
    for (const id of [one, two]) expect(refusal.message).toContain(id);
    expect(found).toMatchObject({ project_id: one });
  });

  it('are given once, when two processes make projects at the same time', async () => {
    const org_id = await makeOrganization();
    const { deps, data_dir } = target.engine;
    const options = { synchronous: 'normal', busy_timeout_ms: 5_000, log: () => {} } as const;
    const second = await openStore({ ...(await databaseOf(data_dir)), ...options, data_dir });
    const invokes = [createInvoke(deps), createInvoke({ ...deps, store: second })];

    const making = [1, 2, 3, 4].flatMap(() =>
      invokes.map((invoke) =>
        invoke('create_project', { org_id, name: 'webshop' }, { caller: owner }),
      ),
    );
    const outcomes = await Promise.allSettled(making);
    await second.close();

    const { results } = await target.call('list_projects', { org_id });
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(results.map(({ name }) => name)).toEqual(['webshop']);
  });
});
