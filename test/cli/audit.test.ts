import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);
const openSqlite = await loadSqlite();

it('mneme audit exports every call, verifies the chains, and finds a changed bit', async () => {
  const data_dir = join(home, 'audited');
  const at = ['--data-dir', data_dir];
  const call = (text: string, ...flags: string[]) =>
    run(['call', 'add_memory', '--text', text, '--user-id', 'zoe', ...at, ...flags]);
  await call('Not audited');
  for (const text of ['Zanzibar', 'Pemba']) await call(text, '--audit');

  const exported = await run(['audit', 'export', ...at]);
  const intact = await run(['audit', 'verify', ...at]);
  const sqlite = openSqlite(storePath(data_dir));
  sqlite.exec(`update audit_log set outcome = 'OK' where position = 2`);
  sqlite.close();
  const changed = await run(['audit', 'verify', '--json', ...at]);

  const entries = exported.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(entries).toMatchObject(Array(2).fill({ operation: 'add_memory', outcome: 'ok' }));
  expect(exported.stdout).not.toMatch(/zoe|zanzibar|pemba/i);
  expect(intact).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 entries in 2 chains'),
  });
  expect(changed.code).toBe(1);
  expect(JSON.parse(changed.stdout).problems).toMatchObject([
    { number: 1, problem: 'the entry was changed' },
  ]);
});

it('mneme audit verify says when nothing is recorded', async () => {
  const at = ['--data-dir', join(home, 'off')];
  await run(['add', 'Not audited', ...at]);

  const off = await run(['audit', 'verify', ...at]);
  await run(['add', 'Audited', '--audit', ...at]);
  const before = await run(['audit', 'verify', ...at]);
  const on = await run(['audit', 'verify', '--audit', ...at]);

  expect(off).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The audit log is off: .+\n$/),
  });
  expect(before.stdout).toContain('The audit log is off');
  expect(before.stdout).toContain('every entry is as it was written');
  expect(on.stdout).not.toContain('is off');
});

it('mneme audit head names the end, which verify looks for, under a key outside of the store', async () => {
  const data_dir = join(home, 'keyed');
  const at = ['--data-dir', data_dir];
  const env = { MNEME_AUDIT_KEY: 'a-secret-of-an-operator-of-32-characters', MNEME_AUDIT: 'true' };
  for (const text of ['One', 'Two']) {
    await run(['call', 'add_memory', '--text', text, '--user-id', 'zoe', ...at], { env });
  }

  const head = (await run(['audit', 'head', ...at], { env })).stdout.trim();
  const intact = await run(['audit', 'verify', '--head', head, ...at], { env });
  const keyless = await run(['audit', 'verify', ...at]);
  const sqlite = openSqlite(storePath(data_dir));
  sqlite.exec('delete from audit_log where position = 2');
  sqlite.close();
  const cut = await run(['audit', 'verify', '--head', head, ...at], { env });
  const wrong = await run(['audit', 'verify', '--head', 'x', ...at], { env });
  const stray = await run(['audit', 'head', '--head', head, ...at], { env });

  expect(head).toMatch(/^hmac-sha256:[0-9a-f]{8}:[0-9a-f]{64}$/);
  expect(intact).toMatchObject({ code: 0, stdout: expect.stringContaining(`head: ${head}`) });
  expect(keyless).toMatchObject({ code: 1, stdout: expect.stringContaining('audit_key') });
  expect(cut).toMatchObject({ code: 1, stdout: expect.stringContaining(`${head}: no entry`) });
  expect([wrong.code, stray.code]).toEqual([2, 2]);
});

it('mneme audit holds what was done to keys, and no text of a key', async () => {
  const at = ['--data-dir', join(home, 'keys')];
  await run(['call', 'add_memory', '--text', 'x', '--project-id', 'apart', ...at]);
  const audited = [...at, '--audit'];
  const made = await run(['keys', 'create', '--json', '--name', 'ci', ...audited]);
  const { key, key_id, prefix } = JSON.parse(made.stdout);
  const bound = ['--project-id', 'apart', '--email', 'zoe@example.com'];
  await run(['keys', 'create', ...bound, ...audited]);
  await run(['keys', 'create', '--project-id', 'typo', ...audited]);
  await run(['keys', 'list', ...audited]);
  await run(['keys', 'revoke', key_id, ...audited]);
  await run(['keys', 'revoke', 'typo', ...audited]);
  await run(['keys', 'revoke', key_id, ...at]);

  const { stdout } = await run(['audit', 'export', ...at]);
  const verified = await run(['audit', 'verify', ...at]);

  const entries = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const local = { account_id: null, key_id: null };
  expect(entries).toMatchObject([
    { ...local, operation: 'create_key', outcome: 'ok', project_id: null },
    { ...local, operation: 'create_key', outcome: 'ok', project_id: 'apart' },
    { ...local, operation: 'create_key', outcome: 'not_found', ids: [] },
    { ...local, operation: 'list_keys', outcome: 'ok' },
    { ...local, operation: 'revoke_key', outcome: 'ok', ids: [key_id] },
    { ...local, operation: 'revoke_key', outcome: 'not_found', ids: [] },
  ]);
  expect(entries[0].ids).toContain(key_id);
  expect(entries[3].ids).toContain(key_id);
  for (const text of [key, prefix, 'zoe', '"ci"']) expect(stdout).not.toContain(text);
  expect(verified.code).toBe(0);
});

it('mneme audit refuses another action', async () => {
  expect(await run(['audit', 'erase'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Known: verify, head, export'),
  });
});
