import { describe, expect, it } from 'vitest';
import { callOn, dataOf, optionsFor, scripted, textOf } from './support.ts';

const pending = { message: 'Accepted', status: 'PENDING', event_id: 'event-1', results: [] };
const change = {
  id: 'id-1',
  event: 'ADD',
  memory: 'Alice likes tea',
  data: { memory: 'Alice likes tea' },
  user_id: 'alice',
};
const noop = { ...change, event: 'NOOP', reason: 'duplicate of id-1' };
const args = { messages: 'I like tea', user_id: 'alice' };

/** An engine whose event goes through these states, the last of which stays. */
function engine(states: readonly object[]) {
  const left = [...states];
  return scripted({
    add_memory: () => pending,
    get_event: () => (left.length > 1 ? left.shift() : left[0]),
  });
}

describe('add_memory', () => {
  it('waits for its event and answers what was stored', async () => {
    const { invoke, calls } = engine([
      { status: 'PENDING', results: [] },
      { status: 'RUNNING', results: [] },
      { status: 'SUCCEEDED', results: [change, noop] },
    ]);

    const result = await callOn(optionsFor(invoke))('add_memory', { ...args, project_id: 'home' });

    expect(dataOf(result)).toMatchObject({
      status: 'SUCCEEDED',
      event_id: 'event-1',
      results: [
        { event: 'ADD', id: 'id-1', memory: 'Alice likes tea' },
        { event: 'NOOP', reason: 'duplicate of id-1' },
      ],
    });
    expect(textOf(result)).toContain('reason: duplicate of id-1');
    expect(calls.slice(1)).toEqual(
      Array.from({ length: 3 }, () => ({
        name: 'get_event',
        input: { event_id: 'event-1', project_id: 'home' },
      })),
    );
  });

  it('answers at once what is stored verbatim', async () => {
    const stored = {
      message: 'Stored',
      status: 'SUCCEEDED',
      event_id: 'event-1',
      results: [change],
    };
    const { invoke, calls } = scripted({ add_memory: () => stored });

    const result = await callOn(optionsFor(invoke))('add_memory', {
      text: 'tea',
      user_id: 'alice',
    });

    expect(dataOf(result)).toMatchObject({ status: 'SUCCEEDED', results: [{ id: 'id-1' }] });
    expect(calls).toHaveLength(1);
  });

  it('says that nothing was worth remembering', async () => {
    const { invoke } = engine([{ status: 'SUCCEEDED', results: [] }]);

    const result = await callOn(optionsFor(invoke))('add_memory', args);

    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toContain('Nothing worth remembering was found');
  });

  it('is an error when its event failed, with the reason', async () => {
    const { invoke } = engine([{ status: 'FAILED', results: [], error: 'too many facts' }]);

    const result = await callOn(optionsFor(invoke))('add_memory', args);

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('Nothing was stored: too many facts');
  });

  it.each([
    ['get_event', null, 'Call get_event with event_id "event-1" to see what was stored.'],
    ['nothing', ['core'] as const, 'What it stores can be found by a search soon.'],
  ])('answers PENDING past its wait, and names %s', async (_, toolsets, next) => {
    const { invoke } = engine([{ status: 'RUNNING', results: [] }]);
    const call = callOn(optionsFor(invoke, { add_wait_ms: 30, toolsets }));

    const result = await call('add_memory', args);

    expect(result.isError).toBeFalsy();
    expect(dataOf(result)).toMatchObject({ status: 'PENDING', event_id: 'event-1' });
    expect(textOf(result)).toContain(next);
  });

  it('does not wait at all when told so', async () => {
    const { invoke, calls } = engine([{ status: 'RUNNING', results: [] }]);

    await callOn(optionsFor(invoke, { add_wait_ms: 0 }))('add_memory', args);

    expect(calls).toHaveLength(1);
  });
});
