import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isObject } from '../../src/contract/is-object.ts';
import { cleanText } from '../../src/contract/schemas/text.ts';
import { type Served, serveUntilEnd } from './serve-support.ts';
import { runIn, temporaryFolder } from './support.ts';

const far = temporaryFolder();
const home = temporaryFolder();
const api_key = 'mk_0123456789abcdefghijABCDEFGHIJ0123456789abc';

/** Clears a screen twice, turns the reading direction, and begins a line that looks like ours. */
const steering = ' \u001b[2J\u009b2J\u202e\u2066\nFORGED LINE';

/** A remote that says these characters behind each text of its answers, and in its version. */
let hostile: { url: string; stop: () => Promise<void> };
let service: Served;

beforeAll(async () => {
  service = await serveUntilEnd(far, { MNEME_BOOTSTRAP_KEY: api_key });
  hostile = await startHostile(service.url);
  await run(service.url, ['add', 'Ada keeps bees\nand a goat', '--no-infer']);
  const url = 'https://hooks.example.com/a';
  await run(service.url, ['call', 'create_webhook', '--url', url, '--name', 'far']);
});
afterAll(async () => {
  await hostile.stop();
  await service.end();
});

const commands: [line: string, ...args: string[]][] = [
  ['search', 'bees'],
  ['search', 'bees', '--json'],
  ['search', 'bees', '--explain'],
  ['search', 'bees', '--format', 'hook'],
  ['context', 'bees'],
  ['list'],
  ['stats'],
  ['add', 'Ada sold the bees'],
  ['review', 'list'],
  ['webhooks', 'list'],
  ['invitations', 'list'],
  ['undo', '--dry-run'],
  ['undo', '--yes'],
  ['doctor'],
  ['doctor', '--json'],
  ['call', 'list_memories'],
  ['show', 'unknown'],
  ['forget', '--query', 'bees', '--yes'],
];

describe('what a remote says', () => {
  it.each(commands)('steers no terminal and forges no line: mneme %s %s %s', async (...args) => {
    const { stdout, stderr } = await run(hostile.url, args);
    const printed = stdout + stderr;

    expect(printed).not.toBe('');
    expect(printed).toBe(cleanText(printed));
    // A context has lines of its own.
    if (args[0] !== 'context') expect(printed).not.toMatch(/^FORGED/m);
  });
});

async function run(url: string, args: readonly string[]) {
  const env = { MNEME_BASE_URL: url, MNEME_API_KEY: api_key, MNEME_USER_ID: 'ada' };
  return runIn(home)(args, { env });
}

async function startHostile(behind: string) {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const headers = new Headers();
    for (const name of ['authorization', 'accept', 'content-type', 'idempotency-key']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    const { method = 'GET', url = '/' } = request;
    const sent = { method, headers, ...(body !== '' && { body }) };
    const answer = await fetch(behind + decodeURIComponent(url).replace(steering, ''), sent);
    const text = await answer.text();
    response.writeHead(answer.status, {
      'Content-Type': answer.headers.get('Content-Type') ?? 'application/json',
      'X-Mneme-Version': `${answer.headers.get('X-Mneme-Version')}\u009b2J`,
    });
    response.end(text === '' ? '' : JSON.stringify(steered(JSON.parse(text))));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

function steered(value: unknown): unknown {
  if (typeof value === 'string') return value + steering;
  if (Array.isArray(value)) return value.map(steered);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, steered(child)]));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
