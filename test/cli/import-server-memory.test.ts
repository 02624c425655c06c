import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { connect, serverMemory } from '../bench/client.ts';
import { runIn, temporaryFolder, withoutProgress } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);
const file = join(home, 'kept', 'memory.jsonl');

/** The file as the server itself writes it, through its tools. */
beforeAll(async () => {
  mkdirSync(join(home, 'kept'));
  const tools = await connect(serverMemory(join(home, 'kept')));
  await tools.call('create_entities', {
    entities: [
      { name: 'Otis', entityType: 'dog', observations: ['likes long walks'] },
      { name: 'default_user', entityType: 'person', observations: ['prefers green tea'] },
      { name: 'John_Smith', entityType: 'person', observations: [] },
      { name: 'Šárka', entityType: 'člověk', observations: ['mluví česky 🎻'] },
    ],
  });
  await tools.call('create_relations', {
    relations: [
      { from: 'John_Smith', to: 'Anthropic', relationType: 'works_at' },
      { from: 'default_user', to: 'Otis', relationType: 'walks' },
    ],
  });
  await tools.call('add_observations', {
    observations: [
      { entityName: 'John_Smith', contents: ['Speaks fluent Spanish', 'Plays chess'] },
    ],
  });
  await tools.close();
});

const storeIn = (name: string) => ['--data-dir', join(home, name), '--user-id', 'ann'];

describe('mneme import of a file of server-memory', () => {
  it('makes a memory of each observation and relation', async () => {
    const { code, stdout, stderr } = await run(['import', file, ...storeIn('whole')]);
    const listed = await run(['call', 'get_memories', ...storeIn('whole')]);

    expect({ code, stderr: withoutProgress(stderr) }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}memories +7 +0 +0$/m);
    const { results } = JSON.parse(listed.stdout);
    expect(results.map(({ memory }: { memory: string }) => memory).sort()).toEqual([
      'John Smith (person): Plays chess',
      'John Smith (person): Speaks fluent Spanish',
      'John Smith works at Anthropic',
      'Otis (dog): likes long walks',
      'User walks Otis',
      'User: prefers green tea',
      'Šárka (člověk): mluví česky 🎻',
    ]);
  });

  it.each([
    ['what does my dog like?', 'Otis (dog): likes long walks'],
    ['where does John Smith work?', 'John Smith works at Anthropic'],
    ['which languages does John speak?', 'John Smith (person): Speaks fluent Spanish'],
    ['which tea do I prefer?', 'User: prefers green tea'],
    ['kdo mluví česky?', 'Šárka (člověk): mluví česky 🎻'],
  ])('answers %j', async (question, memory) => {
    await run(['import', file, ...storeIn('asked')]);

    const { stdout } = await run(['search', question, ...storeIn('asked')]);

    expect(stdout.split('\n')[0]).toContain(memory);
  });

  it('tells the graph of the relations', async () => {
    await run(['import', file, ...storeIn('graph')]);

    const input = { query: 'John Smith works at', filters: { user_id: 'ann' }, enable_graph: true };
    const args = ['--json', JSON.stringify(input), ...storeIn('graph')];
    const { stdout } = await run(['call', 'search_memories', ...args]);

    expect(JSON.parse(stdout).relations).toContainEqual(
      expect.objectContaining({
        source: 'John Smith',
        source_type: 'person',
        relationship: 'works_at',
        target: 'Anthropic',
      }),
    );
  });

  it('adds nothing again, from standard input neither, and what is new when it grew', async () => {
    await run(['import', file, ...storeIn('again')]);
    const input = `${readFileSync(file, 'utf8')}\n{"type":"entity","name":"Z","entityType":"z"}`;

    const second = await run(['import', file, '--json', ...storeIn('again')]);
    const third = await run(['import', '-', ...storeIn('again')], { input });

    expect(JSON.parse(second.stdout).memories).toEqual({ added: 0, updated: 0, unchanged: 7 });
    expect(third.stdout).toMatch(/^ {2}memories +1 +0 +7$/m);
  });

  it('counts as a trial, naming what is wrong, and leaves that out when told to', async () => {
    const broken = join(home, 'broken.jsonl');
    writeFileSync(broken, `${readFileSync(file, 'utf8')}\n{"type":"note"}\n{"type":"entity"}`);

    const trial = await run(['import', broken, '--dry-run', ...storeIn('broken')]);
    const refused = await run(['import', broken, ...storeIn('refused')]);
    const skipped = await run(['import', broken, '--skip-invalid', ...storeIn('broken')]);

    expect(trial.code).toBe(2);
    expect(trial.stdout).toMatch(/^ {2}memories +7 +0 +0$/m);
    expect(trial.stdout).toContain('nothing was changed');
    expect(trial.stderr).toMatch(
      /^line 7: type: must be .*\nline 8: name: is required: a string\n$/,
    );
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('error: line 7: type: must be entity or relation');
    expect(skipped.code).toBe(0);
    expect(skipped.stdout).toContain('2 lines left out');
    expect(skipped.stdout).toMatch(/^ {2}memories +7 +0 +0$/m);
  });

  it('leaves the words for another instance to --from-url', async () => {
    const { code, stderr } = await run(['import', file, '--from-org-id', 'o', ...storeIn('none')]);

    expect(code).toBe(2);
    expect(stderr).toContain('flag --from-org-id: works only with --from-url, not with FILE');
    expect(existsSync(join(home, 'none'))).toBe(false);
  });
});
