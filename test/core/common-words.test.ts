import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
});

afterEach(() => engine.stop());

const facts = [
  'lives in Lisbon',
  'has a cat called Biscuit',
  'is allergic to hazelnuts',
  'works as a data engineer',
  'plays the cello on Tuesdays',
  'wants tests before code',
  'drinks oat milk',
  'drives an old Saab',
  'runs half marathons',
  'prefers short answers',
];

async function rememberOf(name: string, run_id?: string): Promise<void> {
  for (const fact of facts) {
    const text = `${name} ${fact}.`;
    await engine.invoke('add_memory', { text, user_id: 'ann', run_id }, { caller: owner });
    engine.clock.advance(1000);
  }
}

async function search(query: string, input: Record<string, unknown> = {}) {
  const asked = { query, user_id: 'ann', ...input };
  return engine.invoke('search_memories', asked, { caller: owner });
}

describe('a name that nearly every memory holds', () => {
  it.each(['Ada', 'Zbigniew', 'Mrs Kowalski'])('is no reason for one of them: %s', async (name) => {
    await rememberOf(name);

    const { results } = await search(`Where does ${name} live?`);

    expect(results[0]?.memory).toBe(`${name} lives in Lisbon.`);
    for (const { score } of results.slice(1)) expect(score).toBeLessThan(0.6);
    expect(results.length).toBeLessThan(4);
  });

  it('finds its memories if it is all that is asked for', async () => {
    await rememberOf('Ada');

    expect((await search('Ada')).results).toHaveLength(10);
    expect((await search('who is Ada?')).results).toHaveLength(10);
  });

  it('counts where others are in the scope, too', async () => {
    await rememberOf('Ada');
    await rememberOf('Tom');

    const { results } = await search('Where does Tom live?');

    expect(results[0]?.memory).toBe('Tom lives in Lisbon.');
  });
});

describe('a name that some memories hold', () => {
  beforeEach(async () => {
    await engine.stop();
    engine = await startEngine({ tables: true });
  });

  it('counts alike for all of them: the one that answers comes first', async () => {
    const others = ['uses vim', 'was born in 1987', 'reads Ursula Le Guin', 'lives in Graz'];
    await rememberOf('Lena');
    for (const fact of others) {
      const text = `${fact === 'lives in Graz' ? 'Tom' : 'Lena'} ${fact}.`;
      await engine.invoke('add_memory', { text, user_id: 'ann' }, { caller: owner });
    }
    for (const fact of [...facts, ...others]) {
      const text = `User ${fact.replace('a cat called', 'no')}.`;
      await engine.invoke('add_memory', { text, user_id: 'ann' }, { caller: owner });
    }
    const answers = {
      'What car does Lena have?': 'Lena drives an old Saab.',
      'Which sport does Lena do?': 'Lena runs half marathons.',
      "Who is Lena's favourite author?": 'Lena reads Ursula Le Guin.',
      'Which instrument does Lena play?': 'Lena plays the cello on Tuesdays.',
      'Lena pet': 'Lena has a cat called Biscuit.',
    };

    for (const [question, answer] of Object.entries(answers)) {
      const { results } = await search(question);
      expect.soft(results[0]?.memory, question).toBe(answer);
    }
  });
});

describe('where nothing is near enough', () => {
  it('the two nearest of a small scope are named as weak', async () => {
    await rememberOf('Ada');

    const { results, weak } = await search('Which cello, which milk, which Saab?', {
      threshold: 0.99,
    });

    expect(results).toEqual([]);
    expect(weak).toHaveLength(2);
    for (const { memory } of weak ?? []) expect(memory).toMatch(/cello|milk|Saab/);
  });

  it('nothing is named where there is nothing, or where something was found', async () => {
    expect(await search('Where does Ada live?')).toEqual({ results: [] });
    await rememberOf('Ada');

    expect(await search('Where does Ada live?')).not.toHaveProperty('weak');
  });

  it('names no memory of another user', async () => {
    await rememberOf('Ada');

    const asked = { query: 'Where does Ada live?', user_id: 'tom', threshold: 0.99 };
    const answer = await engine.invoke('search_memories', asked, { caller: owner });
    expect(answer).toEqual({ results: [] });
  });
});
