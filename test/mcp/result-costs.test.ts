import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { owner, startEngine } from '../support/engine.ts';
import { directTarget, type Target } from '../support/targets.ts';
import { callOn, dataOf, optionsFor, scripted, textOf } from './support.ts';

const text = 'Alice likes tea';

/** Ids as random as those of memories. */
const idOf = (number: number) =>
  `0197a6b2-0000-7000-8000-0000${((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}`;

const everyField = {
  memory: text,
  user_id: 'alice',
  score: 0.8765,
  created_at: '2026-01-02T03:04:05.000Z',
  type: 'event',
  occurred_at: '2026-05-07T18:30:00.000Z',
  occurred_granularity: 'minute',
  categories: ['food', 'personal_details'],
  metadata: {},
};

describe('what a hit costs a model beside its text', () => {
  it('is at most 30 tokens, with everything that is known of it', async () => {
    const results = Array.from({ length: 100 }, (_, index) => ({ ...everyField, id: idOf(index) }));
    const { invoke } = scripted({ search_memories: () => ({ results }) });

    const found = await callOn(optionsFor(invoke))('search_memories', {
      query: 'tea',
      user_id: 'alice',
      top_k: 100,
    });

    const cost = countTokens(textOf(found)) - results.length * countTokens(text);
    expect(cost / results.length).toBeLessThanOrEqual(30);
    expect(dataOf(found)).toHaveProperty(
      'results.0',
      expect.objectContaining({ id: idOf(0), type: 'event', categories: everyField.categories }),
    );
  });
});

describe('what add_memory costs a model beside the text', () => {
  let target: Target;
  const callAs = () => {
    const { invoke } = target.engine;
    return callOn(optionsFor(invoke, { caller: owner, scope: { user_id: 'alice' } }));
  };

  beforeEach(async () => {
    target = directTarget(await startEngine({ tables: true }), owner);
  });
  afterEach(() => target.stop());

  it.each([
    ['what is stored', [{ text }]],
    ['what is known already', [{ text }, { text }]],
    ['what is extracted', [{ messages: text }]],
    ['what holds nothing to remember', [{ messages: 'hello' }]],
  ])('is at most 40 tokens: %s', async (_, adds) => {
    const call = callAs();
    for (const args of adds.slice(1)) await call('add_memory', args);

    const last = await call('add_memory', adds[0] ?? {});

    const shown = textOf(last);
    const [memory = ''] = (dataOf(last).results as { memory: string }[]).map((one) => one.memory);
    expect(countTokens(shown) - countTokens(memory)).toBeLessThanOrEqual(40);
    expect(shown).not.toContain('SUCCEEDED');
    expect(dataOf(last)).toMatchObject({ status: 'SUCCEEDED', event_id: expect.any(String) });
  });

  it('names what a new text resembles by short ids', async () => {
    const call = callAs();
    await call('add_memory', { text });

    const shown = textOf(await call('add_memory', { text: 'Alice liked teas' }));

    expect(shown).toMatch(/similar: \[\{"id":"[\da-f]{8}","memory":"Alice likes tea"/);
  });

  it('keeps the event of what is not stored yet', async () => {
    const pending = { message: 'Accepted.', status: 'PENDING', event_id: 'event-1', results: [] };
    const { invoke } = scripted({ add_memory: () => pending });

    const shown = textOf(await callOn(optionsFor(invoke))('add_memory', { text, user_id: 'a' }));

    expect(shown).toContain('. status PENDING, event_id event-1');
  });
});
