import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerKey } from '../e2e/service.ts';
import { installTimeoutMs } from './installed.ts';
import { type Cli, startCli } from './mem0-cli.ts';

/** It checks its key with a timer that it never clears, so each run takes five seconds or more. */
const timeout = 180_000;

// Side by side, because the program mostly waits; each flow is a user of its own.
describe.concurrent('@mem0/cli 0.2.13', { timeout }, () => {
  let cli: Cli;
  const mem0 = (...args: string[]) => cli.mem0(...args);
  const answered = (...args: string[]) => cli.answered(...args);

  beforeAll(async () => {
    cli = await startCli();
  }, installTimeoutMs);
  afterAll(() => cli.stop());

  it('adds word for word, gets, changes and deletes one memory', async () => {
    const added = await answered(
      'add',
      'Likes oolong tea',
      '-u',
      'ann',
      '--no-infer',
      '-m',
      '{"a":1}',
      '-o',
      'json',
    );
    const id = String(added.results[0]?.id);

    const updated = await mem0('update', id, 'Likes green tea', '-m', '{"b":2}');
    const got = await answered('get', id, '-o', 'json');
    const deleted = await mem0('delete', id);
    const gone = await mem0('get', id);

    expect(added).toMatchObject({ status: 'SUCCEEDED', results: [{ event: 'ADD' }] });
    expect(updated.stdout).toMatch(/updated/);
    expect(got).toMatchObject({ id, memory: 'Likes green tea', metadata: { b: 2 } });
    expect(deleted.stdout).toMatch(/deleted/);
    expect(gone.code).toBe(1);
    expect(gone.stderr).toContain('Resource not found');
  });

  it('adds what is to be extracted, and tells by its event when it is done', async () => {
    const text = 'My name is Bea and I live in Lyon.';
    const added = await answered('add', text, '-u', 'bea', '-o', 'json');
    const { event_id } = added;

    const status = await mem0('event', 'status', event_id);
    const events = await answered('event', 'list', '-o', 'json');

    expect(added).toMatchObject({ status: 'PENDING', event_id: expect.any(String) });
    expect(status.stdout).toContain('SUCCEEDED');
    expect(status.stdout).toContain('Lyon');
    expect(status.stdout).toContain('user_id=bea');
    expect(events.data.map(({ id }) => id)).toContain(event_id);
  });

  it('searches and lists, as text, as a table and as JSON', async () => {
    await mem0('add', 'Plays the cello', '-u', 'cleo', '--no-infer');

    const [found, text, none, table, page] = await Promise.all([
      answered('search', 'cello', '-u', 'cleo', '-k', '5', '--rerank', '--keyword', '-o', 'json'),
      mem0('search', 'cello', '-u', 'cleo'),
      mem0('search', 'cello', '-u', 'cleo', '--filter', '{"categories":{"contains":"x"}}'),
      mem0('list', '-u', 'cleo'),
      answered(
        'list',
        '-u',
        'cleo',
        '--after',
        '2024-01-01',
        '--before',
        '2099-01-01',
        '--page',
        '1',
        '--page-size',
        '5',
        '-o',
        'json',
      ),
    ]);

    expect(found).toMatchObject([{ memory: 'Plays the cello', user_id: 'cleo' }]);
    expect(text.stdout).toMatch(/Plays the cello[\s\S]*Score: [01]\.\d\d[\s\S]*Created: \d{4}-/);
    expect(none.said).toContain('No memories found');
    expect(table.stdout).toContain('Plays the cello');
    expect(page).toMatchObject({
      status: 'success',
      count: 1,
      data: [{ memory: 'Plays the cello' }],
    });
  });

  it('says what is wrong in the server’s words', async () => {
    const [malformed, scopeless, wrongKey] = await Promise.all([
      mem0('get', 'nonsense'),
      mem0('search', 'anything', '-o', 'json'),
      mem0('status', '--api-key', 'mk_unknown'),
    ]);

    expect(malformed.code).toBe(1);
    expect(malformed.stderr).toContain('memory_id should be a valid UUID');
    expect(scopeless.stderr).toContain('user_id');
    expect(wrongKey.said).toContain('Invalid or expired API key');
  });

  it('checks the connection, by the address on its command line too', async () => {
    const [status, byFlag] = await Promise.all([
      answered('status', '-o', 'json'),
      mem0('status', '--base-url', `${cli.server.url}/`, '--api-key', ownerKey),
    ]);

    expect(status).toMatchObject({ data: { connected: true, base_url: cli.server.url } });
    expect(byFlag.stdout).toContain('Connected');
  });

  it('imports a file, lists users, and deletes one of them', async () => {
    const file = join(cli.home, 'import.json');
    const facts = [{ memory: 'I live in Rome.' }, { memory: 'I work as a chef.' }];
    await writeFile(file, JSON.stringify(facts));

    const imported = await mem0('import', file, '-u', 'dora');
    const before = await answered('entity', 'list', 'users', '-o', 'json');
    const removed = await mem0('entity', 'delete', '--user-id', 'dora', '--force');
    const after = await answered('entity', 'list', 'users', '-o', 'json');

    expect(imported.said).toContain('Imported 2 memories');
    expect(before.data.map(({ name }) => name)).toContain('dora');
    expect(removed.stdout).toContain('Entity deleted');
    expect(after.data.map(({ name }) => name)).not.toContain('dora');
  });

  it('deletes all memories of a user, after a look at how many', async () => {
    for (const text of ['one', 'two']) await mem0('add', text, '-u', 'finn', '--no-infer');

    const look = await mem0('delete', '--all', '-u', 'finn', '--dry-run');
    const done = await answered('delete', '--all', '-u', 'finn', '--force', '-o', 'json');

    expect(look.said).toContain('Would delete 2 memories');
    expect(done).toMatchObject({ message: expect.any(String), event_id: expect.any(String) });
    const left = await cli.server.send('GET', '/v1/memories/?user_id=finn');
    expect(left.body).toEqual([]);
  });

  it('deletes all memories of everyone', async ({ onTestFinished }) => {
    const own = await startCli();
    onTestFinished(() => own.stop());
    const messages = [{ role: 'user', content: 'fact' }];
    for (const of of [{ user_id: 'ann' }, { agent_id: 'bot' }, { user_id: 'bob', run_id: 'r' }]) {
      const body = { messages, infer: false, ...of };
      await own.server.send('POST', '/v1/memories/', { body });
    }

    const done = await own.mem0('delete', '--all', '--project', '--force');

    expect(done).toMatchObject({ code: 0, said: expect.stringContaining('Deletion started') });
    const stats = await own.server.send('GET', '/v1/stats/');
    expect(stats.body).toMatchObject({ total_memories: 0 });
  });

  it('is set up once with a key and a user, and remembers both', async ({ onTestFinished }) => {
    const own = await startCli({ remembers: true });
    onTestFinished(() => own.stop());

    const setUp = await own.mem0('init', '--api-key', ownerKey, '-u', 'gil', '--force');
    const added = await own.answered('add', 'Likes maps', '--no-infer', '-o', 'json');

    expect(setUp.said).toContain('Connected');
    expect(added).toMatchObject({ results: [{ memory: 'Likes maps', user_id: 'gil' }] });
  });
});
