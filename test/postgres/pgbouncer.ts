import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waysToPgBouncer } from '../../scripts/postgres-programs.mjs';
import { giveTo } from '../../scripts/postgres-server.mjs';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

type Installed = Awaited<ReturnType<(typeof waysToPgBouncer)[number]>>;

export type BouncerProgram = Installed & {
  version: string;
  /** Whether it keeps track of the statements that clients have prepared (1.21). */
  followsNames: boolean;
};

/** A PgBouncer in front of a server, which it shares by transactions. */
export type Bouncer = {
  /** The address of a database that is given by the server's own address. */
  addressOf(url: string): string;
  /** Breaks all its connections, and takes none before it is there again. */
  restart(): Promise<void>;
  /** What it has logged. */
  log(): string;
  stop(): Promise<void>;
};

/** So few that clients get connections of each other. */
export const serverConnections = 3;

/** Null if there is none, which `onMissing` reports. */
export async function findBouncer(
  onMissing: (why: string) => void,
): Promise<BouncerProgram | null> {
  const problems: string[] = [];
  for (const find of waysToPgBouncer) {
    try {
      const installed = await find();
      const [program, ...args] = commandOf(installed);
      const { stdout } = spawnSync(program, [...args, '--version'], { encoding: 'utf8' });
      const [, version, minor] = /PgBouncer (1\.(\d+)\S*)/.exec(stdout ?? '') ?? [];
      if (version === undefined) throw new Error('pgbouncer cannot be run');
      return { ...installed, version, followsNames: Number(minor) >= 21 };
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  onMissing(problems.join('; '));
  return null;
}

export async function startBouncer(
  program: BouncerProgram,
  { server, settings = [] }: { server: string; settings?: readonly string[] },
): Promise<Bouncer> {
  const { root, user } = program;
  const { hostname, port: serverPort, username, password } = new URL(server);
  const folder = mkdtempSync(join(root === '/' ? tmpdir() : join(root, 'tmp'), 'mneme-bouncer-'));
  const inside = root === '/' ? folder : folder.slice(root.length);
  const port = await freePort();
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${inside}/users`,
    `admin_users = ${username}`,
    'pool_mode = transaction',
    `default_pool_size = ${serverConnections}`,
    'server_login_retry = 0',
    ...settings,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`);
  const users = [[username, password], ...others].map(([name, secret]) => `"${name}" "${secret}"`);
  writeFileSync(join(folder, 'users'), `${users.join('\n')}\n`);
  chmodSync(folder, 0o700);
  const paths = [folder, join(folder, 'pgbouncer.ini'), join(folder, 'users')];
  if (user !== null) giveTo(user, root, paths);
  let logged = '';
  let child: ChildProcess;
  const launch = async () => {
    const [command, ...args] = commandOf(program);
    child = spawn(command, [...args, `${inside}/pgbouncer.ini`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      logged += text;
    });
    const admin = new URL(server);
    Object.assign(admin, { hostname: '127.0.0.1', port: String(port), pathname: '/pgbouncer' });
    await answered(admin.href, child).catch((cause) => {
      throw new Error(`PgBouncer did not start: ${logged.slice(-2000)}`, { cause });
    });
  };
  const end = async () => {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGQUIT');
    await exited;
  };
  const stop = async () => {
    await end();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await launch();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    addressOf: (url) =>
      Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    restart: async () => {
      await end();
      await launch();
    },
    log: () => logged,
    stop,
  };
}

/** A user who owns nothing, as in docs/postgres.md. */
export const plainUser = { name: 'bounced', password: 'secret' };
const others = [[plainUser.name, plainUser.password]];

function commandOf({ root, bin, user }: Installed): [string, ...string[]] {
  const program = join(bin, 'pgbouncer');
  return user === null ? [program] : ['chroot', `--userspec=${user}`, root, program];
}

async function answered(url: string, child: ChildProcess): Promise<void> {
  const connect = async () => {
    const client = new pg.Client(url);
    try {
      await client.connect();
    } finally {
      await client.end().catch(() => {});
    }
  };
  const ended = once(child, 'exit').then(() => {
    throw new Error('it ended');
  });
  await Promise.race([eventually(connect), ended]);
}
