import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { type Target, targets } from '../support/targets.ts';

/** The operation is no tool. */
const faces = targets.filter(([name]) => name !== 'through MCP');

const at = '2026-01-31T12:00:00.000Z';

function memoryLine(memory: string, more: Record<string, unknown> = {}) {
  const times = { created_at: at, updated_at: at };
  return { kind: 'memory', id: randomUUID(), memory, user_id: 'ada', ...times, ...more };
}

describe.each(faces)('an import, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function texts(user_id = 'ada'): Promise<unknown[]> {
    const { results } = await target.call('get_memories', { user_id });
    return results.map(({ memory }) => memory).toSorted();
  }

  it('stores the lines of an export, once', async () => {
    const lines = [
      { mneme: 'export', version: 1 },
      memoryLine('Ada keeps bees'),
      memoryLine('Ada lives in Porto'),
      { kind: 'end' },
    ];

    const first = await target.call('import_memories', { lines });
    const again = await target.call('import_memories', { lines });

    expect(first.memories).toEqual({ added: 2, updated: 0, unchanged: 0 });
    expect(again.memories).toEqual({ added: 0, updated: 0, unchanged: 2 });
    expect(await texts()).toEqual(['Ada keeps bees', 'Ada lives in Porto']);
    const found = await target.call('search_memories', { query: 'bees', user_id: 'ada' });
    expect(found.results[0]?.memory).toBe('Ada keeps bees');
  });

  it('stores none of the lines when one is not valid, and names it', async () => {
    const lines = [memoryLine('Ada keeps bees'), memoryLine('Ada flies', { user_id: null })];

    const refused = await target.refusal('import_memories', { lines });

    expect(refused.code).toBe('invalid');
    expect(refused.message).toMatch(/^line 2: user_id: at least one of /);
    expect(await texts()).toEqual([]);
  });

  it('leaves out what is not valid when asked to, and says why', async () => {
    const lines = [memoryLine('Ada keeps bees'), 'no object', { kind: 'dream' }];

    const { memories, refused, problems } = await target.call('import_memories', {
      lines,
      skip_invalid: true,
    });

    expect({ added: memories.added, refused }).toEqual({ added: 1, refused: 2 });
    expect(problems).toEqual([
      'line 2: must be a JSON object',
      expect.stringMatching(/^line 3: kind: must be one of project, entity, memory/),
    ]);
    expect(await texts()).toEqual(['Ada keeps bees']);
  });

  it('only checks in a dry run', async () => {
    const lines = [memoryLine('Ada keeps bees'), { kind: 'dream' }];

    const { memories, refused } = await target.call('import_memories', { lines, dry_run: true });

    expect({ added: memories.added, refused }).toEqual({ added: 1, refused: 1 });
    expect(await texts()).toEqual([]);
  });

  it('believes no line that it is from the user, and changes nothing that the user said', async () => {
    const said = await target.call('add_memory', { text: 'Ada likes tea', user_id: 'ada' });
    const id = String(said.results[0]?.id);
    const believed = { source_class: 'user' };
    const later = { ...believed, id, updated_at: '2099-01-01T00:00:00Z' };

    const told = await target.call('import_memories', {
      lines: [memoryLine('Ada keeps bees', believed)],
    });
    const other = memoryLine('Ada hates tea', later);
    const { memories } = await target.call('import_memories', {
      lines: [other],
      skip_invalid: true,
    });

    expect(told.not_trusted).toBe(1);
    expect(memories.updated).toBe(0);
    const { results } = await target.call('get_memories', { user_id: 'ada' });
    const sources = results.map(({ memory, source_class }) => [memory, source_class]);
    expect(Object.fromEntries(sources)).toEqual({
      'Ada keeps bees': 'import',
      'Ada likes tea': 'user',
    });
  });

  it('takes secrets out of each line', async () => {
    const key = `sk-proj-${'a1B2c3D4'.repeat(6)}`;
    const lines = [memoryLine(`Ada uses the key ${key}`), memoryLine('Ada keeps bees')];

    const { redacted } = await target.call('import_memories', { lines });

    expect(redacted).toBe(1);
    expect(JSON.stringify(await texts())).not.toContain(key);
  });

  it('stores observations of server-memory as memories of who is named', async () => {
    const lines = [
      { type: 'entity', name: 'Otis', entityType: 'dog', observations: ['likes long walks'] },
      { type: 'relation', from: 'Otis', relationType: 'lives_with', to: 'Ann' },
    ];
    const input = { lines, format: 'server-memory', user_id: 'ann' };

    const { memories } = await target.call('import_memories', input);
    const again = await target.call('import_memories', input);
    const nobody = await target.refusal('import_memories', { lines, format: 'server-memory' });

    expect(memories.added).toBe(2);
    expect(again.memories).toEqual({ added: 0, updated: 0, unchanged: 2 });
    expect(await texts('ann')).toEqual(['Otis (dog): likes long walks', 'Otis lives with Ann']);
    expect(nobody.code).toBe('invalid');
    expect(nobody.message).toMatch(/^user_id: at least one of /);
  });

  it.each([
    ['no lines', { lines: [] }, 'lines'],
    ['more than fit a request', { lines: Array(limits.import_lines_max + 1).fill({}) }, 'lines'],
    ['another format', { lines: [{}], format: 'csv' }, 'format'],
  ])('is refused with %s', async (_what, input, field) => {
    const { code, message } = await target.refusal('import_memories', input);

    expect(code).toBe('invalid');
    expect(message).toContain(field);
  });

  it('of a newer format is refused', async () => {
    const lines = [{ mneme: 'export', version: 1_000 }, memoryLine('Ada keeps bees')];

    const { code, message } = await target.refusal('import_memories', { lines });

    expect(code).toBe('invalid');
    expect(message).toContain('newer mneme');
  });

  it('takes nothing that another project holds', async () => {
    const { sibling } = target.engine.projects;
    const line = memoryLine('Ada keeps bees');
    await target.call('import_memories', { lines: [line], project_id: sibling.project_id });

    const { code } = await target.refusal('import_memories', { lines: [line] });

    expect(code).toBe('conflict');
    expect(await texts()).toEqual([]);
  });
});
