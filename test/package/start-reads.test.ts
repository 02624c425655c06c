import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Bytes of the package that are read before an answer: of the program, and of its tables. */
const bytesMax = { initialize: 695_000, 'tools/list': 262_500, search: 1_314_500 };

type Reads = Record<string, number>;

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
};

describe('a server', () => {
  let folder: string;
  let reads: Record<keyof typeof bytesMax, Reads>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mneme-reads-'));
    await answersOf(folder, [callOf('add_memory', { text: 'Alice drinks green tea' })]);
    const search = callOf('search_memories', { query: 'What does Alice drink?' });
    const [started = {}, listed = {}, searched = {}] = await answersOf(folder, [
      { method: 'tools/list', params: {} },
      search,
    ]);
    reads = { initialize: started, 'tools/list': listed, search: searched };
  }, 60_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('reads its command and the start of its program before initialize', () => {
    expect(namesIn(reads.initialize)).toEqual(['cli.js', 'program/start']);
  });

  it('reads what tools are, and no more, for the list of tools', () => {
    expect(namesIn(reads['tools/list'])).toEqual(['program/tools']);
  });

  it('reads the engine and the table of English, and no classifier, for a first search', () => {
    expect(namesIn(reads.search)).toEqual([
      'embedding/english.bin',
      'program/engine',
      'program/search',
    ]);
  });

  it('reads of the table what the words of a question need', () => {
    expect(reads.search['embedding/english.bin']).toBeLessThanOrEqual(400_000);
  });

  it.each(Object.entries(bytesMax))('reads for %s at most %i bytes', (answer, most) => {
    const read = Object.values(reads[answer as keyof typeof bytesMax]);

    expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(most);
  });
});

type Request = { method: string; params: object };

function callOf(name: string, args: object): Request {
  return { method: 'tools/call', params: { name, arguments: { ...args, user_id: 'alice' } } };
}

/** Starts the server, and returns what it read of the package before each of its answers. */
async function answersOf(folder: string, requests: readonly Request[]): Promise<Reads[]> {
  const server = fork('dist/cli.js', ['--data-dir', join(folder, 'data')], {
    execArgv: ['--require', './test/package/reads/record-reads.cjs'],
    // Code caches are off: they do not belong to the package.
    env: { ...process.env, HOME: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  const found: Reads[] = [];
  try {
    const all = [{ method: 'initialize', params: initialize }, ...requests];
    for (const [id, request] of all.entries()) {
      const told = once(server, 'message');
      server.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
      expect(await nextAnswer(server)).toMatchObject({ id, result: expect.anything() });
      const [reads] = await told;
      found.push(reads);
    }
    return found;
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.stdin?.end();
    await ended;
  }
}

/** One line, which may arrive in pieces. */
async function nextAnswer({ stdout }: ChildProcess): Promise<unknown> {
  let line = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      line += chunk.toString();
      if (!line.endsWith('\n')) return;
      stdout?.off('data', read);
      resolve(JSON.parse(line));
    };
    stdout?.on('data', read).once('end', () => reject(new Error('the server ended')));
  });
}

/** Without the hashes of builds. */
function namesIn(reads: Reads): string[] {
  return Object.keys(reads)
    .map((name) => name.replace(/-[0-9A-F]+\.cjs$/, ''))
    .sort();
}
