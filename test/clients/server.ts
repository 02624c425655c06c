import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const cli = resolve('dist/cli.js');

/** The key that every server here makes valid at its start. */
export const apiKey = 'mk_0123456789abcdefghijABCDEFGHIJ0123456789abc';

/** The built server as a process, on an empty store. */
export type Server = { url: string; folder: string; stop(): Promise<void> };

/** Starts the server on a free port; settings are options of the configuration. */
export async function startServer(settings: Record<string, string> = {}): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'mneme-clients-'));
  const variables = Object.entries({
    data_dir: folder,
    bootstrap_key: apiKey,
    request_log: 'false',
    ...settings,
  }).map(([name, value]) => [`MNEME_${name.toUpperCase()}`, value]);
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, ...Object.fromEntries(variables) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise((done) => child.once('exit', done));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { url: await addressOf(child), folder, stop };
}

/** Where the server says that it listens; rejects with its last words when it does not come up. */
function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((found, reject) => {
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const [, url] = /listening on (http:\S+)/.exec(said) ?? [];
      if (url !== undefined) found(url);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

export type Answer = { status: number; headers: Headers; body: unknown };

export type Sent = { headers?: Record<string, string>; body?: unknown };

/** One request as anyone may send it: the specification's header and JSON, nothing else. */
export async function send(
  server: Pick<Server, 'url'>,
  [method, path]: readonly [method: string, path: string],
  { headers, body }: Sent = {},
): Promise<Answer> {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      Authorization: `Token ${apiKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const parsed = text === '' ? undefined : JSON.parse(text);
  return { status: answer.status, headers: answer.headers, body: parsed };
}

/** Asks again until the answer is as it should be; the last answer when it never is. */
export async function until<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  const end = Date.now() + waitMaxMs;
  for (;;) {
    const answer = await ask();
    if (isDone(answer) || Date.now() > end) return answer;
    await new Promise((later) => setTimeout(later, 50));
  }
}

const waitMaxMs = 15_000;
