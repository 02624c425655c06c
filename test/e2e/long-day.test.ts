import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { storePath } from '../../src/storage/store.ts';
import {
  callOverWire,
  integrityOf,
  makeFolder,
  shakeHands,
  startWire,
  type Wire,
} from './support.ts';

const timeout = 180_000;
const calls = 3000;
const growthMaxBytes = 150 * 1024 * 1024;

/** Other systems do not show what a process has open. */
const proc = existsSync('/proc/self/fd');

it.runIf(proc)(
  `a server that handles ${calls} calls of all kinds grows little and keeps no file open`,
  { timeout },
  async () => {
    const data_dir = await makeFolder();
    const wire = startWire({ data_dir, flags: ['--no-confirm-destructive'] });
    await shakeHands(wire);
    const refusals = await work(wire, { from: 0, to: 300 });
    const before = holdingsOf(wire.pid);

    refusals.push(...(await work(wire, { from: 300, to: calls })));

    const after = holdingsOf(wire.pid);
    expect(refusals).toEqual([]);
    expect(after.memoryBytes - before.memoryBytes).toBeLessThan(growthMaxBytes);
    expect(after.files.length).toBeLessThanOrEqual(before.files.length + 2);
    expect(wire.stderr()).toBe('');
    expect(await integrityOf(data_dir)).toEqual(['ok']);
  },
);

it('a pasted document of 90,000 characters does not multiply on the disk', {
  timeout,
}, async () => {
  const data_dir = await makeFolder();
  const wire = startWire({ data_dir, env: { MNEME_ADD_WAIT_MS: '60000' } });
  const sentences = Array.from({ length: 3000 }, (_, index) => `I sold the lamp number ${index}.`);
  const messages = [{ role: 'user', content: sentences.join(' ') }];

  const added = await callOverWire(wire, 'add_memory', { messages });
  const filters = { text: { contains: 'number 1500' } };
  const { structuredContent } = await callOverWire(wire, 'get_memories', { filters });
  const [one] = structuredContent.results as { id: string }[];
  const history = await callOverWire(wire, 'get_history', {
    memory_id: one?.id,
    response_format: 'detailed',
  });
  wire.end();
  await wire.exited;

  expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
  const [{ input }] = history.structuredContent.results as [{ input: { content: string }[] }];
  expect(input[0]?.content).toContain('number 1499. I sold the lamp number 1500. I sold');
  expect(statSync(storePath(data_dir)).size).toBeLessThan(30 * 1024 * 1024);
});

it.skipIf(process.platform === 'win32')(
  'a server whose files an update removes goes on',
  async () => {
    const program = copyProgram();
    // Once started, it reads its files in the order of their names; a pipe tells when.
    const last = join(program, 'program', 'zzz.js');
    execFileSync('mkfifo', [last]);
    const lastRead = writeFile(last, '');
    const wire = startWire({ data_dir: await makeFolder(), cli: join(program, 'cli.js') });
    await shakeHands(wire);
    await callOverWire(wire, 'list_entities', {});
    await lastRead;

    rmSync(program, { recursive: true });
    const refusals = await work(wire, { from: 0, to: 40 });
    const others = await Promise.all([
      wire.request('tools/list'),
      wire.request('prompts/list'),
      wire.request('prompts/get', { name: 'review' }),
      wire.request('resources/list'),
      wire.request('resources/templates/list'),
      wire.request('resources/read', { uri: 'mneme://entity/user/alex/profile' }),
    ]);

    expect(refusals).toEqual([]);
    expect(others.flatMap(({ error }) => error ?? [])).toEqual([]);
  },
);

/** A copy of the build, in a place from which unbundled packages are found. */
function copyProgram(): string {
  mkdirSync('.build', { recursive: true });
  const folder = mkdtempSync(resolve('.build', 'e2e-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync('dist', folder, { recursive: true });
  return folder;
}

/** A day's calls in the order of their numbers, a few at a time; returns what was refused. */
async function work(wire: Wire, { from, to }: { from: number; to: number }): Promise<string[]> {
  const refused: string[] = [];
  for (let number = from; number < to; number += 10) {
    const { memory_id, user_id } = await addFor(wire, number);
    const filters = { text: { icontains: `fact ${number}` } };
    const one = { memory_id };
    const some: [string, Record<string, unknown>][] = [
      ['search_memories', { query: `fact ${number - 200} of today`, user_id }],
      ['get_memories', { filters, user_id, page_size: 5 }],
      ['get_memory', one],
      ['update_memory', { ...one, text: `Fact ${number}, corrected` }],
      ['get_history', one],
      ['add_feedback', { ...one, feedback: 'POSITIVE' }],
      ['list_entities', { page_size: 5 }],
      ['list_events', { page_size: 5 }],
    ];
    const answers = await Promise.all(some.map(([name, args]) => callOverWire(wire, name, args)));
    const last = number % 40 === 0 ? await callOverWire(wire, 'delete_memory', one) : null;
    for (const { isError, content } of [...answers, ...(last === null ? [] : [last])]) {
      if (isError) refused.push(content[0]?.text ?? '');
    }
  }
  return refused;
}

/** Adds a fact, every third time from a conversation; returns one of its memories. */
async function addFor(wire: Wire, number: number): Promise<{ memory_id: string; user_id: string }> {
  const user_id = `user ${number % 70}`;
  const language = number % 60 === 0 ? ' Ich wohne seit Mai in Leipzig.' : '';
  const text = `Fact ${number} of today is that the lamp ${number} was sold.${language}`;
  const input = number % 30 === 0 ? { messages: [{ role: 'user', content: text }] } : { text };
  const added = await callOverWire(wire, 'add_memory', { ...input, user_id });
  const [result] = added.structuredContent.results as { id: string }[];
  return { memory_id: String(result?.id), user_id };
}

/** Memory and open files of a process. */
function holdingsOf(pid: number): { memoryBytes: number; files: string[] } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return { memoryBytes: Number(kilobytes) * 1024, files: readdirSync(`/proc/${pid}/fd`) };
}
