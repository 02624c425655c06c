import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { createLog } from '../../src/log.ts';

let stderr: MockInstance<typeof process.stderr.write>;

beforeEach(() => {
  stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => stderr.mockRestore());

/** What each line of each write says. */
const written = () =>
  stderr.mock.calls.map(([text]) =>
    String(text)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).message),
  );

it('information goes out together, in order, when the turn is over', async () => {
  const log = createLog('info');

  log('info', 'first', { count: 1 });
  log('info', 'second');
  const before = written();
  await turn();
  log('info', 'third');
  await turn();

  expect(before).toEqual([]);
  expect(written()).toEqual([['first', 'second'], ['third']]);
});

it('a problem goes out at once, after what came before it', async () => {
  const log = createLog('info');

  log('info', 'first');
  log('error', 'second', { error: new Error('reason') });
  const before = written();
  await turn();

  expect(before).toEqual([['first', 'second']]);
  expect(written()).toEqual(before);
});

it('nothing below the level is written', async () => {
  const log = createLog('warn');

  log('info', 'first');
  log('warn', 'second');
  await turn();

  expect(written()).toEqual([['second']]);
});
