import { expect, it } from 'vitest';
import { runIn, temporaryFolder } from './support.ts';

const run = runIn(temporaryFolder());
const elsewhere = runIn(temporaryFolder());

it('mneme users lists all users with what they have, whichever is configured', async () => {
  await run(['add', 'Likes tea', '--user-id', 'ada']);
  await run(['add', 'Likes coffee', '--user-id', 'ada']);
  await run(['add', 'Likes milk', '--user-id', 'grace']);

  const { code, stdout } = await run(['users', '--user-id', 'ada']);
  const asJson = await run(['users', '--json']);
  const beyond = await run(['users', '--page', '2']);
  const wrong = await run(['users', '--page', 'x']);

  expect(code).toBe(0);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
  expect(rows.map(([count, , user]) => [count, user])).toEqual([
    ['1', 'grace'],
    ['2', 'ada'],
  ]);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ total: 2 });
  expect(beyond).toMatchObject({ code: 0, stdout: '', stderr: 'No users on page 2.\n' });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('page') });
});

it('mneme users says when there are none', async () => {
  const { code, stderr } = await elsewhere(['users']);

  expect({ code, stderr }).toEqual({ code: 0, stderr: 'No users yet.\n' });
});

it('mneme list and search take --limit, and a misspelt flag gets a suggestion', async () => {
  const listed = await run(['list', '--user-id', 'ada', '--limit', '1', '--json']);
  const found = await run(['search', 'likes', '--user-id', 'ada', '--limit', '1', '--json']);
  const misspelt = await run(['list', '--limt', '3']);
  const far = await run(['init', '--list']);

  expect(JSON.parse(listed.stdout).results).toHaveLength(1);
  expect(JSON.parse(found.stdout).results).toHaveLength(1);
  expect(misspelt.stderr).toContain('did you mean --limit?');
  expect(far.stderr).not.toContain('did you mean');
});
