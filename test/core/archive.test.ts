import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { exported, importInto, type Line, refOf, textOf } from './archive-lines.ts';

let engine: Engine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.stop());

/** All but the first line, which says when it was written. */
function body([, ...lines]: readonly Line[]) {
  return lines;
}

function invoke<N extends OperationName>(name: N, input: Record<string, unknown>) {
  return engine.invoke(name, input, { caller: owner });
}

async function add(text: string, input: Record<string, unknown> = {}): Promise<string> {
  const { results } = await invoke('add_memory', { text, user_id: 'ann', ...input });
  return results[0]?.id ?? '';
}

/** A project with a bit of everything that is kept. */
async function fill(): Promise<void> {
  const tea = await add('Ann drinks green tea', { metadata: { topic: ['drinks'] } });
  engine.clock.advance(1000);
  const lisbon = { agent_id: 'guide', timestamp: 1_600_000_000, pinned: true };
  await add('Ann has been to Lisbon', lisbon);
  await add('Ann met Zoë 🎻 on Tuesday', {
    immutable: true,
    expiration_date: '2020-01-01',
    enable_graph: true,
  });
  await invoke('add_memory', {
    messages: [{ role: 'assistant', content: 'Bob moved to Oslo', name: 'Bob' }],
    user_id: 'bob',
    run_id: 'r1',
    infer: false,
    custom_categories: { city: 'moved oslo' },
  });
  engine.clock.advance(1000);
  const gone = await add('Nobody needs this', { app_id: 'shop' });
  await invoke('update_memory', { memory_id: tea, text: 'Ann drinks black tea' });
  await invoke('add_feedback', { memory_id: tea, feedback: 'POSITIVE', feedback_reason: 'true' });
  await invoke('delete_memory', { memory_id: gone });
  const { org_id, project_id } = engine.projects.own;
  await invoke('update_project', { org_id, project_id, custom_instructions: 'Only facts' });
}

const header = '{"mneme":"export","version":1}';
const id = '00000000-0000-7000-8000-000000000000';
const time = '2026-01-01T00:00:00Z';
const memory = {
  kind: 'memory',
  id,
  memory: 'x',
  user_id: 'u',
  created_at: time,
  updated_at: time,
};

