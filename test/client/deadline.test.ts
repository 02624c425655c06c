import { describe, expect, it } from 'vitest';
import { clientOf, json, memory, memoryId, type Reaction, silence } from './support.ts';

const read = ['get_memory', { memory_id: memoryId }] as const;
const add = ['add_memory', { text: 'Likes tea', user_id: 'alice' }] as const;

/** A body of which a byte comes now and then, for ever. */
const trickle: Reaction = (_, signal) => {
  let timer: NodeJS.Timeout;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(new Uint8Array([32])), 5);
      signal.addEventListener('abort', () => {
        clearInterval(timer);
        controller.error(signal.reason);
      });
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
};

describe('time', () => {
  it.each([
    ['a remote that is silent', silence],
    ['a remote that sends byte by byte', trickle],
  ])('ends the wait for %s', async (_, reaction) => {
    const { invoke, requests } = clientOf([reaction], { timeout_ms: 60 });

    await expect(invoke(...read)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/memory\.test .*60 ms/),
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['for the first key', () => new Promise<string>(() => {})],
    [
      'for another key than the one that was refused',
      (refused: string | null) =>
        refused === null ? Promise.resolve('mk_old') : new Promise<string>(() => {}),
    ],
  ])('ends the wait %s, and nothing is said to be open', async (_, api_key) => {
    const refusal = json({ detail: 'no' }, { status: 401 });
    const { invoke } = clientOf([refusal], { timeout_ms: 40, api_key });

    await expect(invoke(...add)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/key .*ms/),
      next: undefined,
    });
  });

  it('that ends during a write leaves open whether it was done', async () => {
    const { invoke, requests } = clientOf([silence], { timeout_ms: 30 });

    await expect(invoke(...add)).rejects.toMatchObject({
      next: expect.stringContaining('stored'),
    });
    expect(requests).toHaveLength(1);
  });

  it('counts for all tries together', async () => {
    let tries = 0;
    const busyThenSilent: Reaction = (sent, signal) => {
      tries += 1;
      return tries === 1 ? json({}, { status: 503 }) : silence(sent, signal);
    };
    const { invoke } = clientOf([busyThenSilent], { timeout_ms: 400, now: Date.now });

    await expect(invoke(...read)).rejects.toThrow('400 ms');
    expect(tries).toBe(2);
  });
});

describe('its caller', () => {
  it('ends a call that is under way, and with it the request', async () => {
    const ending = new AbortController();
    let given: AbortSignal | null = null;
    const { invoke } = clientOf([
      (sent, signal) => {
        given = signal;
        setImmediate(() => ending.abort(new Error('enough')));
        return silence(sent, signal);
      },
    ]);

    const call = invoke(...read, { signal: ending.signal });

    await expect(call).rejects.toThrow('enough');
    expect(given).toMatchObject({ aborted: true });
  });

  it('ends a pause between two tries', async () => {
    const ending = new AbortController();
    const { invoke, requests } = clientOf(
      [
        () => {
          setImmediate(() => ending.abort(new Error('enough')));
          return json({}, { status: 429, headers: { 'Retry-After': '20' } });
        },
      ],
      { sleep: undefined, now: Date.now },
    );

    const call = invoke(...read, { signal: ending.signal });

    await expect(call).rejects.toThrow('enough');
    expect(requests).toHaveLength(1);
  });

  it('that gave up before sends nothing', async () => {
    const { invoke, requests } = clientOf([json(memory)]);

    const call = invoke(...read, { signal: AbortSignal.abort(new Error('enough')) });

    await expect(call).rejects.toThrow('enough');
    expect(requests).toEqual([]);
  });
});
