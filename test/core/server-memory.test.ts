import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ImportLinesOptions, importLines } from '../../src/core/archive/import-lines.ts';
import { linesIn } from '../../src/core/archive/read-lines.ts';
import { readServerMemory } from '../../src/core/archive/read-server-memory.ts';
import { recognize } from '../../src/core/archive/recognize.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.stop());

const nobody = { user_id: null, agent_id: null, app_id: null, run_id: null };

async function imported(lines: readonly unknown[], options: Partial<ImportLinesOptions> = {}) {
  const { projects, store, deps } = engine;
  const project = await store.projects.find(projects.own);
  if (project === null) throw new Error('the project exists');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const scope = { project, ids: { ...nobody, user_id: 'ann' } };
  let unchanged = 0;
  const onUnchanged = (count: number) => {
    unchanged += count;
  };
  const bytes = Readable.from([Buffer.from(text.join('\n'))]);
  const batches = readServerMemory(linesIn(bytes), { ...deps, scope, onUnchanged });
  const report = await importLines(deps, batches, { ...options, project, begins_history: true });
  return { ...report.memories, unchanged: report.memories.unchanged + unchanged };
}

async function stored() {
  const input = { filters: { user_id: 'ann' }, page_size: 100, enable_graph: true };
  const page = await engine.invoke('get_memories', input, { caller: owner });
  return page.results;
}

async function textsOf(lines: readonly unknown[]): Promise<string[]> {
  await imported(lines);
  return (await stored()).map(({ memory = '' }) => memory).reverse();
}

const entity = (name: string, entityType: string, ...observations: string[]) => ({
  type: 'entity',
  name,
  entityType,
  observations,
});
const relation = (from: string, relationType: string, to: string) => ({
  type: 'relation',
  from,
  to,
  relationType,
});

describe('a memory of an observation', () => {
  it.each([
    ['Otis', 'dog', 'likes long walks', 'Otis (dog): likes long walks'],
    ['Otis', 'dog', 'Otis likes long walks', 'Otis (dog) likes long walks'],
    ['Otis', 'dog', 'Otisville is his home', 'Otis (dog): Otisville is his home'],
    ['Otis', '', ' barks ', 'Otis: barks'],
    ['John_Smith', 'person', 'John Smith speaks Spanish', 'John Smith (person) speaks Spanish'],
    ['src/my_file.ts', 'sourceFile', 'has a bug', 'src/my_file.ts (source file): has a bug'],
    ['default_user', 'person', 'prefers tea', 'User: prefers tea'],
    ['default_user', 'person', 'The user lives in Lisbon', 'User lives in Lisbon'],
    ['日本', '国', '桜がきれい', '日本 (国): 桜がきれい'],
  ])('of %s, a %s, that says %j', async (name, type, observation, memory) => {
    expect(await textsOf([entity(name, type, observation)])).toEqual([memory]);
  });

  it('keeps the exact names in its metadata, and begins a history', async () => {
    await imported([entity('John_Smith', 'person', 'speaks Spanish')]);
    const [memory] = await stored();
    const memory_id = memory?.id ?? '';
    const history = await engine.invoke('get_history', { memory_id }, { caller: owner });

    expect(memory?.metadata).toEqual({
      source: 'server-memory',
      entity: 'John_Smith',
      entity_type: 'person',
    });
    expect(history.results).toMatchObject([{ event: 'ADD', new_memory: memory?.memory }]);
  });

  it('says what an entity is of which nothing else is known', async () => {
    const lines = [
      entity('Anthropic', 'organization'),
      entity('Otis', 'dog', ' '),
      entity('Thing', ''),
      entity('default_user', 'person'),
    ];

    expect(await textsOf(lines)).toEqual(['Anthropic is an organization', 'Otis is a dog']);
  });
});

describe('a memory of a relation', () => {
  it.each([
    ['John_Smith', 'works_at', 'Anthropic', 'John Smith works at Anthropic', 'works_at'],
    ['Ann', 'worksAt', 'Acme', 'Ann works at Acme', 'works_at'],
    ['Ann', 'is married to', 'Tom', 'Ann is married to Tom', 'is_married_to'],
    ['Ann', 'IS-FRIEND-OF', 'Bob', 'Ann is friend of Bob', 'is_friend_of'],
    ['default_user', 'owns', 'Otis', 'User owns Otis', 'owns'],
  ])('%s %s %s', async (from, relationType, to, memory, relationship) => {
    await imported([entity(from, 'person', 'x'), relation(from, relationType, to)]);
    const results = await stored();
    const ids = results.map(({ id }) => id);
    const edges = await engine.store.relations.list(engine.projects.own, ids);

    expect(results.map((each) => each.memory)).toContain(memory);
    expect(results.map(({ metadata }) => metadata)).toContainEqual({
      source: 'server-memory',
      from,
      relation: relationType,
      to,
    });
    expect(edges).toMatchObject([{ relationship, source_type: 'person', target_type: 'entity' }]);
    expect(edges[0]?.source).toBe(from === 'default_user' ? 'ann' : from.replace('_', ' '));
  });
});