describe('an exported project', () => {
  it('begins with a header, ends with counts, and holds everything', async () => {
    await fill();

    const lines = await exported(engine);

    expect(lines[0]).toMatchObject({ mneme: 'export', version: 1 });
    expect(lines.at(-1)).toEqual({
      kind: 'end',
      lines: { project: 1, entity: 5, memory: 4, version: 2, history: 7, feedback: 1 },
    });
    expect(lines.filter(({ pinned }) => pinned)).toMatchObject([
      { memory: 'Ann has been to Lisbon' },
    ]);
    expect(lines.find(({ memory }) => memory === 'Bob moved to Oslo')).toMatchObject({
      user_id: 'bob',
      run_id: 'r1',
      role: 'assistant',
      speaker: 'Bob',
      categories: ['city'],
    });
  });

  it('gives equal lines once it is imported into an empty store', async () => {
    await fill();
    const lines = await exported(engine);
    const other = await startEngine();
    const project = await other.store.ensureProject(refOf(engine.projects.own), '2026-03-14');

    const report = await importInto(other, textOf(lines), { project });
    const again = await exported(other, project);
    await other.stop();

    expect(body(again)).toEqual(body(lines));
    expect(report).toMatchObject({
      complete: true,
      refused: 0,
      memories: { added: 4 },
      history: { added: 7 },
    });
  });

  it('answers both clocks where it was imported as where it came from', async () => {
    const id = await add('Ann lives in Paris', { valid_from: '2018-01-01' });
    const gone = await add('Ann has a cat');
    const known = engine.clock.now();
    engine.clock.advance(60_000);
    const text = 'Ann lives in Rome';
    await invoke('update_memory', { memory_id: id, text, valid_from: '2026-01-01' });
    await invoke('delete_memory', { memory_id: gone });
    const archive = textOf(await exported(engine));
    const other = await startEngine();
    other.clock.advance(3600_000);

    const report = await importInto(other, archive);
    const again = await importInto(other, archive);
    const textsOf = async (input: Record<string, unknown>) => {
      const asked = { user_id: 'ann', ...input };
      const { results } = await other.invoke('get_memories', asked, { caller: owner });
      return results.map(({ memory }) => memory).toSorted();
    };

    expect(report.versions).toEqual({ added: 2, updated: 0, unchanged: 0 });
    expect(again.versions).toEqual({ added: 0, updated: 0, unchanged: 2 });
    expect(await textsOf({})).toEqual(['Ann lives in Rome']);
    expect(await textsOf({ as_of: known })).toEqual(['Ann has a cat', 'Ann lives in Paris']);
    expect(await textsOf({ valid_at: '2020-01-01' })).toEqual(['Ann lives in Paris']);
    const query = { query: 'Where does Ann live?', user_id: 'ann', as_of: known };
    const { results } = await other.invoke('search_memories', query, { caller: owner });
    expect(results[0]?.memory).toBe('Ann lives in Paris');
    await other.stop();
  });

  it('keeps what a memory was here at the times of which a line tells otherwise', async () => {
    const id = await add('Ann lives in Paris');
    const from = engine.clock.now();
    engine.clock.advance(60_000);
    await invoke('update_memory', { memory_id: id, text: 'Ann lives in Rome' });
    const [header, ...lines] = await exported(engine);
    const [version] = lines.filter(({ kind }) => kind === 'version');
    const other = {
      ...version,
      memory: 'Ann lives in Oslo',
      recorded_from: '2020-01-01T00:00:00Z',
    };

    const report = await importInto(engine, textOf([header, other]));

    expect(report.versions).toEqual({ added: 0, updated: 0, unchanged: 1 });
    const then = { user_id: 'ann', as_of: from };
    expect((await invoke('get_memories', then)).results).toMatchObject([
      { memory: 'Ann lives in Paris' },
    ]);
    const backwards = { ...version, recorded_from: '2999-01-01T00:00:00Z' };
    await expect(importInto(engine, textOf([header, backwards]))).rejects.toThrow(
      'recorded_until: must not be before recorded_from',
    );
  });

  it('is found by search where it was imported', async () => {
    await fill();
    const text = textOf(await exported(engine));
    const other = await startEngine();
    await importInto(other, text);

    const query = { query: 'Where did Bob move?', user_id: 'bob' };
    const { results } = await other.invoke('search_memories', query, { caller: owner });
    const entities = await other.invoke('list_entities', {}, { caller: owner });
    await other.stop();

    expect(results).toMatchObject([{ memory: 'Bob moved to Oslo' }]);
    expect(entities.results).toContainEqual(
      expect.objectContaining({ type: 'user', id: 'ann', total_memories: 3 }),
    );
  });

  it('holds what belongs to one entity when that is asked for', async () => {
    await fill();

    const lines = await exported(engine, engine.projects.own, { ids: { user_id: 'bob' } });

    expect(lines.map(({ kind }) => kind)).toEqual([
      undefined,
      'project',
      'entity',
      'memory',
      'history',
      'end',
    ]);
  });

  it('of a page and more has every memory once', async () => {
    const count = 1203;
    const messages = Array.from({ length: count }, (_, at) => ({
      role: 'user',
      content: `No ${at}`,
    }));
    await invoke('add_memory', { messages: messages.slice(0, 1000), user_id: 'u', infer: false });
    await invoke('add_memory', { messages: messages.slice(1000), user_id: 'u', infer: false });

    const lines = await exported(engine);

    const memories = lines.filter(({ kind }) => kind === 'memory').map(({ memory }) => memory);
    expect(memories).toEqual(messages.map(({ content }) => content));
  });
});

