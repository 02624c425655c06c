import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);

async function makeStore(name: string): Promise<string> {
  const data_dir = join(home, name);
  const args = ['call', 'add_memory', '--text', 'Likes tea', '--user-id', 'ann'];
  expect((await run([...args, '--data-dir', data_dir])).code).toBe(0);
  return data_dir;
}

describe('mneme migrate', () => {
  it('moves a store, and says what is equal at both ends', async () => {
    const data_dir = await makeStore('one');
    const to = join(home, 'two', 'mneme.db');

    const { code, stdout } = await run([
      'migrate',
      '--from',
      `sqlite:${data_dir}`,
      '--to',
      `sqlite:${to}`,
    ]);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}memories +1 +[0-9a-f]{16}$/m);
    expect(stdout).toMatch(/moved \d+ rows of 1 project/);
    const list = ['call', 'search_memories', '--query', 'tea', '--user-id', 'ann'];
    const found = await run([...list, '--data-dir', join(home, 'two')]);
    expect(JSON.parse(found.stdout).results).toMatchObject([{ memory: 'Likes tea' }]);
  });

  it('takes the configured store for the end that is not named, and prints JSON', async () => {
    const data_dir = await makeStore('three');
    const to = join(home, 'four.db');

    const args = ['migrate', '--to', `sqlite:${to}`, '--data-dir', data_dir];
    const { code, stdout } = await run([...args, '--json']);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      from: join(data_dir, 'mneme.db'),
      to,
      tables: expect.arrayContaining([
        { table: 'memories', rows: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      ]),
      projects: [{ tables: expect.arrayContaining([expect.objectContaining({ rows: 1 })]) }],
    });
  });

  it.each([
    [['migrate'], 2, '--from or --to is required'],
    [['migrate', '--to', 'mysql://u:hidden@h/d'], 2, '--to: must be sqlite:FILE or postgres://'],
    [['migrate', '--to', 'sqlite:'], 2, '--to: must be sqlite:FILE'],
    [['migrate', 'x', '--to', 'sqlite:y'], 2, 'unexpected "x"'],
    [['migrate', '--from', 'sqlite:/no/such.db'], 3, '/no/such.db '],
    [['migrate', '--to', 'postgres://u:hidden@127.0.0.1:1/d'], 1, '127.0.0.1:1/d '],
  ])('%j is refused, and no password shown', async (args, exitCode, problem) => {
    const data_dir = existsSync(join(home, 'five')) ? join(home, 'five') : await makeStore('five');

    const { code, stdout, stderr } = await run([...args, '--data-dir', data_dir]);

    expect({ code, stdout }).toEqual({ code: exitCode, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain('hidden');
  });
});
