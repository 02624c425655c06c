import { describe, expect, it } from 'vitest';
import type { Invoke } from '../../src/contract.ts';
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

describe('add_memory', () => {
  it('has the engine wait as long as add_wait_ms says', async () => {
    const { invoke, options } = watched({
      ...pending,
      status: 'SUCCEEDED',
      results: [change, noop],
    });

    const result = await callOn(optionsFor(invoke, { add_wait_ms: 70 }))('add_memory', args);

    expect(options).toMatchObject([{ wait_ms: 70 }]);
    expect(dataOf(result)).toMatchObject({
      status: 'SUCCEEDED',
      event_id: 'event-1',
      results: [
        { event: 'ADD', id: 'id-1', memory: 'Alice likes tea' },
        { event: 'NOOP', reason: 'duplicate of id-1' },
      ],
    });
    expect(textOf(result)).toContain('not stored: duplicate of id-1');
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

  it.each<[string, object, unknown]>([
    ['is kept in the metadata', {}, { source: 'OPENMEMORY' }],
    ['joins other metadata', { metadata: { a: 1 } }, { a: 1, source: 'OPENMEMORY' }],
    ['joins metadata in JSON text', { metadata: '{"a":1}' }, { a: 1, source: 'OPENMEMORY' }],
    ['gives way to that of the metadata', { metadata: { source: 'mail' } }, { source: 'mail' }],
    ['replaces null', { metadata: { source: null } }, { source: 'OPENMEMORY' }],
  ])('takes a source, which %s', async (_, more, metadata) => {
    const { invoke, calls } = scripted({ add_memory: () => ({ ...pending, results: [change] }) });

    await callOn(optionsFor(invoke))('add_memory', { ...args, source: 'OPENMEMORY', ...more });

    const sent = { ...args, find_similar: true, metadata: expect.anything() };
    expect(calls[0]?.input).toEqual(sent);
    const given = calls[0]?.input.metadata;
    expect(typeof given === 'string' ? JSON.parse(given) : given).toEqual(metadata);
  });

  it.each<[string, object, string]>([
    ['a source that is no text', { source: 5 }, 'source: must be a string'],
    ['metadata that is no object', { source: 'x', metadata: 'some' }, 'metadata'],
  ])('refuses %s', async (_, more, problem) => {
    const { invoke, calls } = scripted({});

    const result = await callOn(optionsFor(invoke))('add_memory', { ...args, ...more });

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(problem);
    expect(calls).toEqual([]);
  });

  it('takes no source of null', async () => {
    const { invoke, calls } = scripted({ add_memory: () => ({ ...pending, results: [change] }) });

    await callOn(optionsFor(invoke))('add_memory', { ...args, source: null });

    expect(calls[0]?.input).toEqual({ ...args, find_similar: true });
  });

  it('looks for nothing similar if it is told so', async () => {
    const { invoke, calls } = scripted({ add_memory: () => ({ ...pending, results: [change] }) });

    await callOn(optionsFor(invoke))('add_memory', { ...args, find_similar: false });

    expect(calls[0]?.input).toEqual({ ...args, find_similar: false });
  });

  it('is an error when its event failed, with the reason', async () => {
    const failed = { ...pending, status: 'FAILED', message: 'Nothing was stored: too many facts' };
    const { invoke } = watched(failed);

    const result = await callOn(optionsFor(invoke))('add_memory', args);

    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('Nothing was stored: too many facts');
  });

  it.each([
    ['get_event', null, 'Call get_event with event_id "event-1" to see what was stored.'],
    ['nothing', ['core'] as const, 'A search will soon find what it stores.'],
  ])('answers PENDING past its wait, and names %s', async (_, toolsets, next) => {
    const { invoke } = watched(pending);
    const call = callOn(optionsFor(invoke, { add_wait_ms: 30, toolsets }));

    const result = await call('add_memory', args);

    expect(result.isError).toBeFalsy();
    expect(dataOf(result)).toMatchObject({ status: 'PENDING', event_id: 'event-1' });
    expect(textOf(result)).toContain(next);
  });
});

/** A port that gives one answer, and keeps the options of each call. */
function watched(answer: object) {
  const options: unknown[] = [];
  const invoke: Invoke = async (_name, _input, given) => {
    options.push(given);
    return answer as never; // a script is not typed by operation
  };
  return { invoke, options };
}
