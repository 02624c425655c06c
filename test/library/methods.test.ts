import { describe, expect, it } from 'vitest';
import { createMethods, type RunOperation } from '../../src/client/create-methods.ts';
import { allOf } from './support.ts';

type Call = { name: string; input: Readonly<Record<string, unknown>>; signal?: AbortSignal };

/** Methods over answers that a test writes down; the last one is repeated. */
function scripted(...answers: unknown[]) {
  const calls: Call[] = [];
  const run: RunOperation = async (name, input, options) => {
    calls.push({ name, input, ...options });
    const answer = answers[Math.min(calls.length, answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { methods: createMethods(run), calls };
}

function page(number: number, ...results: string[]) {
  return { results, total: 5, page: number, page_size: 2 };
}

describe('a method', () => {
  it('carries out the operation of its name with the input as it is', async () => {
    const { methods, calls } = scripted({ id: 'm1' });

    const answer = await methods.getMemory({ memory_id: 'm1' });

    expect(answer).toEqual({ id: 'm1' });
    expect(calls).toEqual([{ name: 'get_memory', input: { memory_id: 'm1' } }]);
  });

  it('passes the signal on', async () => {
    const { methods, calls } = scripted({ results: [] });
    const { signal } = new AbortController();

    await methods.searchMemories({ query: 'tea' }, { signal });

    expect(calls[0]?.signal).toBe(signal);
  });

  it('needs no this, and no input where every field is optional', async () => {
    const { methods, calls } = scripted({ status: 'ok' });
    const { ping } = methods;

    await ping();

    expect(calls).toEqual([{ name: 'ping', input: {} }]);
  });
});

describe('a list', () => {
  it('answers one page when it is awaited', async () => {
    const { methods, calls } = scripted(page(1, 'a', 'b'));

    const answer = await methods.getMemories({ user_id: 'ada' });

    expect(answer).toEqual(page(1, 'a', 'b'));
    expect(calls).toEqual([{ name: 'get_memories', input: { user_id: 'ada' } }]);
  });

  it('goes through all pages when it is iterated over', async () => {
    const { methods, calls } = scripted(page(1, 'a', 'b'), page(2, 'c', 'd'), page(3, 'e'));

    const items = await allOf(methods.getMemories({ page_size: 2 }));

    expect(items).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(calls.map(({ input }) => input)).toEqual([
      { page_size: 2 },
      { page_size: 2, page: 2 },
      { page_size: 2, page: 3 },
    ]);
  });

  it('begins at the page that was asked for', async () => {
    const { methods } = scripted(page(2, 'c', 'd'), page(3, 'e'));

    expect(await allOf(methods.listEvents({ page: 2 }))).toEqual(['c', 'd', 'e']);
  });

  it('reads no page before it is needed', async () => {
    const { methods, calls } = scripted(page(1, 'a', 'b'), page(2, 'c', 'd'));

    for await (const _ of methods.listEntities()) break;

    expect(calls).toHaveLength(1);
  });

  it('ends where a page is empty, whatever the total says', async () => {
    const { methods, calls } = scripted(page(1, 'a', 'b'), page(2));

    expect(await allOf(methods.getMemories())).toEqual(['a', 'b']);
    expect(calls).toHaveLength(2);
  });

  it('fails with the page that can not be read', async () => {
    const { methods } = scripted(page(1, 'a', 'b'), new Error('away'));
    const seen: unknown[] = [];

    const reading = (async () => {
      for await (const item of methods.getMemories()) seen.push(item);
    })();

    await expect(reading).rejects.toThrow('away');
    expect(seen).toEqual(['a', 'b']);
  });
});

describe('waitForEvent', () => {
  const pending = { id: 'e1', status: 'PENDING' };
  const running = { id: 'e1', status: 'RUNNING' };

  it('looks until the event is done, and answers it', async () => {
    const { methods, calls } = scripted(pending, running, { id: 'e1', status: 'SUCCEEDED' });

    const event = await methods.waitForEvent('e1', { project_id: 'garden' });

    expect(event.status).toBe('SUCCEEDED');
    expect(calls.map(({ name, input }) => ({ name, input }))).toEqual(
      [1, 2, 3].map(() => ({ name: 'get_event', input: { event_id: 'e1', project_id: 'garden' } })),
    );
  });

  it('answers a failed one too', async () => {
    const { methods } = scripted({ id: 'e1', status: 'FAILED', error: 'no model' });

    expect(await methods.waitForEvent('e1')).toMatchObject({ status: 'FAILED', error: 'no model' });
  });

  it('says in which state it was left when the time is over', async () => {
    const { methods } = scripted(running);

    await expect(methods.waitForEvent('e1', { timeout_ms: 60 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/e1 .*RUNNING.*60 ms/),
    });
  });

  it('ends with the signal of its caller, for the reason of its caller', async () => {
    const { methods } = scripted(pending);
    const ending = new AbortController();

    const waiting = methods.waitForEvent('e1', { signal: ending.signal });
    ending.abort(new Error('the user left'));

    await expect(waiting).rejects.toThrow('the user left');
  });

  it('fails as the look at the event fails', async () => {
    const { methods } = scripted(new Error('event not found'));

    await expect(methods.waitForEvent('e1')).rejects.toThrow('event not found');
  });
});
