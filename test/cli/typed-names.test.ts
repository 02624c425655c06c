import { describe, expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const run = runIn(temporaryFolder());

it('a long text that was stored is shown by its beginning', async () => {
  const { code, stdout } = await run(['add', `The bike. ${'It is blue. '.repeat(400)}`]);

  expect(code).toBe(0);
  expect(stdout).toMatch(/^ *stored +[\da-f]{8} +The bike\. It is blue\./);
  expect(stdout).toMatch(/…\n$/);
  expect(stdout.length).toBeLessThan(700);
});

describe('an error of the command line', () => {
  it.each<[args: string[], error: string]>([
    [['search', 'x', '--limit', '0'], '--limit: must be at least 1'],
    [['search', 'x', '--top-k', '0'], '--top-k: must be at least 1'],
    [['list', '--limit', '0'], '--limit: must be at least 1'],
    [['list', '--page', '0'], '--page: must be at least 1'],
    [['add', 'x', '--valid-from', 'soon'], '--valid-from: must be a date'],
    [['call', 'get_memories', '--page', '0'], '--page: must be at least 1'],
  ])('names the flag that was typed: %j', async (args, error) => {
    const { code, stderr } = await run(args);

    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${error}`);
  });

  it('names the field of an input in JSON, which was typed as well', async () => {
    const { stderr } = await run(['call', 'get_memories', '--json', '{"page_size": 0}']);

    expect(stderr).toBe('error: page_size: must be at least 1\n');
  });

  it('gives programs the fields of the operation', async () => {
    const { stderr } = await run(['list', '--limit', '0', '--json']);

    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({ code: 'invalid', message: '--limit: must be at least 1' });
    expect(error.fields).toEqual({ page_size: ['must be at least 1'] });
  });

  it.each([
    ['show', 'xyz'],
    ['edit', 'xyz'],
    ['undo', 'xyz'],
    ['erase', 'xyz'],
  ])('says what the id of a memory is: %s', async (...args) => {
    const { code, stderr } = await run(args);

    const error = 'MEMORY_ID: is not the id of a memory: its last 8 digits, or the whole id';
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `error: ${error}\nmneme list shows the ids.\n`,
    });
  });

  it.each([
    [['show'], 'MEMORY_ID is missing', 'mneme show MEMORY_ID [--as-of TIME] [--json] [flags]'],
    [['forget'], 'MEMORY_ID is missing', 'mneme forget MEMORY_ID... [--yes] [--json] [flags]'],
    [['keys', 'revoke'], 'KEY_ID is missing', 'mneme keys revoke KEY_ID [flags]'],
  ])('shows the usage where an argument is missing: %j', async (args, error, usage) => {
    const { code, stderr } = await run(args);

    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${error}\nusage: ${usage}\n` });
  });

  it.each([
    ['-limit', 'did you mean --limit?'],
    ['-limit=3', 'did you mean --limit?'],
    ['-page-siez', 'did you mean --page-size?'],
    ['-x', '--help lists them'],
  ])('explains a flag with one dash: %s', async (flag, hint) => {
    const { code, stderr } = await run(['list', flag, '3']);

    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: flag -[\w-]+: is not a flag of this command; /);
    expect(stderr).toContain(hint);
  });
});
