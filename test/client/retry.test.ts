import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import {
  apiKey,
  broken,
  clientOf,
  json,
  memory,
  memoryId,
  mneme,
  type Reaction,
} from './support.ts';

const read = ['get_memory', { memory_id: memoryId }] as const;
const search = ['search_memories', { query: 'tea', user_id: 'alice' }] as const;
const add = ['add_memory', { text: 'Likes tea', user_id: 'alice' }] as const;
const remove = ['delete_memory', { memory_id: memoryId }] as const;
const update = ['update_memory', { memory_id: memoryId, text: 'Likes coffee' }] as const;

const found = json(memory);
const added = json([{ id: memoryId, event: 'ADD', data: { memory: 'Likes tea' } }]);
const reset = broken('ECONNRESET');
const busy = (status: number, headers = {}) => json({ detail: 'busy' }, { status, headers });
const keysOf = (requests: { headers: Record<string, string> }[]) =>
  requests.map(({ headers }) => headers['Idempotency-Key']);

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    (answer) => Error(`answered ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw error;
}

describe('what only reads', () => {
  it.each<[string, Reaction | Response]>([
    ['a reset', reset],
    ['a refused connection', broken('ECONNREFUSED')],
    ['a name that can not be resolved now', broken('EAI_AGAIN')],
    ['silence of the socket', broken('UND_ERR_HEADERS_TIMEOUT')],
    ...[408, 425, 429, 500, 502, 503, 504].map((status): [string, Response] => [
      String(status),
      busy(status),
    ]),
  ])('is asked again after %s', async (_, trouble) => {
    const { invoke, requests, waits } = clientOf([trouble, trouble, found]);

    expect(await invoke(...read)).toMatchObject(memory);
    expect(requests).toHaveLength(3);
    expect(waits).toEqual([125, 250]);
  });

  it('is asked again as a POST too', async () => {
    const { invoke, requests } = clientOf([json({}, { status: 404 }), reset, json([])]);

    expect(await invoke(...search)).toEqual({ results: [] });
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST']);
    expect(keysOf(requests)).toEqual([undefined, undefined, undefined]);
  });

  it('is given up after four tries', async () => {
    const { invoke, requests, waits } = clientOf([busy(502)]);

    const { code, message } = await failureOf(invoke(...read));

    expect({ code, message }).toEqual({
      code: 'unavailable',
      message: expect.stringMatching(/memory\.test .*502$/),
    });
    expect(requests).toHaveLength(4);
    expect(waits).toEqual([125, 250, 500]);
  });

  it.each([400, 401, 403, 404, 409, 413])('is not asked again after %i', async (status) => {
    const { invoke, requests } = clientOf([busy(status)]);

    await failureOf(invoke(...read));

    expect(requests).toHaveLength(1);
  });

  it.each(['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
    'is not asked again after %s',
    async (code) => {
      const { invoke, requests } = clientOf([broken(code)]);

      await failureOf(invoke(...read));

      expect(requests).toHaveLength(1);
    },
  );

  it('waits as long as the remote asks for, and a little', async () => {
    const date = new Date('2026-03-14T09:27:03.000Z').toUTCString();
    const { invoke, waits } = clientOf([
      busy(429, { 'Retry-After': '3' }),
      busy(503, { 'Retry-After': date }),
      found,
    ]);

    await invoke(...read);

    // From three seconds on and 125 ms later, that date is 6,875 ms away.
    expect(waits).toEqual([3125, 6875 + 250]);
  });

  it('says when to try again instead of waiting longer than it may', async () => {
    const { invoke, requests } = clientOf([busy(429, { 'Retry-After': '120' })]);

    const error = await failureOf(invoke(...read));

    expect(error).toMatchObject({ code: 'rate_limited', next: 'Try again in 120 seconds.' });
    expect(requests).toHaveLength(1);
  });

  it('takes a Retry-After that is none for nothing', async () => {
    const { invoke, waits } = clientOf([busy(429, { 'Retry-After': 'soon' }), found]);

    await invoke(...read);

    expect(waits).toEqual([125]);
  });
});

describe('a write', () => {
  it.each<[string, Reaction | Response]>([
    ['a refused connection', broken('ECONNREFUSED')],
    ['429', busy(429)],
    ['503 with Retry-After', busy(503, { 'Retry-After': '1' })],
  ])('is sent again after %s, which says that nothing was done', async (_, trouble) => {
    const { invoke, requests } = clientOf([trouble, added]);

    await invoke(...add);

    expect(requests).toHaveLength(2);
  });

  it.each<[string, Reaction | Response]>([
    ['a reset', reset],
    ['502', busy(502)],
    ['503', busy(503)],
    ['504', busy(504)],
  ])('is not sent again after %s to a server that knows no keys', async (_, trouble) => {
    const { invoke, requests } = clientOf([trouble, busy(404), added]);

    const { code, next } = await failureOf(invoke(...add));

    expect(code).toBe('unavailable');
    expect(next).toMatch(/may have been carried out: check what is stored before you repeat it/);
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('is sent again after a reset, with the same key, to one that keeps keys', async () => {
    const pong = json({ status: 'ok' }, { headers: mneme });
    const { invoke, requests } = clientOf([reset, pong, reset, added]);

    await invoke(...add);

    const writes = requests.filter(({ path }) => path === '/v1/memories/');
    const [key] = keysOf(writes);
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(keysOf(writes)).toEqual([key, key, key]);
    expect(requests[1]).toMatchObject({ method: 'GET', path: '/v1/ping/' });
  });

  it('is known to be safe there from any answer before', async () => {
    const known = json(memory, { headers: mneme });
    const { invoke, requests } = clientOf([known, reset, added]);
    await invoke(...read);

    await invoke(...add);

    expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST']);
  });

  it('has another key for each call', async () => {
    const { invoke, requests } = clientOf([added]);

    await invoke(...add);
    await invoke(...add);

    expect(new Set(keysOf(requests)).size).toBe(2);
  });

  it('is not sent again after 500, wherever', async () => {
    const failed = json({ message: 'internal error' }, { status: 500, headers: mneme });
    const { invoke, requests } = clientOf([failed, added]);

    expect(await failureOf(invoke(...add))).toMatchObject({ code: 'unavailable' });
    expect(requests).toHaveLength(1);
  });

  it('waits for a first request with its key that is still at work', async () => {
    const working = json({ detail: 'x' }, { status: 409, headers: { 'Retry-After': '1' } });
    const { invoke, requests } = clientOf([working, working, added]);

    await invoke(...add);

    expect(requests).toHaveLength(3);
  });

  it('that changes one memory is sent again like any other', async () => {
    const { invoke, requests } = clientOf([reset, busy(404), json(memory)]);

    await failureOf(invoke(...update));

    expect(requests.map(({ method }) => method)).toEqual(['PUT', 'GET']);
  });
});

describe('a delete', () => {
  it('is sent again: in the end it is the same', async () => {
    const { invoke, requests } = clientOf([reset, new Response(null, { status: 204 })]);

    expect(await invoke(...remove)).toMatchObject({ message: expect.any(String) });
    expect(requests.map(({ method }) => method)).toEqual(['DELETE', 'DELETE']);
  });

  it('says what a 404 may mean after a try that was cut off', async () => {
    const { invoke } = clientOf([reset, json({ message: 'Memory not found!' }, { status: 404 })]);

    const { code, message } = await failureOf(invoke(...remove));

    expect(code).toBe('not_found');
    expect(message).toMatch(/^Memory not found! .*earlier/);
  });
});

describe('a key', () => {
  it('that a source gives is asked for anew when it was refused', async () => {
    const refused: (string | null)[] = [];
    const api_key = async (last: string | null) => {
      refused.push(last);
      return refused.includes('old') ? 'new' : 'old';
    };
    const { invoke, requests } = clientOf([busy(401), added], { api_key });

    await invoke(...add);

    expect(requests.map(({ headers }) => headers.Authorization)).toEqual([
      'Token old',
      'Token new',
    ]);
    expect(refused).toEqual([null, 'old', null]);
  });

  it('that stays refused is refused once', async () => {
    const { invoke, requests } = clientOf([busy(401)], { api_key: async () => 'same' });

    expect(await failureOf(invoke(...read))).toMatchObject({
      code: 'unauthorized',
      message: expect.stringMatching(/memory\.test .*key/),
      next: expect.stringContaining('MNEME_API_KEY'),
    });
    expect(requests).toHaveLength(1);
  });

  it('never stands in what is logged or thrown', async () => {
    const logged: unknown[] = [];
    const { invoke } = clientOf([reset, busy(502), reset, busy(401)], {
      log: (...line) => logged.push(line),
    });

    const error = await failureOf(invoke(...read));

    expect(logged).toHaveLength(3);
    expect(JSON.stringify([logged, error, error.message, error.stack])).not.toContain(apiKey);
  });

  it.each(['', 'two words', 'ümlaut', 'line\nbreak'])('can not be %j', async (api_key) => {
    const { invoke, requests } = clientOf([found], { api_key });

    const error = await failureOf(invoke(...read));

    expect(error).toMatchObject({ code: 'invalid' });
    expect(api_key === '' || !error.message.includes(api_key)).toBe(true);
    expect(requests).toEqual([]);
  });
});
