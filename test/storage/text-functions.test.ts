import { expect, it, onTestFinished, vi } from 'vitest';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { registerSqlFunctions } from '../../src/storage/sqlite/text-functions.ts';

it('reads wanted words once, not for each row', async () => {
  const sqlite = (await loadSqlite())(':memory:');
  onTestFinished(() => sqlite.close());
  registerSqlFunctions(sqlite);
  sqlite.exec('create table texts (text text)');
  const insert = sqlite.prepare('insert into texts values (?)');
  for (let at = 0; at < 500; at += 1) insert.run(`私は東京タワーが好きです ${at}`);
  const find = sqlite.prepare(
    'select sum(matches_text(text, (select text_test(?)))) as total from texts',
  );
  const [tested, parsed] = [vi.spyOn(RegExp.prototype, 'test'), vi.spyOn(JSON, 'parse')];
  onTestFinished(() => void vi.restoreAllMocks());

  const values = ['東京', '京都', 'ა'.repeat(2000)];
  const [found] = find.all(JSON.stringify({ look: 'words', values }));

  expect(found).toEqual({ total: 500 });
  expect(tested.mock.calls.length).toBeLessThan(50);
  expect(parsed).toHaveBeenCalledTimes(1);
});
