import { expect, it, onTestFinished } from 'vitest';
import { owner, startEngine } from '../support/engine.ts';
import { directTarget } from '../support/targets.ts';
import { callOn, dataOf, optionsFor, textOf } from './support.ts';

/** Calls of a user who told where they live, and then somewhere else; the id of the first. */
async function makePair() {
  const target = directTarget(await startEngine({ tables: true }), owner);
  onTestFinished(() => target.stop());
  const { invoke } = target.engine;
  const call = callOn(optionsFor(invoke, { caller: owner, scope: { user_id: 'alice' } }));
  const first = dataOf(await call('add_memory', { text: 'I live in Ghent' }));
  const [{ id: old } = { id: '' }] = first.results as { id: string }[];
  return {
    call,
    old,
    short: old.slice(-8),
    added: await call('add_memory', { text: 'I live in Hull' }),
  };
}

it('a text that may contradict a memory is stored, and names it once', async () => {
  const { short, added } = await makePair();

  const told = `may contradict ${short}: I live in Ghent; update_memory or delete_memory decides`;
  expect(textOf(added)).toContain(told);
  expect(textOf(added)).not.toContain('similar');
  expect(dataOf(added).results).toMatchObject([{ event: 'ADD', reason: told }]);
});

it.each([
  ['get_memories', {}],
  ['search_memories', { query: 'Where do I live?' }],
] as const)(
  '%s has the newer one first, with the short id of the older one',
  async (name, input) => {
    const { call, old, short } = await makePair();

    const answer = await call(name, input);

    const lines = textOf(answer).split('\n');
    const first = lines.findIndex((line) => line.startsWith('1. '));
    expect(lines[first]).toBe('1. I live in Hull');
    expect(lines.filter((line) => line.includes(`may replace: ${short}`))).toEqual([
      lines[first + 1],
    ]);
    expect(dataOf(answer).results).toMatchObject([{ may_replace: [old] }, { id: old }]);
  },
);
