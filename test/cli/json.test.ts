import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/command-line/command.ts';
import { commands } from '../../src/cli/command-line/command-table.ts';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);
const store = (name: string) => ['--data-dir', join(home, name)];

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Those that speak a protocol, print for people or a shell, or take `--json` as their input. */
const others = ['', 'call', 'completion', 'demo', 'help', 'hook', 'serve'];
const printing = Object.entries<Command>(commands).filter(([name]) => !others.includes(name));
const lines = printing.flatMap(([name, { actions }]) =>
  Object.keys(actions ?? { '': '' }).map((action) => `${name} ${action}`.trim()),
);

describe('--json', () => {
  it.each(lines)('is a flag of %s, and has errors in JSON too', async (line) => {
    const { code, stdout, stderr } = await run([...line.split(' '), '--json', '--no-such-flag']);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('flag --no-such-flag: is not a flag of this command'),
    });
  });

  it('prints what became of a fact, and what was found', async () => {
    const { results } = await json('add', 'Ada is vegan', '--json', ...store('facts'));
    const found = await json('search', 'who is vegan?', '--json', ...store('facts'));

    expect(results).toMatchObject([{ event: 'ADD', memory: 'Ada is vegan' }]);
    expect(found.results).toMatchObject([{ id: results[0].id, memory: 'Ada is vegan' }]);
  });

  it('prints what was written and read', async () => {
    await run(['add', 'Ada is vegan', ...store('from')]);
    const [lines, copy] = [join(home, 'a.jsonl'), join(home, 'a.db')];

    const exported = await json('export', lines, '--json', ...store('from'));
    const imported = await json('import', lines, '--json', ...store('into'));
    const backup = await json('backup', copy, '--json', ...store('from'));
    const restored = await json('restore', copy, '--json', ...store('back'));

    expect(exported).toEqual({ file: lines, memories: 1, versions: 0, history: 1, feedback: 0 });
    expect(imported.memories).toEqual({ added: 1, updated: 0, unchanged: 0 });
    expect(backup).toEqual({ file: copy, bytes: expect.any(Number) });
    expect(restored).toEqual({ file: copy, memories: 1, previous_store: null });
    expect(readdirSync(join(home, 'back'))).toContain('mneme.db');
  });

  it('prints lists', async () => {
    const place = store('lists');

    expect(await json('keys', 'list', '--json', ...place)).toEqual({ keys: [] });
    expect(await json('webhooks', 'list', '--json', ...place)).toEqual({ results: [] });
    expect(await json('tools', '--json')).toMatchObject({ tools: expect.any(Array) });
    expect(await json('config', '--json')).toMatchObject({ read_only: false });
  });

  it.each([
    ['search', 'vegan', '--format', 'json'],
    ['add', 'Ada is vegan', '--output', 'json'],
    ['keys', 'list', '--output=json'],
  ])('was spelled otherwise once, which still works: %s %s %s %s', async (...args) => {
    expect(await json(...args.filter(Boolean), ...store('older'))).toBeTypeOf('object');
  });
});