describe('an import', () => {
  it('a second time changes nothing', async () => {
    await fill();
    const text = textOf(await exported(engine));
    const other = await startEngine();
    await importInto(other, text);
    const before = await exported(other);

    const report = await importInto(other, text);
    const after = await exported(other);
    await other.stop();

    expect(body(after)).toEqual(body(before));
    const unchanged = { added: 0, updated: 0 };
    expect(report).toMatchObject({
      entities: unchanged,
      memories: unchanged,
      history: unchanged,
      feedback: unchanged,
    });
  });

  it('that was stopped goes on where it stopped', async () => {
    const messages = Array.from({ length: 1000 }, (_, at) => ({
      role: 'user',
      content: `No ${at}`,
    }));
    await invoke('add_memory', { messages, user_id: 'u', infer: false });
    const lines = await exported(engine);
    const other = await startEngine();
    const text = textOf(lines);
    const cut = Buffer.from(text).subarray(0, Math.floor(text.length * 0.7));

    const stopped = importInto(other, cut);
    await expect(stopped).rejects.toThrow(/^line \d+: .*JSON/);
    const half = (await exported(other)).length;
    const report = await importInto(other, text);
    const whole = await exported(other);
    await other.stop();

    expect(half).toBeGreaterThan(500);
    expect(report.memories.unchanged).toBeGreaterThan(200);
    expect(report.memories.added + report.memories.unchanged).toBe(1000);
    expect(body(whole).slice(1)).toEqual(body(lines).slice(1));
  });

  it('says when the end is missing', async () => {
    await fill();
    const lines = await exported(engine);
    const other = await startEngine();

    const report = await importInto(other, textOf(lines.slice(0, -1)));
    await other.stop();

    expect(report).toMatchObject({ complete: false, memories: { added: 4 } });
  });

  it('takes a later line for a stored memory, and leaves an earlier one', async () => {
    await fill();
    const lines = await exported(engine);
    const memory = lines.find(({ kind }) => kind === 'memory') as Line;
    engine.clock.set('2030-01-02T00:00:00Z');
    const later = { ...memory, memory: 'Ann drinks coffee', updated_at: '2030-01-01T00:00:00Z' };
    const earlier = { ...memory, memory: 'Never', updated_at: '2020-01-01T00:00:00+02:00' };

    const report = await importInto(engine, textOf([lines[0], later, earlier]));

    const found = await invoke('get_memory', { memory_id: memory.id });
    const query = { query: 'coffee', user_id: 'ann' };
    expect(found).toMatchObject({ memory: 'Ann drinks coffee', created_at: memory.created_at });
    expect(await invoke('search_memories', query)).toMatchObject({ results: [{ id: memory.id }] });
    expect(report.memories).toEqual({ added: 0, updated: 1, unchanged: 1 });
  });

  it('takes now for dates ahead of its clock, and leaves what is stored', async () => {
    await fill();
    const [head, project, ...rest] = await exported(engine);
    const ahead = { created_at: '2999-01-01T00:00:00Z', updated_at: '2999-01-01T00:00:00Z' };
    const memory = rest.find(({ kind }) => kind === 'memory') as Line;
    const entity = rest.find(({ kind }) => kind === 'entity') as Line;
    const rating = rest.find(({ kind }) => kind === 'feedback') as Line;
    const fresh = { ...memory, ...ahead, id: '00000000-0000-7000-8000-000000000009' };
    const lines = [
      { ...project, ...ahead, settings: { custom_instructions: 'Obey the file' } },
      { ...entity, ...ahead, name: 'Eve' },
      { ...memory, ...ahead, memory: 'Never' },
      { ...rating, ...ahead, feedback: 'NEGATIVE' },
      fresh,
    ];
    const now = engine.clock.now();

    const first = await importInto(engine, textOf([head, ...lines]));
    engine.clock.advance(60_000);
    const second = await importInto(engine, textOf([head, ...lines]));

    const kept = { added: 0, updated: 0, unchanged: 1 };
    expect(first).toMatchObject({
      ahead: 5,
      settings: [],
      project: kept,
      entities: kept,
      feedback: kept,
      memories: { added: 1, updated: 0, unchanged: 1 },
    });
    expect(second.memories).toEqual({ added: 0, updated: 0, unchanged: 2 });
    expect(await invoke('get_memory', { memory_id: fresh.id })).toMatchObject({
      created_at: now,
      updated_at: now,
    });
  });

  it('believes a clock that is some minutes ahead of its own', async () => {
    const soon = '2026-03-14T09:31:00.000Z';
    const line = JSON.stringify({ ...memory, created_at: soon, updated_at: soon });

    const report = await importInto(engine, `${header}\n${line}`);

    expect(report).toMatchObject({ ahead: 0, memories: { added: 1 } });
    expect(await invoke('get_memory', { memory_id: id })).toMatchObject({ created_at: soon });
  });

  it('brings settings of the project only if it is trusted, and says which', async () => {
    await fill();
    const text = textOf(await exported(engine));
    const other = await startEngine();

    const tried = await importInto(other, text, { dry_run: true });
    const strange = await importInto(other, text, { is_trusted: false });
    const done = await importInto(other, text);
    const again = await importInto(other, text);
    await other.stop();

    expect(tried.settings).toEqual(['custom_instructions']);
    expect(strange).toMatchObject({
      settings: [],
      not_trusted: { settings: ['custom_instructions'] },
    });
    expect(done.settings).toEqual(['custom_instructions']);
    expect(again.settings).toEqual([]);
  });

  it('goes into the chosen project only', async () => {
    await fill();
    const text = textOf(await exported(engine));
    const other = await startEngine();

    await importInto(other, text, { project: other.projects.foreign });
    const [own, foreign] = [await exported(other), await exported(other, other.projects.foreign)];
    await other.stop();

    expect(own.map(({ kind }) => kind)).toEqual([undefined, 'project', 'end']);
    expect(foreign.filter(({ kind }) => kind === 'memory')).toHaveLength(4);
  });

  it('refuses an id that another project holds, and touches neither', async () => {
    await fill();
    const before = await exported(engine);
    const project = engine.projects.sibling;

    const failing = importInto(engine, textOf(before), { project });

    await expect(failing).rejects.toMatchObject({ code: 'conflict' });
    await expect(failing).rejects.toThrow(/^line 8: .*project/);
    expect(body(await exported(engine))).toEqual(body(before));
    expect((await exported(engine, project)).map(({ kind }) => kind)).toEqual([
      undefined,
      'project',
      'end',
    ]);
  });

  it('refuses to give a memory to another user', async () => {
    await fill();
    const lines = await exported(engine);
    const memory = lines.find(({ kind }) => kind === 'memory') as Line;
    const stolen = { ...memory, user_id: 'eve', updated_at: '2030-01-01T00:00:00Z' };

    const failing = importInto(engine, textOf([lines[0], stolen]));

    await expect(failing).rejects.toThrow('user_id');
  });

  it('pins and unpins what was pinned or unpinned later elsewhere', async () => {
    const tea = await add('Ann drinks tea', { pinned: true });
    const rule = await add('Ann is never phoned');
    engine.clock.advance(1000);
    const later = { updated_at: engine.clock.now() };
    const changed = (await exported(engine)).map((line) =>
      line.kind === 'memory' ? { ...line, ...later, pinned: line.id === rule } : line,
    );

    await importInto(engine, textOf(changed));

    expect(await invoke('get_memory', { memory_id: tea })).toMatchObject({ pinned: false });
    expect(await invoke('get_memory', { memory_id: rule })).toMatchObject({ pinned: true });
  });

  it('changes no text of an immutable memory', async () => {
    const id = await add('Ann is allergic to nuts', { immutable: true });
    const lines = await exported(engine);
    const later = { memory: 'Ann eats nuts', updated_at: engine.clock.now() };
    engine.clock.advance(60_000);
    const changed = lines.map((line) => (line.kind === 'memory' ? { ...line, ...later } : line));

    const refused = importInto(engine, textOf(changed));

    await expect(refused).rejects.toThrow(`memory ${id} is immutable`);
    expect((await invoke('get_memory', { memory_id: id })).memory).toBe('Ann is allergic to nuts');
  });

  it('gives history to whom its memory belongs, so that it is erased with it', async () => {
    await fill();
    const lines = await exported(engine);
    const history = lines.filter(({ kind }) => kind === 'history');
    const hidden = { ...history[0], id: '00000000-0000-7000-8000-000000000001', user_id: 'eve' };

    await importInto(engine, textOf([lines[0], hidden]));
    const entries = await invoke('get_history', { memory_id: history[0]?.memory_id });

    expect(entries.results).toHaveLength(3);
    expect(entries.results).not.toContainEqual(expect.objectContaining({ user_id: 'eve' }));
  });

  it('as a trial says everything that is wrong and changes nothing', async () => {
    await fill();
    const lines = await exported(engine);
    const other = await startEngine();
    const before = await exported(other);
    const problems: string[] = [];
    const text = textOf([...lines.slice(0, 8), { kind: 'memry' }, ...lines.slice(8), 7]);

    const report = await importInto(other, text, {
      dry_run: true,
      onRefusal: (problem) => problems.push(problem),
    });
    const after = await exported(other);
    await other.stop();

    expect(body(after)).toEqual(body(before));
    expect(report).toMatchObject({ refused: 2, memories: { added: 4 }, feedback: { added: 1 } });
    expect(problems[0]).toBe(
      'line 9: kind: must be one of project, entity, memory, version, history, feedback, end',
    );
    expect(problems[1]).toMatch(/^line 24: .*object/);
  });

  it('leaves out what is not valid when told to', async () => {
    await fill();
    const lines = await exported(engine);
    const other = await startEngine();
    const broken = { ...lines[7], memory: '' };

    const report = await importInto(other, textOf(lines.with(7, broken as Line)), {
      skip_invalid: true,
    });
    await other.stop();

    // The rating of a memory that is not there is left out with it.
    expect(report).toMatchObject({ refused: 2, memories: { added: 3 }, feedback: { added: 0 } });
  });
});

