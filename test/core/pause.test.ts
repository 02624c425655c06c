import { describe, expect, it } from 'vitest';
import { createTurns, type InTurns, mapInTurns, runAtOnce, runInTurns } from '../../src/turns.ts';

/** Longer than one turn takes. */
const longMs = 15;

function holdLoop(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function* work(name: string, ms: number, done: string[]): InTurns<string> {
  for (const part of [1, 2]) {
    holdLoop(ms);
    done.push(`${name} ${part}`);
    yield;
  }
  return name;
}

describe('work in turns', () => {
  it('lets others have their turn after a long part', async () => {
    const done: string[] = [];
    setImmediate(() => done.push('another'));

    const result = await runInTurns(work('long', longMs, done));

    expect(result).toBe('long');
    expect(done).toEqual(['long 1', 'another', 'long 2']);
  });

  it('is done at once if it is short', async () => {
    const done: string[] = [];
    setImmediate(() => done.push('another'));

    await runInTurns(work('short', 0, done));

    expect(done).toEqual(['short 1', 'short 2']);
  });

  it('does not add up with other work to one long turn', async () => {
    const done: string[] = [];
    const all = ['a', 'b', 'c'].map((name) => runInTurns(work(name, longMs, done)));
    const others = setInterval(() => done.push('another'), 0);

    await Promise.all(all);

    clearInterval(others);
    const turns = done.slice(done.indexOf('a 2')).join(', ');
    expect(turns).toMatch(/^a 2, (?:another, )+b 2, (?:another, )+c 2/);
  });

  it('can be done at once, with the same result', () => {
    expect(runAtOnce(mapInTurns([1, 2, 3], (item, index) => item * 10 + index))).toEqual([
      10, 21, 32,
    ]);
  });

  it('rests between the parts of a loop that awaits', async () => {
    const done: string[] = [];
    const rest = createTurns();
    setImmediate(() => done.push('another'));

    for (const part of [1, 2]) {
      await rest();
      holdLoop(longMs);
      done.push(`part ${part}`);
    }

    expect(done).toEqual(['part 1', 'another', 'part 2']);
  });
});
