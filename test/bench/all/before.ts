import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inherited } from '../client.ts';

/** The command of the commit, checked out and built, and a folder for the work. */
type Built = { cli: string; folder: string };

/** Checks the commit out into a new folder, which is gone afterwards, also on failure. */
export async function withBuilt<T>(commit: string, work: (built: Built) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-bench-all-'));
  const place = join(folder, 'checkout');
  const remove = () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    git('worktree', 'prune');
  };
  const quit = () => {
    // Registered now, so that it comes after servers have been ended, which still write there.
    process.once('exit', remove);
    process.exit(1);
  };
  for (const signal of signals) process.once(signal, quit);
  try {
    git('worktree', 'add', '--quiet', '--detach', place, commit);
    install(place);
    run(place, 'npm', ['run', '--silent', 'build']);
    return await work({ cli: join(place, 'dist/cli.js'), folder });
  } finally {
    remove();
    for (const signal of signals) process.off(signal, quit);
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Short hash and subject. */
export function titleOf(commit: string): string {
  return git('log', '-1', '--format=%h %s', commit);
}

/** Whether something is in the checkout that is not in its commit. */
export function isChanged(): boolean {
  return git('status', '--porcelain') !== '';
}

/** Copies the packages of this checkout where the same ones are locked: faster than npm. */
function install(place: string): void {
  const lock = 'package-lock.json';
  const isSame = readFileSync(lock, 'utf8') === readFileSync(join(place, lock), 'utf8');
  if (isSame && existsSync('node_modules')) {
    cpSync('node_modules', join(place, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  } else {
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    const all = ['--include=dev', '--include=optional', '--prefer-offline'];
    run(place, 'npm', ['ci', ...all, ...quiet]);
  }
}

function git(...args: string[]): string {
  return run('.', 'git', args).trim();
}

function run(cwd: string, command: string, args: readonly string[]): string {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    env: inherited(),
    shell: command === 'npm' && process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  throw new Error(`"${command} ${args.join(' ')}" failed\n${stdout}`, { cause: error });
}
