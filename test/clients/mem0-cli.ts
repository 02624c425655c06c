import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { ownerKey } from '../e2e/service.ts';
import { clientFile, installClients } from './installed.ts';
import type { Item } from './sdks.ts';
import { type Server, startServer } from './server.ts';

type Run = { code: number | null; stdout: string; stderr: string; said: string };

/** What its answers in JSON have; each command has some of it. */
type Answered = Item & { results: Item[]; data: Item[]; event_id: string };

/** The published command line program, with a server and a home folder of its own. */
export type Cli = {
  server: Server;
  home: string;
  mem0(...args: string[]): Promise<Run>;
  /** Runs it for its answer in JSON; fails when it fails. */
  answered<T = Answered>(...args: string[]): Promise<T>;
  stop(): Promise<void>;
};

export async function startCli({ remembers = false } = {}): Promise<Cli> {
  await installClients();
  const server = await startServer();
  const home = await mkdtemp(join(tmpdir(), 'mneme-mem0-cli-'));
  // Runs side by side write its one file of settings at once, and read it half-written.
  const homeOf = () => (remembers ? home : mkdtemp(join(home, 'run-')));
  const mem0 = async (...args: string[]) => run(args, { server, home: await homeOf() });
  return {
    server,
    home,
    mem0,
    answered: async (...args) => {
      const { code, stdout, stderr } = await mem0(...args);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    },
    stop: async () => {
      await server.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** As its user runs it: nothing but the address and the key is set. */
async function run(args: readonly string[], { server, home }: Pick<Cli, 'server' | 'home'>) {
  const guard = pathToFileURL(resolve('test/clients/only-loopback.mjs')).href;
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    USERPROFILE: home,
    MEM0_API_KEY: ownerKey,
    MEM0_BASE_URL: server.url,
    MEM0_TELEMETRY: 'false',
    NODE_OPTIONS: `--import=${guard}`,
  };
  const program = clientFile('@mem0/cli/dist/index.js');
  const child = spawn(process.execPath, [program, ...args], { env, cwd: home });
  child.stdin.end();
  const ended: Run = { code: null, stdout: '', stderr: '', said: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      ended[stream] += text;
      ended.said += text;
    });
  }
  ended.code = await new Promise((done) => child.on('close', done));
  expect(ended.stderr).not.toContain('refused a connection');
  return ended;
}
