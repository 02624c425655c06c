import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { StrictOmit } from '../../src/contract/strict-omit.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';

/** How to start the built server: a folder of its own, and what a user may set. */
export type Settings = {
  data_dir: string;
  flags?: readonly string[];
  env?: Readonly<Record<string, string>>;
  cwd?: string;
  /** The program to start, when it is not the one that was built. */
  cli?: string;
};

export type Program = { command: string; args: string[]; env: Record<string, string>; cwd: string };

/** The user that a server remembers for when a call names none. */
export const localUser = 'alex';

const builtCli = resolve('dist/cli.js');

/** An empty folder that is gone after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** The built program as a client starts it: nothing of this shell's or this user's settings. */
export function serverProgram(settings: Settings): Program {
  const { data_dir, flags = [], env = {}, cwd, cli = builtCli } = settings;
  return {
    command: process.execPath,
    args: [cli, ...flags],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: data_dir,
      XDG_CONFIG_HOME: join(data_dir, 'config'),
      MNEME_DATA_DIR: data_dir,
      MNEME_USER_ID: localUser,
      ...env,
    },
    cwd: cwd ?? tmpdir(),
  };
}

export type Message = {
  jsonrpc?: unknown;
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
};

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/** A server process, line by line: what a client library would hide. */
export type Wire = {
  pid: number;
  /** Every line that the server wrote on stdout. */
  lines: readonly string[];
  /** What it wrote on stderr. */
  stderr(): string;
  write(text: string): void;
  send(message: object): void;
  /** Sends a request; resolves with its response, rejects if the process ends without one. */
  request(method: string, params?: object, id?: string | number): Promise<Message>;
  /** Resolves with the first response that has this id. */
  answerTo(id: unknown): Promise<Message>;
  /** Ends the server's input. */
  end(): void;
  /** Closes all pipes at once, as a client does that dies. */
  abandon(): void;
  /** Stops reading what the server says on stderr. */
  closeLog(): void;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<Exit>;
};

/** Starts the built server on pipes; it is gone after the test. */
export function startWire(settings: Settings): Wire {
  const wire = spawnWire(serverProgram(settings));
  onTestFinished(async () => {
    wire.kill('SIGKILL');
    await wire.exited;
  });
  return wire;
}

/** A server for all tests of a block, shaken hands with; the block stops it. */
export async function startShared(
  settings: StrictOmit<Settings, 'data_dir'> = {},
): Promise<{ wire: Wire; data_dir: string; stop(): Promise<void> }> {
  const data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  const wire = spawnWire(serverProgram({ ...settings, data_dir }));
  await shakeHands(wire);
  const stop = async () => {
    wire.kill('SIGKILL');
    await wire.exited;
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  };
  return { wire, data_dir, stop };
}

/** A process with pipes, which the caller stops. */
export function spawnWire({ command, args, env, cwd }: Program): Wire {
  const child = spawn(command, args, { env, cwd, stdio: 'pipe' });
  const lines: string[] = [];
  const errors: string[] = [];
  const mailbox = createMailbox();
  let lastId = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const message = readMessage(line);
    if ((message.result ?? message.error) !== undefined) mailbox.deliver(message);
  });
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  child.stdin.on('error', () => {}); // the server went away first: its exit says so
  const exited = new Promise<Exit>((resolveExit, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      mailbox.close(`exit ${code ?? signal}; stderr: ${errors.join('').slice(-2000)}`);
      resolveExit({ code, signal });
    });
  });
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  return {
    pid: child.pid ?? -1,
    lines,
    stderr: () => errors.join(''),
    write: (text) => child.stdin.write(text),
    send,
    request: (method, params = {}, id = `r${++lastId}`) => {
      const answer = mailbox.wait(id);
      send({ id, method, params });
      return answer;
    },
    answerTo: mailbox.wait,
    end: () => child.stdin.end(),
    abandon: () => {
      for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
    },
    closeLog: () => child.stderr.destroy(),
    kill: (signal) => child.kill(signal),
    exited,
  };
}

class ServerEnded extends Error {
  override readonly name = 'ServerEnded';
}

type Waiting = { resolve: (message: Message) => void; reject: (error: Error) => void };

/** Delivers responses to those who wait for them, now or later. */
function createMailbox() {
  const waiting = new Map<unknown, Waiting>();
  const early = new Map<unknown, Message>();
  let ended: string | null = null;
  const lost = (id: unknown) =>
    new ServerEnded(`the server ended before it answered ${id}: ${ended}`);
  return {
    wait: (id: unknown): Promise<Message> => {
      const known = early.get(id);
      if (known !== undefined) return Promise.resolve(known);
      if (ended !== null) return Promise.reject(lost(id));
      return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    },
    deliver: (message: Message): void => {
      const waiter = waiting.get(message.id);
      waiting.delete(message.id);
      if (waiter === undefined) early.set(message.id, message);
      else waiter.resolve(message);
    },
    close: (why: string): void => {
      ended = why;
      for (const [id, { reject }] of waiting) reject(lost(id));
    },
  };
}

function readMessage(line: string): Message {
  try {
    return JSON.parse(line);
  } catch {
    return {}; // the test that cares looks at the lines
  }
}

/** What `initialize` takes. */
export const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'wire', version: '1' },
};

/** Shakes hands as clients before 2026-07-28 do. */
export async function shakeHands(wire: Wire): Promise<Message> {
  const answer = await wire.request('initialize', hello);
  wire.send({ method: 'notifications/initialized' });
  return answer;
}

export type ToolResult = {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: Record<string, unknown>;
};

/** Calls a tool on the wire and returns its result; a protocol error is thrown. */
export async function callOverWire(
  wire: Wire,
  name: string,
  args: Record<string, unknown>,
): Promise<ToolResult> {
  const { result, error } = await wire.request('tools/call', { name, arguments: args });
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  return result as ToolResult; // the result of every tool
}

/** Runs the built program to its end. */
export async function runProgram(settings: Settings): Promise<Exit & { wire: Wire }> {
  const wire = startWire(settings);
  wire.end();
  return { ...(await wire.exited), wire };
}

/** Rows of a query on the store's file, read while others have it open. */
export async function query<T>(data_dir: string, sql: string): Promise<T[]> {
  const open = await loadSqlite();
  const sqlite = open(storePath(data_dir), { readOnly: true, timeout: 10_000 });
  try {
    return sqlite.prepare(sql).all() as T[]; // the test knows what it selects
  } finally {
    sqlite.close();
  }
}

/** SQLite's own verdict on the whole file. */
export async function integrityOf(data_dir: string): Promise<string[]> {
  const rows = await query<{ integrity_check: string }>(data_dir, 'pragma integrity_check');
  return rows.map(({ integrity_check }) => integrity_check);
}
