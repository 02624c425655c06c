import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutSshAlias } from '../../src/cli/hook/remote-name.ts';
import { preparedSession, user } from './hook-support.ts';

const rule = 'Always answer in Swedish in this project.';
const told = [user(rule)];

function git(cwd: string, ...args: string[]): void {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const { status, stderr } = spawnSync('git', ['-C', cwd, ...author, ...args]);
  expect(`${status} ${stderr}`).toMatch(/^0 /);
}

/** A repository in which the rule was told, and what a session in a folder is shown. */
async function toldInRepository(...remote: string[]) {
  const { home, cwd, event, hook, whole } = preparedSession(told);
  git(cwd, 'init', '--quiet');
  if (remote.length > 0) git(cwd, 'remote', 'add', ...remote);
  const tell = (folder = cwd) =>
    hook(['session-end', '--wait'], { ...event, cwd: folder }, { cwd: home });
  const shown = async (folder: string) => {
    const { stdout } = await hook(['session-start'], { ...event, cwd: folder }, { cwd: home });
    return stdout.includes('Swedish');
  };
  const another = (name: string, ...more: string[]) => {
    const folder = join(home, name);
    mkdirSync(folder, { recursive: true });
    git(folder, 'init', '--quiet');
    if (more.length > 0) git(folder, 'remote', 'add', ...more);
    return folder;
  };
  return { home, cwd, event, hook, whole, tell, shown, another };
}

describe('a rule of one project', () => {
  it('is not shown with the prompts of another, and one of none is shown in both', async () => {
    const { home, cwd, event, hook, remember, pin } = preparedSession(told);
    const blog = join(home, 'blog');
    mkdirSync(blog);
    await hook(['session-end', '--wait']);
    await pin('Ada is allergic to nuts');
    await remember('The bike is in the cellar');
    await remember('The bike shop is closed on Mondays', '--metadata.project', 'shop');
    const asked = async (folder: string) => {
      const prompt = 'Where did I put my bike?';
      return (await hook(['prompt'], { ...event, cwd: folder, prompt })).stdout;
    };

    expect(await asked(cwd)).toMatch(/Swedish[\s\S]*cellar/);
    const other = await asked(blog);
    expect(other).toContain('nuts');
    expect(other).toContain('cellar');
    expect(other).not.toMatch(/Swedish|Mondays/);
  });

  it('is not shown in another repository whose folder has the same name', async () => {
    const { cwd, tell, shown, another } = await toldInRepository();
    await tell();

    expect(await shown(another('work/shop'))).toBe(false);
    expect(await shown(another('work/other/shop', 'origin', 'git@example.com:eve/shop'))).toBe(
      false,
    );
    expect(await shown(cwd)).toBe(true);
  });
});

describe('the memory of a repository', () => {
  it('is shared by its worktrees, both ways', async () => {
    for (const isMain of [true, false]) {
      const { home, cwd, tell, shown } = await toldInRepository();
      const worktree = join(home, 'feature');
      git(cwd, 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
      git(cwd, 'worktree', 'add', '--quiet', worktree);

      await tell(isMain ? cwd : worktree);

      expect(await shown(isMain ? worktree : cwd)).toBe(true);
      expect(spawnSync('git', ['-C', cwd, 'status', '--short']).stdout.toString()).toBe('');
    }
  });

  it('stays when it gets a remote, loses it, or is renamed', async () => {
    const { home, cwd, tell, shown, whole } = await toldInRepository();
    await tell();
    git(cwd, 'remote', 'add', 'origin', 'https://github.com/acme/shop');
    expect(await shown(cwd)).toBe(true);

    const renamed = join(home, 'store');
    renameSync(cwd, renamed);
    expect(await shown(renamed)).toBe(true);

    git(renamed, 'remote', 'set-url', 'origin', 'https://gitlab.com/new-owner/store');
    expect(await shown(renamed)).toBe(true);
    git(renamed, 'remote', 'remove', 'origin');
    expect(await shown(renamed)).toBe(true);
    const key = readFileSync(join(renamed, '.git/mneme-project'), 'utf8').trim();
    expect(key).toMatch(/^shop-[\da-f]{8}$/);
    expect((await whole())[0].metadata.project).toBe(key);
  });

  it.each([
    ['a remote of another name', ['upstream', 'https://github.com/acme/shop.git']],
    ['an alias of ssh', ['origin', 'git@github-work:acme/shop.git']],
    ['an alias with the host in it', ['origin', 'ssh://git@github.com-work/acme/shop']],
    ['other case', ['origin', 'git@GitHub.com:Acme/Shop']],
    ['a fork', ['upstream', 'git://github.com/acme/shop']],
  ])('is found in a clone with %s', async (_what, remote) => {
    const { tell, shown, another, cwd } = await toldInRepository(
      'origin',
      'https://github.com/acme/shop',
    );
    await tell();
    const clone = another('clone', ...remote);

    expect(await shown(clone)).toBe(true);
    git(cwd, 'remote', 'set-url', 'origin', 'https://github.com/acme/other');
    expect(await shown(another('more', 'origin', 'https://github.com/acme/other'))).toBe(false);
  });

  it('is found by a folder name in either form of its accents', async () => {
    const { home, event, hook } = preparedSession(told);
    const folders = ['a/café', 'b/café'.normalize('NFD')].map((name) => join(home, name));
    for (const folder of folders) mkdirSync(folder, { recursive: true });

    await hook(['session-end', '--wait'], { ...event, cwd: folders[1] });

    const { stdout } = await hook(['session-start'], { ...event, cwd: folders[0] });
    expect(stdout).toMatch(/# About the project café\n[\s\S]*Swedish/);
  });
});

describe('an address', () => {
  const config =
    'Host other\n  HostName example.org\nHost work personal\n\tHostname=git.example.com';

  it.each([
    ['git@work:owner/name', 'git@git.example.com:owner/name'],
    ['ssh://git@personal/owner/name', 'ssh://git@git.example.com/owner/name'],
    ['work:owner/name', 'git.example.com:owner/name'],
    ['git@gitlab-me:owner/name', 'git@gitlab.com:owner/name'],
    ['git@unknown:owner/name', 'git@unknown:owner/name'],
    ['https://github-work/owner/name', 'https://github-work/owner/name'],
    ['C:/code/name', 'C:/code/name'],
    ['../name', '../name'],
    ['/srv/github-work/name', '/srv/github-work/name'],
  ])('with an alias of ssh names the host behind it: %s', (url, whole) => {
    expect(withoutSshAlias(url, () => config)).toBe(whole);
  });
});
