import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaVersion } from '../../src/storage/migrations/steps.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import {
  callOverWire,
  makeFolder,
  runProgram,
  shakeHands,
  startWire,
  type ToolResult,
  type Wire,
} from './support.ts';

type BadFile = { about: string; make: (data_dir: string) => Promise<void>; says: string };

/** Files with which no server can work. */
const badFiles: BadFile[] = [
  {
    about: 'a header of random bytes',
    make: async (data_dir) => {
      await fill(data_dir);
      overwrite(data_dir, { from: 0, to: 100 });
    },
    says: 'is not an SQLite database; nothing was changed: move it away',
  },
  {
    about: 'random bytes behind its header',
    make: async (data_dir) => {
      await fill(data_dir);
      overwrite(data_dir, { from: 4096, to: statSync(storePath(data_dir)).size });
    },
    says: 'is damaged; nothing was changed: restore a backup',
  },
  {
    about: 'half of its length',
    make: async (data_dir) => {
      await fill(data_dir);
      truncateSync(storePath(data_dir), Math.floor(statSync(storePath(data_dir)).size / 2));
    },
    says: 'is damaged; nothing was changed: restore a backup',
  },
  {
    about: 'a shopping list in it',
    make: async (data_dir) => writeFileSync(storePath(data_dir), 'tea, milk, bread\n'.repeat(200)),
    says: 'is not an SQLite database; nothing was changed: move it away',
  },
  {
    about: 'the mark of another version',
    make: async (data_dir) => {
      await fill(data_dir);
      await execute(data_dir, 'pragma user_version = 18');
    },
    says: `was written by another version of mneme (schema 18; this one has schema ${schemaVersion})`,
  },
  {
    about: 'tables of another program',
    make: (data_dir) => execute(data_dir, 'create table bookmarks (address text)'),
    says: 'is the database of another program; nothing was changed: move it away',
  },
  {
    about: 'a folder in its place',
    make: async (data_dir) => mkdirSync(storePath(data_dir)),
    says: 'or choose another data folder',
  },
];

/** A call of every kind: none may write. */
const calls: [string, Record<string, unknown>][] = [
  ['add_memory', { text: 'Likes tea' }],
  ['add_memory', { messages: [{ role: 'user', content: 'I like tea.' }] }],
  ['search_memories', { query: 'tea' }],
  ['get_memories', {}],
  ['list_entities', {}],
  ['delete_all_memories', { user_id: 'alex' }],
];

describe.each(badFiles)('a store with $about', ({ make, says }) => {
  it('is refused by every tool, as a resource and on stderr, and no byte changes', async () => {
    const data_dir = await makeFolder();
    await make(data_dir);
    const before = bytesOf(data_dir);
    const wire = startWire({ data_dir });

    const { result } = await shakeHands(wire);
    const answers = await callAll(wire);
    const uri = 'mneme://entity/user/alex/profile';
    const read = await wire.request('resources/read', { uri });
    wire.end();

    expect((await wire.exited).code).toBe(0);
    expect(result).toMatchObject({ serverInfo: { name: 'mneme' } });
    for (const { structuredContent, content } of answers) {
      expect(structuredContent.error).toMatchObject({ code: 'unavailable' });
      expect(content[0]?.text).toContain(says);
    }
    expect(read.error?.message).toContain(says);
    expect(wire.stderr()).toContain(says);
    expect(wire.stderr()).not.toMatch(/^\s+at |"stack"/m);
    expect(bytesOf(data_dir)).toEqual(before);
  });

  it('is found by doctor, which changes no byte either', async () => {
    const data_dir = await makeFolder();
    await make(data_dir);
    const before = bytesOf(data_dir);

    const { code, wire } = await runProgram({ data_dir, flags: ['doctor', '--json'] });

    const { healthy, checks } = JSON.parse(wire.lines.join('\n'));
    expect(code).toBe(1);
    expect(healthy).toBe(false);
    expect(checks).toContainEqual(
      expect.objectContaining({ status: 'failed', found: expect.stringContaining(says) }),
    );
    expect(bytesOf(data_dir)).toEqual(before);
  });
});

describe('a store with random bytes in its middle', () => {
  it('says so where they are read, and reading changes no byte', async () => {
    const data_dir = await makeFolder();
    await fill(data_dir);
    const { size } = statSync(storePath(data_dir));
    overwrite(data_dir, { from: Math.floor(size / 4), to: Math.floor((size * 3) / 4) });
    const before = bytesOf(data_dir);
    const wire = startWire({ data_dir });

    const listed = await callOverWire(wire, 'get_memories', { page_size: 1000 });
    const doctor = await runProgram({ data_dir, flags: ['doctor'] });
    wire.end();
    await wire.exited;

    expect(listed.structuredContent.error).toMatchObject({ code: 'unavailable' });
    expect(listed.content[0]?.text).toContain('is damaged; nothing was changed');
    expect(wire.stderr()).toContain('is damaged; nothing was changed');
    expect(doctor.code).toBe(1);
    expect(doctor.wire.lines.join('\n')).toContain('failed');
    expect(bytesOf(data_dir)).toEqual(before);
  });
});

async function callAll(wire: Wire): Promise<ToolResult[]> {
  const answers: ToolResult[] = [];
  for (const [name, args] of calls) answers.push(await callOverWire(wire, name, args));
  return answers;
}

/** Creates a store of some size with a temporary server. */
async function fill(data_dir: string): Promise<void> {
  const wire = startWire({ data_dir });
  const adds = Array.from({ length: 100 }, (_, index) =>
    callOverWire(wire, 'add_memory', { text: `Fact ${index}: ${noise(String(index), 800)}` }),
  );
  await Promise.all(adds);
  wire.end();
  await wire.exited;
}

function overwrite(data_dir: string, { from, to }: { from: number; to: number }): void {
  const bytes = readFileSync(storePath(data_dir));
  bytes.write(noise('bytes', to - from), from, 'latin1');
  writeFileSync(storePath(data_dir), bytes);
}

/** Characters without a pattern, the same in each run. */
function noise(seed: string, length: number): string {
  let text = '';
  for (let block = 0; text.length < length; block += 1) {
    text += createHash('sha512').update(`${seed}.${block}`).digest('base64');
  }
  return text.slice(0, length);
}

async function execute(data_dir: string, sql: string): Promise<void> {
  const open = await loadSqlite();
  const sqlite = open(storePath(data_dir));
  sqlite.exec(sql);
  sqlite.close();
}

/** Every file of the folder, by what is in it. */
function bytesOf(data_dir: string): Record<string, string> {
  const files = readdirSync(data_dir).filter((name) => statSync(join(data_dir, name)).isFile());
  const hashes = files.map((name) => {
    const bytes = readFileSync(join(data_dir, name));
    return [name, createHash('sha256').update(bytes).digest('hex')];
  });
  return Object.fromEntries(hashes);
}
