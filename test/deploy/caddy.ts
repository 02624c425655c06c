import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { withLock } from '../../scripts/lock.mjs';
import { until } from '../e2e/service.ts';
import { freePort } from '../support/free-port.ts';
import type { InFront } from './proxy.ts';

/** The program, of this machine or out of Debian's package in the user's cache; null without. */
export async function findCaddy(): Promise<string | null> {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const own = folders.map((folder) => join(folder, 'caddy')).find((path) => existsSync(path));
  if (own !== undefined) return own;
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mneme-tests');
  const program = join(cache, 'caddy/usr/bin/caddy');
  if (!existsSync(program)) {
    mkdirSync(cache, { recursive: true });
    await withLock(cache, () => existsSync(program) || unpack(join(cache, 'caddy')));
  }
  return existsSync(program) ? program : null;
}

/** Leaves nothing behind if the package does not exist. */
function unpack(folder: string): void {
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft);
  spawnSync('apt-get', ['-qq', 'download', 'caddy'], { cwd: draft, stdio: 'ignore' });
  const [archive] = readdirSync(draft);
  const { status } = spawnSync('dpkg', ['-x', archive ?? '', '.'], { cwd: draft, stdio: 'ignore' });
  if (status === 0) renameSync(draft, folder);
  else rmSync(draft, { recursive: true });
}

/** Runs deploy/compose/Caddyfile, with other addresses than those of its containers. */
export async function startCaddy(program: string, upstreams: readonly string[]): Promise<InFront> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-caddy-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const hosts = upstreams.map((upstream) => new URL(upstream).host);
  const args = ['run', '--config', resolve('deploy/compose/Caddyfile'), '--adapter', 'caddyfile'];
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      MNEME_SITE: url,
      MNEME_REPLICAS: hosts.join(' '),
    },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const exited = new Promise((ended) => child.once('exit', ended));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(
      async () => (child.exitCode === null ? await statusOf(`${url}/healthz`) : said),
      (status) => status === 200,
    );
    return { url, stop };
  } catch (cause) {
    await stop();
    throw new Error(`Caddy did not start: ${said.slice(-2000)}`, { cause });
  }
}

async function statusOf(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}
