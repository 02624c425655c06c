import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import { configFromOptions } from '../../src/config/load-config.ts';
import { optionNames } from '../../src/config/options.ts';
import { runIn, temporaryFolder } from './support.ts';

const data_dir = temporaryFolder();
const start = runIn(data_dir);
const run = (args: string[]) => start(args, { env: { MNEME_DATA_DIR: data_dir } });

/** The organizations of a stranger who invites the owner of the store, by their names. */
const organizations = new Map<string, string>();

beforeAll(async () => {
  const app = createApp(configFromOptions({ data_dir }, optionNames), { log: () => {} });
  const of = { email: 'host@example.com', org_id: null, project_id: null };
  const { record } = await app.keys.create({
    ...of,
    name: 'host',
    read_only: false,
    expires_at: null,
  });
  const caller = { ...app.caller, account_id: record.account_id };
  for (const name of ['Good\ncompany', 'Bad company']) {
    const { org_id } = await app.invoke('create_organization', { name }, { caller });
    const owner = { org_id, email: 'owner@localhost', role: 'READER' };
    await app.invoke('add_organization_member', owner, { caller });
    organizations.set(name, org_id);
  }
  await app.close();
});

const idOf = (name: string) => organizations.get(name) ?? '';

describe('mneme invitations', () => {
  it('says that there are none', async () => {
    const args = ['invitations', 'list', '--data-dir', temporaryFolder()];

    expect((await run(args)).stdout).toBe('No invitations.\n');
  });

  it('lists them, each in one line', async () => {
    const { stdout } = await run(['invitations', 'list']);
    const json = JSON.parse((await run(['invitations', 'list', '--json'])).stdout);

    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stdout).toContain('Good company');
    expect(stdout).toContain(idOf('Bad company'));
    expect(json.total).toBe(2);
  });

  it('accepts one and declines another', async () => {
    const accepted = await run(['invitations', 'accept', idOf('Good\ncompany')]);
    const declined = await run(['invitations', 'decline', idOf('Bad company')]);
    const again = await run(['invitations', 'accept', idOf('Bad company')]);

    expect([accepted.stdout, declined.stdout]).toEqual([
      'Invitation accepted\n',
      'Invitation declined\n',
    ]);
    expect(again).toMatchObject({ code: 3, stderr: expect.stringContaining('Invitation') });
  });

  it.each([
    [['accept'], 2, 'ORG_ID is missing'],
    [['agree', 'x'], 2, 'unknown action "agree"'],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stderr } = await run(['invitations', ...args]);

    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(message) });
  });
});
