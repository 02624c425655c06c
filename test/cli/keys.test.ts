import { describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const run = runIn(temporaryFolder());

async function create(...args: string[]) {
  const { code, stdout, stderr } = await run(['keys', 'create', '--json', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function list() {
  const { stdout } = await run(['keys', 'list', '--json']);
  return JSON.parse(stdout).keys;
}

describe('mneme keys create', () => {
  it('prints the key alone, so that a script can take it', async () => {
    const { code, stdout, stderr } = await run(['keys', 'create', '--name', 'ci']);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^mk_[0-9A-Za-z]{43}\n$/);
    expect(stderr).toContain('owner@localhost: its whole account');
    expect(stderr).not.toContain(stdout.trim());
  });

  it('makes keys of others, for one project, to read, with an end', async () => {
    await run(['call', 'add_memory', '--text', 'x', '--project-id', 'apart']);
    const bound = ['--project-id', 'apart', '--read-only', '--expires-in-days', '30'];

    const key = await create('--email', 'Ann@Example.com', ...bound);

    expect(key).toMatchObject({
      account: 'ann@example.com',
      project_id: 'apart',
      read_only: true,
      name: 'unnamed',
      org_id: expect.any(String),
      last_used_at: null,
      revoked_at: null,
    });
    const days = (Date.parse(key.expires_at) - Date.now()) / (24 * 60 * 60 * 1000);
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
  });

  it('is not bound to the project that requests usually go to', async () => {
    const env = { MNEME_PROJECT_ID: 'usual' };

    const { stdout } = await run(['keys', 'create', '--json'], { env });

    expect(JSON.parse(stdout)).toMatchObject({ org_id: null, project_id: null });
  });

  it.each([
    [['--project-id', 'typo'], 3, 'organization'],
    [['--org-id', 'typo'], 3, 'organization not found'],
    [['--email', 'nobody'], 2, '--email: '],
    [['--expires-in-days', '0'], 2, '--expires-in-days: '],
    [['--expires-in-days', 'many'], 2, '--expires-in-days: '],
    [['--read-only=perhaps'], 2, '--read-only: '],
    [['--nme', 'x'], 2, 'flag --nme: '],
    [['--page', '1'], 2, 'flag --page: is not a flag'],
    [['--output', 'xml'], 2, 'flag --output: '],
    [['ann'], 2, 'unexpected "ann"'],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stdout, stderr } = await run(['keys', 'create', ...args]);

    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('mneme keys list', () => {
  it('shows everything but the key', async () => {
    const { key, key_id, prefix } = await create('--name', 'for the list');

    const { stdout } = await run(['keys', 'list']);

    expect(stdout).toMatch(/^ {2}KEY ID +PREFIX +NAME +ACCOUNT +REACHES /);
    expect(stdout).toMatch(
      new RegExp(
        `^ {2}${key_id} +${prefix} +for the list +owner@localhost +its whole account +no +-`,
        'm',
      ),
    );
    expect(stdout).not.toContain(key);
    expect(JSON.stringify(await list())).not.toMatch(/hash|mk_\w{20}/);
  });

  it('says that there is none', async () => {
    const { code, stdout } = await run(['keys', 'list', '--data-dir', temporaryFolder()]);

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'No keys yet; mneme keys create makes one.\n',
    });
  });
});

describe('mneme keys revoke', () => {
  it('ends a key', async () => {
    const { key_id } = await create();

    const { code, stdout } = await run(['keys', 'revoke', key_id]);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `revoked ${key_id}\n` });
    expect(await list()).toContainEqual(
      expect.objectContaining({ key_id, revoked_at: expect.stringMatching(/Z$/) }),
    );
  });

  it.each([
    [['revoke', 'unknown'], 3, 'no key'],
    [['revoke'], 2, 'KEY_ID is missing'],
    [['rvoke'], 2, 'unknown action "rvoke". Did you mean "revoke"?'],
    [[], 2, 'an action is missing'],
    [['--name', 'x'], 2, 'an action is missing'],
  ])('refuses %j', async (args, expected, message) => {
    const { code, stderr } = await run(['keys', ...args]);

    expect(code).toBe(expected);
    expect(stderr).toContain(`error: ${message}`);
  });
});

describe('help', () => {
  it('of the command lists its actions, and of an action its flags', async () => {
    const command = await run(['keys', '--help']);
    const action = await run(['keys', 'revoke', '--help']);
    const same = await run(['help', 'keys', 'revoke']);

    for (const name of ['create', 'list', 'revoke']) {
      expect(command.stdout).toContain(`  mneme keys ${name} `);
    }
    expect(action.stdout).toContain('mneme keys revoke KEY_ID');
    expect(action.stdout).not.toContain('--email');
    expect(same.stdout).toBe(action.stdout);
  });
});
