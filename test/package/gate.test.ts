import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/** Holds a repository with the script, a `.ci/run` of its own, and what that leaves. */
let folder: string;
let checkout: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mneme-test-'));
  checkout = join(folder, 'checkout');
  for (const name of ['tmp', 'checkout/scripts', 'checkout/.ci'])
    mkdirSync(join(folder, name), { recursive: true });
  cpSync('scripts/gate.mjs', join(checkout, 'scripts/gate.mjs'));
  writeFileSync(
    join(checkout, '.ci/run'),
    `pwd >> ${folder}/runs; env > ${folder}/env; ls -ld . > ${folder}/mode; echo "the answer is $(cat answer)"
     [ "$(cat answer)" = good ]`,
  );
  git('init', '--quiet', '--initial-branch=main');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run gate', () => {
  it('runs the CI of HEAD in a clone, and remembers that it was green', () => {
    const commit = commitAnswer('good');

    const first = gate();
    const second = gate();

    expect(first).toEqual({ status: 0, last: `GREEN: ${commit}` });
    expect(second.status).toBe(0);
    expect(second.last).toMatch(new RegExp(`^GREEN: ${commit} on .*remembered`));
    expect(clones()).toHaveLength(1);
    expect(clones()).not.toContain(checkout);
  });

  it('runs it again when asked, and for another commit', () => {
    commitAnswer('good');
    gate();
    gate('--again');
    commitAnswer('bad');

    const last = gate();

    expect(last.status).toBe(1);
    expect(clones()).toHaveLength(3);
  });

  it('forgets a red one, and keeps its output', () => {
    const commit = commitAnswer('bad');

    gate();
    const { status, last } = gate();

    expect(status).toBe(1);
    expect(last).toMatch(new RegExp(`^RED: ${commit}; the output is in `));
    expect(readFileSync(last.split(' is in ')[1] ?? '', 'utf8')).toContain('the answer is bad');
    expect(clones()).toHaveLength(2);
  });

  it('looks at what is committed only', () => {
    commitAnswer('good');
    writeFileSync(join(checkout, 'answer'), 'bad');

    expect(gate().status).toBe(0);
  });

  it('clones into a folder in which programs of other users can be run', () => {
    commitAnswer('good');

    gate();

    expect(readFileSync(join(folder, 'mode'), 'utf8')).toMatch(/^drwxr-xr-x/);
  });

  it('leaves no clone, and gives CI no settings of the checkout', () => {
    commitAnswer('good');

    gate();

    const variables = readFileSync(join(folder, 'env'), 'utf8');
    expect(clones().filter((path) => existsSync(path))).toEqual([]);
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
    expect(variables).toContain('PATH=');
    expect(variables).not.toMatch(/^(npm_|MNEME_|TEST_POSTGRES)|node_modules\/\.bin/m);
  });
});

/** The folders in which CI ran. */
function clones(): string[] {
  return readFileSync(join(folder, 'runs'), 'utf8').trim().split('\n');
}

function commitAnswer(answer: string): string {
  writeFileSync(join(checkout, 'answer'), answer);
  git('add', '--all');
  git('-c', 'user.name=ann', '-c', 'user.email=ann@example.com', 'commit', '-qm', answer);
  return git('rev-parse', 'HEAD');
}

function git(...args: string[]): string {
  const { stdout } = spawnSync('git', args, { cwd: checkout, encoding: 'utf8' });
  return stdout.trim();
}

function gate(...args: string[]): { status: number | null; last: string } {
  const { status, stdout } = spawnSync(process.execPath, ['scripts/gate.mjs', ...args], {
    cwd: checkout,
    encoding: 'utf8',
    env: {
      HOME: folder,
      TMPDIR: join(folder, 'tmp'),
      PATH: `/elsewhere/node_modules/.bin:${process.env.PATH}`,
      npm_config_loglevel: 'silent',
      MNEME_PORT: '1',
      TEST_POSTGRES_VERSION: '14',
    },
  });
  return { status, last: stdout.trim().split('\n').at(-1) ?? '' };
}