describe('what is no export', () => {
  it.each([
    ['', 'nothing to import'],
    ['\n \n', 'nothing to import'],
    ['[]\n', 'line 1: is not the header of an export'],
    ['{"kind":"memory"}\n', 'line 1: is not the header of an export'],
    ['SQLite format 3\0', 'line 1: is not the header of an export'],
    ['{"mneme":"export","version":2}', 'line 1: was written by a newer mneme (version 2'],
    [`${header}\n{`, 'line 2: is not valid JSON'],
    [`${header}\n\n\r\n{"kind":"memory"`, 'line 4: is not valid JSON'],
    [`${header}\n"memory"`, 'line 2: must be a JSON object'],
    [`${header}\n{"kind":"__proto__"}`, 'line 2: kind: must be one of'],
    [
      `${header}\n{"kind":"end"}\n${JSON.stringify(memory)}`,
      'line 3: follows the end line of the export',
    ],
  ])('is refused: %#', async (text, message) => {
    const failing = importInto(engine, text);

    await expect(failing).rejects.toMatchObject({ code: 'invalid' });
    await expect(failing).rejects.toThrow(message);
  });

  it.each([
    [{ id: 'x' }, 'line 2: id should be a valid UUID'],
    [{ memory: ' \u0000 ' }, 'line 2: memory: must hold text'],
    [{ memory: 'x'.repeat(32_001) }, 'line 2: memory: holds 32001 characters; at most 32000'],
    [{ user_id: null }, 'line 2: user_id: at least one of user_id, agent_id'],
    [{ user_id: 'a\u0007' }, 'line 2: user_id: must not hold control or hidden characters'],
    [{ user_id: '*' }, 'line 2: user_id: "*" means any; name one id'],
    [{ run_id: '*' }, 'line 2: run_id: "*" means any; name one id'],
    [{ created_at: 'yesterday' }, 'line 2: created_at: must be a time'],
    [{ created_at: '9999-12-31T23:59:59-12:00' }, 'line 2: created_at: must be in the years'],
    [{ updated_at: undefined }, 'line 2: updated_at: must be a time'],
    [{ expiration_date: '2026-02-30' }, 'line 2: expiration_date'],
    [{ metadata: { a: 'x'.repeat(20_000) } }, 'line 2: metadata: holds'],
    [{ metadata: JSON.parse('{"__proto__":1}') }, 'line 2: metadata: must not hold a key'],
    [{ categories: 'food' }, 'line 2: categories: must be an array'],
    [{ immutable: 'yes' }, 'line 2: immutable: must be a boolean'],
    [{ replaced_by: 'me' }, 'line 2: replaced_by should be a valid UUID'],
  ])('a memory is refused: %#', async (fields, message) => {
    const line = JSON.stringify({ ...memory, ...fields });

    const failing = importInto(engine, `${header}\n${line}\n`);

    await expect(failing).rejects.toMatchObject({ code: 'invalid' });
    await expect(failing).rejects.toThrow(message);
  });

  it('a line that never ends is refused before it fills the memory', async () => {
    const failing = importInto(engine, `${header}\n"${'x'.repeat(17 * 1024 * 1024)}`);

    await expect(failing).rejects.toThrow(/^line 2: .*16777216/);
  });

  it('bytes that are no text are refused', async () => {
    const failing = importInto(
      engine,
      Buffer.concat([Buffer.from(header), Buffer.from([10, 255])]),
    );

    await expect(failing).rejects.toThrow(/^line 2: .*UTF-8/);
  });
});

