import { describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);
const unknownId = '00000000-0000-7000-8000-000000000000';

async function answer(args: readonly string[], input?: string) {
  const { code, stdout, stderr } = await run(
    ['call', ...args],
    input === undefined ? {} : { input },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('mneme call', () => {
  it('stores and finds a memory of the configured user', async () => {
    const added = await answer(['add_memory', '--text', 'The boat is called Thetis']);
    const found = await answer(['search_memories', '--query', 'boat name', '--top-k', '3']);

    expect(added.results).toMatchObject([{ event: 'ADD', memory: 'The boat is called Thetis' }]);
    expect(found.results).toMatchObject([
      { id: added.results[0].id, user_id: added.results[0].user_id },
    ]);
  });

  it('deletes in bulk only what it is told to', async () => {
    await answer(['add_memory', '--text', 'Stays where it is', '--user-id', 'gus']);

    const refused = await run(['call', 'delete_all_memories']);
    const told = await answer(['delete_all_memories', '--user-id', 'gus']);

    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('at least one of') });
    expect(told.deleted).toBe(1);
  });

  it('writes nothing under --read-only', async () => {
    const { code, stderr } = await run(['call', 'add_memory', '--text', 'No', '--read-only']);

    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining('only read') });
  });

  it('waits for the facts of a conversation', async () => {
    const messages = JSON.stringify([
      { role: 'user', content: 'Hi there! I moved to Lisbon last spring.' },
    ]);

    const added = await answer(['add_memory', '--messages', messages, '--user-id', 'ines']);

    expect(added.status).toBe('SUCCEEDED');
    expect(added.results[0].memory).toContain('Lisbon');
  });

  it('reads the input from --json, from standard input, and from fields over both', async () => {
    const json = JSON.stringify({ text: 'Ann plays the oboe', user_id: 'ann' });
    await answer(['add_memory', '--json', json]);
    await answer(['add_memory', '--json', '-', '--user_id=bob'], json);

    const ann = await answer(['get_memories', '--user-id', 'ann']);
    const bob = await answer(['get_memories', '--filters.user_id', 'bob']);

    expect([ann.total, bob.total]).toEqual([1, 1]);
  });

  it('reads switches, numbers, dotted keys and null as what they are', async () => {
    const { results } = await answer([
      'add_memory',
      '--messages',
      'Room 12 is booked',
      '--no-infer',
      '--immutable',
      '--user-id',
      '12',
      '--metadata.floor',
      '3',
      '--metadata.tags',
      '["a"]',
      '--expiration_date',
      'null',
    ]);

    expect(await answer(['get_memory', '--memory-id', results[0].id])).toMatchObject({
      memory: 'Room 12 is booked',
      user_id: '12',
      immutable: true,
      metadata: { floor: 3, tags: ['a'] },
      expiration_date: null,
    });
  });

  it('makes the project that the configuration names', async () => {
    const added = await answer(['add_memory', '--text', 'Apart', '--project-id', 'apart']);
    const elsewhere = await run(['call', 'get_memory', '--memory-id', added.results[0].id]);

    expect(elsewhere.code).toBe(3);
  });

  it('finds the same project again when only an organization is configured', async () => {
    await answer(['add_memory', '--text', 'Of acme', '--org-id', 'acme']);

    const again = await answer(['get_memories', '--org-id', 'acme']);
    const usual = await answer(['search_memories', '--query', 'acme']);

    expect([again.total, usual.results]).toEqual([1, []]);
  });

  it('keeps to a locked scope', async () => {
    const args = ['--user-id', 'eve', '--lock-scope'];
    const { code, stderr } = await run(['call', 'get_memories', ...args], {
      env: { MNEME_USER_ID: 'ann' },
    });

    expect(code).toBe(2);
    expect(stderr).toContain('locked to --user-id "ann"');
  });
});

describe('failures of mneme call', () => {
  it.each([
    [['get_memory', '--memory-id', 'x'], 2, '--memory-id: is not the id of a memory'],
    [['get_memory', '--memory-id', unknownId], 3, 'not found'],
    [['get_memry'], 2, 'unknown operation "get_memry". Did you mean "get_memory"?'],
    [[], 2, 'an operation is missing; use one of add_memory, '],
    [['add_memory', '--txt', 'x'], 2, 'flag --txt: '],
    [['add_memory', '--text'], 2, 'flag --text: needs a value'],
    [['add_memory', '--text', '--infer'], 2, 'flag --text: needs a value'],
    [['add_memory', 'The', '--text', 'x'], 2, 'unexpected "The"'],
    [['add_memory', '--json', '{'], 2, 'flag --json: not valid JSON'],
    [['add_memory', '--json', '[]'], 2, 'flag --json: must hold a JSON object'],
    [['add_memory', '--json', '{"txt":"x"}'], 2, 'unknown argument "txt"'],
    [['search_memories', '--query', 'x', '--top-k', 'many'], 2, '--top-k: '],
    [['delete_all_memories', '--json', '{"dry_run":true}'], 2, 'dry_run'],
  ])('%j exits with %i', async (args, expected, message) => {
    const { code, stdout, stderr } = await run(['call', ...args]);

    expect(code).toBe(expected);
    expect(stdout).toBe('');
    expect(stderr).toMatch(
      /^error: [^\n]*\n(?:(?:usage: |mneme \w+ shows|[a-z_]+ shows)[^\n]*\n)?$/,
    );
    expect(stderr).toContain(message);
  });

  it('exits with 4 when what is stored forbids it', async () => {
    const { results } = await answer(['add_memory', '--text', 'Carved in stone', '--immutable']);
    const id = results[0].id;

    const { code } = await run(['call', 'update_memory', '--memory-id', id, '--text', 'Sand']);

    expect(code).toBe(4);
  });

  it('exits with 1 when the data are not available, and says where they should be', async () => {
    const data_dir = `${process.execPath}/data`;

    const { code, stderr } = await run(['call', 'get_memories', '--data-dir', data_dir]);

    expect(code).toBe(1);
    expect(stderr).toContain(data_dir);
  });

  it('are JSON on request, with the fields that are wrong', async () => {
    const args = ['get_memory', '--memory-id', 'x', '--output', 'json'];
    const { code, stderr } = await run(['call', ...args]);

    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'invalid',
        message: expect.stringMatching(/^--memory-id: is not the id of a memory/),
        fields: { memory_id: [expect.stringContaining('is not the id of a memory')] },
        next: 'get_memories shows the ids.',
      },
    });
  });
});