describe('a file', () => {
  const lines = [
    entity('Otis', 'dog', 'likes walks', 'fears thunder'),
    relation('default_user', 'owns', 'Otis'),
  ];

  it('adds nothing the second time, and leaves alone what was corrected since', async () => {
    const first = await imported(lines);
    const memory_id = (await stored())[2]?.id ?? '';
    await engine.invoke(
      'update_memory',
      { memory_id, text: 'Otis hates walks' },
      { caller: owner },
    );
    const second = await imported([...lines, entity('Otis', 'dog', 'eats fish', 'likes walks')]);

    expect(first).toEqual({ added: 3, updated: 0, unchanged: 0 });
    expect(second).toEqual({ added: 1, updated: 0, unchanged: 4 });
    const texts = (await stored()).map(({ memory }) => memory);
    expect(texts).toContain('Otis hates walks');
    expect(texts).toHaveLength(4);
  });

  it('counts and stores nothing as a trial', async () => {
    expect(await imported(lines, { dry_run: true })).toMatchObject({ added: 3 });
    expect(await stored()).toEqual([]);
  });

  it.each([
    ['{"type":"thing"}', 'line 2: type: must be entity or relation'],
    ['{"type":"entity","name":"x","observations":3}', 'line 2: observations: must be an array'],
    ['{"type":"entity","observations":[]}', 'line 2: name: is required'],
    ['{"type":"relation","from":"a","to":" ","relationType":"b"}', 'line 2: to: must hold text'],
    ['{"type":"entity"', 'line 2: is not valid JSON'],
    ['[]', 'line 2: must be a JSON object'],
  ])('ends at %s', async (line, message) => {
    await expect(imported([entity('a', 'b', 'c'), line])).rejects.toThrow(message);
  });

  it('names the line of an observation that is too long, and stores the others', async () => {
    const problems: string[] = [];
    const onRefusal = (problem: string) => problems.push(problem);
    const line = entity('a', 'b', 'x'.repeat(40_000), 'short');

    const report = await imported([line], { skip_invalid: true, onRefusal });

    expect(report.added).toBe(1);
    expect(problems).toEqual([expect.stringMatching(/^line 1: memory: holds \d+ characters/)]);
  });

  it('is read in batches, however long a line is', async () => {
    const observations = Array.from({ length: 1200 }, (_, at) => `fact ${at}`);

    expect(await imported([entity('a', 'b', ...observations)])).toMatchObject({ added: 1200 });
  });

  it('without a line is refused', async () => {
    await expect(imported(['', ' '])).rejects.toThrow('nothing to import');
  });
});

describe('a file is recognized', () => {
  const read = async (parts: readonly string[]) => {
    const { kind, bytes } = await recognize(Readable.from(parts.map((part) => Buffer.from(part))));
    let text = '';
    for await (const chunk of bytes) text += Buffer.from(chunk).toString();
    return { kind, text };
  };

  it.each([
    [['\n{"type":"ent', 'ity","name":"a"}\n', '{}\n'], 'server-memory'],
    [['{"type":"relation"}'], 'server-memory'],
    [['{"mneme":"export","version":1}\n', '{"kind":"end"}'], 'export'],
    [['{"type":"user"}\n{"type":"entity"}'], 'export'],
    [['{"type":"entity"'], 'server-memory'],
    [[''], 'export'],
  ])('%j', async (parts, kind) => {
    expect(await read(parts)).toEqual({ kind, text: parts.join('') });
  });
});

describe('a graph that is no list of lines', () => {
  const otis = { name: 'Otis', entityType: 'dog', observations: ['likes long walks'] };
  const walks = { from: 'Ann', to: 'Otis', relationType: 'walks' };
  const linesOf = async (text: string | Buffer) => {
    const { kind, bytes } = await recognize(Readable.from([Buffer.from(text)]), 'graph.json');
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(part);
    return { kind, lines: Buffer.concat(parts).toString('utf8').trim().split('\n') };
  };
  const lines = [
    JSON.stringify({ type: 'entity', ...otis }),
    JSON.stringify({ type: 'relation', ...walks }),
  ];

  it.each([
    ['a list', JSON.stringify([otis, walks])],
    ['a list over many lines', JSON.stringify([otis, walks], null, 2)],
    ['the answer of read_graph', JSON.stringify({ entities: [otis], relations: [walks] })],
    ['lines in UTF-16', Buffer.from(`\ufeff${lines.join('\n')}`, 'utf16le')],
  ])('is read from %s', async (_, text) => {
    expect(await linesOf(text)).toEqual({ kind: 'server-memory', lines });
  });

  it.each([
    ['[{"mapping":{}}]', 'graph.json looks like conversations of ChatGPT'],
    ['PK\u0003\u0004', 'graph.json looks like a ZIP archive'],
    [Buffer.from('[{"name":"Ö","entityType":"x"}]', 'latin1'), 'graph.json: line 1 is not UTF-8'],
  ])('is not guessed: %s', async (text, why) => {
    await expect(linesOf(text)).rejects.toThrow(why);
  });

  it.each([
    [`${lines[0]}${lines[1]}`, 'is not valid JSON: two objects are on it'],
    [lines[0]?.slice(0, 40) ?? '', 'is not valid JSON: its end is missing'],
  ])('is named where its first line is wrong: %s', async (text, why) => {
    expect((await linesOf(text)).kind).toBe('server-memory');
    await expect(imported([text])).rejects.toThrow(
      `line 1: looks like one of a server-memory file, but ${why}`,
    );
  });
});