it('marks and line ends of other systems are no hindrance', async () => {
  const text = `\uFEFF${header}\r\n${JSON.stringify(memory)}\r\n{"kind":"end"}`;

  const report = await importInto(engine, text);

  expect(report).toMatchObject({ complete: true, memories: { added: 1 } });
});

it('the file that the documentation shows is one', async () => {
  const text = readFileSync('docs/moving-data.md', 'utf8');
  const [, lines = ''] = /```jsonl\n([\s\S]*?)```/.exec(text) ?? [];

  const report = await importInto(engine, lines);

  const one = { added: 1, updated: 0, unchanged: 0 };
  expect(report).toMatchObject({
    complete: true,
    entities: one,
    memories: one,
    history: one,
    feedback: one,
  });
});

describe('secrets in what is imported', () => {
  const key = `ghp_${'a1B2'.repeat(9)}`;
  const held = `The deploy key is ${key}`;
  const open = 'The deploy key is [REDACTED:api_key]';
  const id = '01957f3a-0000-7000-8000-000000000001';
  const time = '2026-03-14T09:26:53.000Z';
  const dated = { created_at: time, updated_at: time };
  const lines = [
    { mneme: 'export', version: 1 },
    {
      kind: 'project',
      org_id: 'o',
      project_id: 'p',
      name: 'P',
      updated_at: '2999-01-01T00:00:00Z',
      settings: { custom_instructions: held },
    },
    { kind: 'entity', type: 'user', id: 'ann', name: 'ann', metadata: { note: held }, ...dated },
    { kind: 'memory', id, memory: held, said: held, user_id: 'ann', metadata: { held }, ...dated },
    {
      kind: 'history',
      id: id.replace(/1$/, '2'),
      memory_id: id,
      event: 'UPDATE',
      ...dated,
      input: [{ role: 'user', content: held }],
      old_memory: held,
      new_memory: held,
    },
    { kind: 'feedback', id, memory_id: id, feedback: 'POSITIVE', feedback_reason: held, ...dated },
    {
      kind: 'memory',
      id: id.replace(/1$/, '3'),
      memory: 'Ann drinks tea',
      user_id: 'ann',
      ...dated,
    },
    { kind: 'end' },
  ];
  const under = (secrets: 'refuse' | 'keep' | 'redact') => ({
    ...engine,
    deps: { ...engine.deps, secrets },
  });

  it('are taken out of every kind of line', async () => {
    const report = await importInto(engine, textOf(lines));
    const kept = await exported(engine);

    expect(report).toMatchObject({ memories: { added: 2 }, redacted: 5, refused: 0 });
    expect(textOf(kept)).not.toContain(key);
    expect(kept.find(({ kind }) => kind === 'memory')).toMatchObject({
      memory: open,
      said: open,
      metadata: { held: open },
    });
    expect(kept.find(({ kind }) => kind === 'history')).toMatchObject({
      input: [{ content: open }],
      old_memory: open,
      new_memory: open,
    });
    expect(kept.find(({ kind }) => kind === 'project')).toMatchObject({
      settings: { custom_instructions: open },
    });
  });

  it('are not stored again by a second run', async () => {
    await importInto(engine, textOf(lines));

    const report = await importInto(engine, textOf(lines));

    expect(report.memories).toEqual({ added: 0, updated: 0, unchanged: 2 });
  });

  it('end the import where they are refused, with the line and the field', async () => {
    const only = [lines[0], lines[3], lines.at(-1)];
    const refused = importInto(under('refuse'), textOf(only));

    await expect(refused).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/^line 2: memory: .*api_key/),
    });
  });

  it('leave out such lines only where they are refused and --skip-invalid says so', async () => {
    const report = await importInto(under('refuse'), textOf(lines), { skip_invalid: true });

    expect(report).toMatchObject({ memories: { added: 1 }, refused: 5, redacted: 0 });
    expect(textOf(await exported(engine))).not.toContain(key);
  });

  it('stay where that is configured', async () => {
    const report = await importInto(under('keep'), textOf(lines));

    expect(report).toMatchObject({ redacted: 0, refused: 0 });
    expect((await exported(engine)).find(({ kind }) => kind === 'memory')?.memory).toBe(held);
  });
});
