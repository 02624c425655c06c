import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { releasedFiles } from '../../scripts/release-files.mjs';

const day = '2027-02-03';
const changelog = '# Changelog\n\n## [Unreleased]\n\n- News\n\n## [0.1.0] - 2026-12-01\n\n- Old\n';

describe('the files of a release', () => {
  const read = (file: string) => (file === 'CHANGELOG.md' ? changelog : readFileSync(file, 'utf8'));

  it('name the version, once in each place', () => {
    const files = releasedFiles(read, { version: '7.8.9', day });
    const lock = JSON.parse(files['package-lock.json'] ?? '');

    expect(JSON.parse(files['package.json'] ?? '').version).toBe('7.8.9');
    expect([lock.version, lock.packages[''].version]).toEqual(['7.8.9', '7.8.9']);
    expect(files['deploy/Dockerfile']).toContain('image.version="7.8.9"');
    expect(files['deploy/kubernetes/kustomization.yaml']).toMatch(/newTag: 7\.8\.9$/m);
  });

  it('change nothing else', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    const { 'CHANGELOG.md': _, ...files } = releasedFiles(read, { version, day });

    for (const [file, text] of Object.entries(files)) {
      expect(text, file).toBe(readFileSync(file, 'utf8'));
    }
  });

  it('give what is unreleased a heading, below an empty section', () => {
    const { 'CHANGELOG.md': text } = releasedFiles(read, { version: '0.2.0', day });

    expect(text).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2027-02-03\n\n- News\n\n' +
        '## [0.1.0] - 2026-12-01\n\n- Old\n',
    );
  });

  it('are refused without news', () => {
    const empty = (file: string) =>
      file === 'CHANGELOG.md' ? changelog.replace('- News\n\n', '') : read(file);

    expect(() => releasedFiles(empty, { version: '0.2.0', day })).toThrow('says nothing');
  });
});

describe.runIf(existsSync('.git'))('npm run release', () => {
  let folder: string;
  const person = { name: 'Ada', email: 'ada@example.com' };
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
  };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trim();
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/release.mjs', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
      timeout: 240_000,
    });
  const json = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

  beforeAll(() => {
    mkdirSync('.build', { recursive: true });
    folder = mkdtempSync(resolve('.build/release-'));
    const listed = ['ls-files', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', listed, { encoding: 'utf8' }).trim().split('\n');
    for (const file of files.filter((name) => existsSync(name) && !/^test\//.test(name))) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      cpSync(file, join(folder, file));
    }
    linkAll('node_modules', join(folder, 'node_modules'));
    writeFileSync(join(folder, '.git-exclude'), 'node_modules\n.git-exclude\n');
    git('init', '--quiet');
    git('config', 'core.excludesFile', join(folder, '.git-exclude'));
    git('add', '.');
    git('commit', '--quiet', '--message', 'as it is');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('refuses what is not a version, and an older one', () => {
    expect(release('next')).toMatchObject({ status: 1, stderr: expect.stringContaining('0.2.0') });
    expect(release('0.0.9')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('already'),
    });
  });

  it('refuses a dirty tree, and names what is in it', () => {
    writeFileSync(join(folder, 'stray.txt'), '');

    const { status, stderr } = release('9.9.9');
    rmSync(join(folder, 'stray.txt'));

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('?? stray.txt'),
    });
  });

  it('says with --dry-run what it would do, and changes nothing', () => {
    const { status, stdout } = release('9.9.9', '--dry-run');

    expect(status).toBe(0);
    expect(stdout).toContain('tag it v9.9.9');
    expect(git('status', '--porcelain')).toBe('');
    expect(git('tag', '--list')).toBe('');
  });

  it('commits, tags and packs one version', { timeout: 300_000 }, () => {
    const { status, stdout, stderr } = release('9.9.9');

    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('npm publish mneme-9.9.9.tgz');
    expect(git('tag', '--list')).toBe('v9.9.9');
    expect(git('log', '-1', '--format=%s')).toBe('chore(release): version 9.9.9');
    expect(git('status', '--porcelain')).toBe('');
    expect([json('manifest.json').version, json('server.json').version]).toEqual([
      '9.9.9',
      '9.9.9',
    ]);
    expect(json('dist/sbom.cdx.json').metadata.component.version).toBe('9.9.9');
    expect(existsSync(join(folder, 'mneme-9.9.9.tgz'))).toBe(true);
    expect(existsSync(join(folder, 'mneme-9.9.9.mcpb'))).toBe(true);
    expect(release('9.9.9').stderr).toContain('tag v9.9.9 exists');
  });
});

/** A copy that takes no space; links of its own, because esbuild looks behind symbolic ones. */
function linkAll(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkAll(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}
