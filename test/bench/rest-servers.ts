import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { pause } from '../support/pause.ts';
import { inherited, mneme, type Program } from './client.ts';

/** A server in a process of its own. */
export type Server = {
  url: string;
  pid: number;
  /** Milliseconds of processor time that it used so far; 0 where nobody tells. */
  cpuMs(): number;
  stop(): Promise<void>;
};

/** The key that the services know. */
export const key = 'mk_of_the_benchmark_0123456789abcd';

type ServiceOptions = {
  /** A PostgreSQL database in place of the file in the data folder. */
  database_url?: string | undefined;
  /** The command of another checkout. */
  cli?: string | undefined;
};

/** The built service on that data folder, with a key and its log as they are by default. */
export async function startService(
  data_dir: string,
  synchronous: string,
  { database_url, cli: own }: ServiceOptions = {},
): Promise<Server> {
  const { args, env } = mneme(data_dir, ['--synchronous', synchronous, '--port', '0'], own);
  const [cli = '', ...options] = args;
  return start(data_dir, {
    args: [cli, 'serve', ...options],
    env: {
      ...env,
      MNEME_BOOTSTRAP_KEY: key,
      ...(database_url !== undefined && { MNEME_DATABASE_URL: database_url }),
    },
  });
}

/** A route that answers this text and does nothing else. Bundled as the program itself is. */
export async function startBare(folder: string, answer: string): Promise<Server> {
  mkdirSync(folder);
  await build({
    entryPoints: [resolve('test/bench/bare-route.ts')],
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    outExtension: { '.js': '.mjs' },
  });
  return start(folder, { args: [join(folder, 'bare-route.mjs'), answer], env: {} });
}

/** Its log goes to a file: a pipe would give this process work that is not measured. */
async function start(folder: string, { args, env }: Program): Promise<Server> {
  const log = join(folder, 'stderr.txt');
  const child = spawn(process.execPath, args, {
    env: { ...inherited(), ...env },
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  });
  // Whatever ends this process, nobody else would end the server.
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  for (;;) {
    const said = readFileSync(log, 'utf8');
    const [, url] = /listening on (http:\S+)/.exec(said) ?? [];
    if (url !== undefined) {
      const pid = child.pid ?? 0;
      return { url, pid, cpuMs: () => cpuOf(child), stop: () => stop(child) };
    }
    if (child.exitCode !== null) throw new Error(`the server did not start:\n${said}`);
    await pause(20);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await exited;
}

/** Of all threads, in user and kernel: on a busy machine it says more than the clock. */
function cpuOf({ pid }: ChildProcess): number {
  if (process.platform !== 'linux') return 0;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // What follows the name in brackets, from the state on: utime and stime are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;
