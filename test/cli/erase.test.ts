import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePath } from '../../src/storage/store.ts';
import { runIn, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const run = runIn(home);

/** A store in a folder of this name, and how to call it. */
function storeIn(name: string) {
  const data_dir = join(home, name);
  const call = async (operation: string, input: object) => {
    const json = JSON.stringify(input);
    const answer = await run(['call', operation, '--json', json, '--data-dir', data_dir]);
    expect(answer.code).toBe(0);
    return JSON.parse(answer.stdout);
  };
  const add = async (text: string, user_id = 'zoe') =>
    (await call('add_memory', { text, user_id })).results[0].id as string;
  const erase = (...args: string[]) => run(['erase', ...args, '--data-dir', data_dir]);
  const bytes = () => readFileSync(storePath(data_dir)).toString('latin1');
  return { call, add, erase, bytes };
}

describe('mneme erase', () => {
  it('erases by id only with --yes, and prints the receipt', async () => {
    const { add, erase, call } = storeIn('ids');
    const id = await add('Grows Zanzibar cloves');

    const asked = await erase(id);
    const done = await erase(id, '--yes', '--json');

    expect(asked.code).not.toBe(0);
    expect(asked.stderr).toContain('this erases 1 memory for good');
    expect(JSON.parse(done.stdout)).toMatchObject({
      deleted: 1,
      receipt: { removed: { memories: 1, history: 1 }, remaining: {} },
    });
    expect((await call('get_memories', {})).results).toEqual([]);
  });

  it('shows what it would erase in a dry run, and erases nothing, even with --yes', async () => {
    const { add, erase, call } = storeIn('dry');
    await add('Grows Zanzibar cloves');
    const id = await add('Grows Pemba nutmeg');
    await call('delete_memory', { memory_id: id });

    const entity = await erase('--user-id', 'zoe', '--dry-run', '--yes');
    const deleted = await erase(id, '--dry-run');
    const json = await erase(id, '--dry-run', '--json');

    expect(entity).toMatchObject({ code: 0, stdout: 'would erase 1 memory\n' });
    expect(entity.stderr).toMatch(/^[\da-f]{8}\t\S+\tGrows Zanzibar cloves\n$/);
    expect(deleted.stdout).toBe('would erase the history of 1 memory that was deleted\n');
    expect(JSON.parse(json.stdout)).toEqual({ dry_run: true, would_erase: 0, deleted_before: 1 });
    expect((await call('get_history', { memory_id: id })).results).toHaveLength(2);
  });

  it('takes short ids, and says what is not there before it asks', async () => {
    const { add, erase, call } = storeIn('short-ids');
    const id = await add('Grows Zanzibar cloves');
    const unknown = ['abcdef12', '0199a6b2-0000-7000-8000-0001abcdef12'];

    const missing = await Promise.all(unknown.map((one) => erase(one)));
    const done = await erase(id.slice(-8), '--yes', '--json');

    for (const { code, stderr } of missing) {
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/memory.* found/);
      expect(stderr).not.toContain('for good');
    }
    expect(JSON.parse(done.stdout)).toMatchObject({ deleted: 1 });
    expect((await call('get_memories', {})).results).toEqual([]);
  });

  it('--verify leaves no trace of an entity in the bytes of the file', async () => {
    const { add, call, erase, bytes } = storeIn('bytes');
    const id = await add('Grows Zanzibar cloves on a hill');
    await call('update_memory', { memory_id: id, text: 'Grows Pemba nutmeg by the sea' });
    const kept = await add('Grows Ceylon cinnamon', 'ann');
    expect(bytes()).toMatch(/Zanzibar/);

    const { code, stdout } = await erase('--user-id', 'zoe', '--yes', '--verify');

    expect(stdout).toContain('its bytes hold none of the texts');
    expect(stdout).toContain('backups and exported files');
    expect(code).toBe(0);
    expect(bytes()).not.toMatch(/zanzib|pemba|nutmeg/i);
    expect(await call('get_memory', { memory_id: kept })).toMatchObject({
      memory: 'Grows Ceylon cinnamon',
    });
    expect(
      (await call('search_memories', { query: 'cinnamon', user_id: 'ann' })).results,
    ).toHaveLength(1);
  });

  it('--verify says so if another record holds the text too, and fails', async () => {
    const { add, erase } = storeIn('shared');
    await add('Grows Ceylon cinnamon', 'ann');
    const id = await add('Grows Ceylon cinnamon');

    const { code, stdout } = await erase(id, '--yes', '--verify', '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      receipt: { remaining: {} },
      found_in_file: ['Grows Ceylon cinnamon'],
    });
    expect(code).toBe(1);
  });

  it.each<[string, (id: string) => string[]]>([
    ['alone', () => []],
    ['with the ids', (id) => [id, '--yes']],
    ['with the entity', () => ['--user-id', 'zoe', '--yes']],
  ])('--verify %s rewrites the file after an erasure elsewhere', async (_how, args) => {
    const { add, call, erase, bytes } = storeIn(`elsewhere ${_how}`);
    const id = await add('Grows Zanzibar cloves on a hill');
    await add('Grows Ceylon cinnamon', 'ann');
    await call('delete_entity', { entity_type: 'user', entity_id: 'zoe' });

    const { code, stdout } = await erase(...args(id), '--verify');

    expect(stdout).toContain('nothing was left to erase; the file was rewritten');
    expect(code).toBe(0);
    expect(bytes()).not.toMatch(/zanzib/i);
    expect(bytes()).toMatch(/cinnamon/);
  });

  it('--verify erases nothing if one of the ids is unknown, and says so', async () => {
    const { add, call, erase } = storeIn('one unknown');
    const [gone, id] = [await add('Grows Zanzibar cloves'), await add('Grows Ceylon cinnamon')];
    await erase(gone, '--yes');

    const { code, stderr } = await erase(gone, id, '--yes', '--verify');

    expect(code).not.toBe(0);
    expect(stderr).toContain('not found');
    expect(await call('get_memory', { memory_id: id })).toMatchObject({ id });
  });

  it('--verify needs a store', async () => {
    const { code, stderr } = await storeIn('nowhere').erase('--verify');

    expect(code).not.toBe(0);
    expect(stderr).toContain('there is no store');
  });

  it.each([
    [[], 'name memory ids, or one of'],
    [['--user-id', 'a', '--run-id', 'b'], 'name memory ids, or one of'],
    [['--user-id', 'nobody', '--yes'], 'user "nobody" not found'],
    [['--user-id', 'nobody'], 'user "nobody" not found'],
    [['--verify', '--dry-run'], '--dry-run: needs what to erase'],
    [['x', '--yes'], 'MEMORY_ID: is not the id of a memory'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await storeIn('refused').erase(...args);

    expect(code).not.toBe(0);
    expect(stderr).toContain(message);
  });
});
