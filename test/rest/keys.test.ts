import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/contract.ts';
import { id } from './sample-outputs.ts';
import { bodyOf, caller, clientOf, goodKey } from './support.ts';

const path = `/v1/memories/${id}/`;
const script = { get_memory: () => ({ id }) };

async function statusWith(headers: Record<string, string>): Promise<number> {
  const { app } = clientOf(script);
  return (await app.request(path, { headers })).status;
}

describe('a key', () => {
  it.each([
    { Authorization: `Token ${goodKey}` },
    { Authorization: `token  ${goodKey}` },
    { Authorization: `Bearer ${goodKey}` },
    { 'X-API-Key': goodKey },
  ])('is taken as %j', async (headers) => {
    expect(await statusWith(headers as Record<string, string>)).toBe(200);
  });

  it.each([
    {},
    { Authorization: goodKey },
    { Authorization: `Basic ${goodKey}` },
    { Authorization: 'Token' },
    { Authorization: 'Token mk_bad' },
    { 'X-API-Key': 'mk_bad' },
    { 'X-API-Key': '' },
  ])('that is none or unknown is a 401: %j', async (headers) => {
    expect(await statusWith(headers as Record<string, string>)).toBe(401);
  });

  it('that is refused is answered as published, with how to send one', async () => {
    const answer = await clientOf(script).app.request('/v1/ping/');

    expect(answer.headers.get('WWW-Authenticate')).toContain('Token');
    expect(await bodyOf(answer)).toEqual({
      detail: 'Authentication credentials were not provided.',
      message: expect.any(String),
      error: expect.any(String),
    });
  });

  it('is asked for before the body is read', async () => {
    const { app } = clientOf({});

    const answer = await app.request('/v1/memories/', { method: 'POST', body: '{"broken' });

    expect(answer.status).toBe(401);
  });

  it('decides who calls', async () => {
    const bound: Caller = { ...caller, project_id: 'p', bound_to: 'project', read_only: true };
    const authenticate = async () => ({ caller: bound, key_id: 'k', rate_key: 'k' });
    const { send, calls } = clientOf(script, { authenticate });

    await send('GET', path);

    expect(calls[0]?.caller).toEqual(bound);
  });

  it('is looked up once in a while, and refused within five seconds of its end', async () => {
    let time = 0;
    let valid = true;
    let looked = 0;
    const authenticate = async () => {
      looked += 1;
      return valid ? { caller, key_id: 'k', rate_key: 'k' } : null;
    };
    const { send } = clientOf(script, { authenticate, now: () => time });

    await send('GET', path);
    await send('GET', path);
    valid = false;
    time = 5000;
    const after = await send('GET', path);

    expect(looked).toBe(2);
    expect(after.status).toBe(401);
  });

  it('that is refused is looked up again, because it may be made meanwhile', async () => {
    let valid = false;
    const authenticate = async () => (valid ? { caller, key_id: 'k', rate_key: 'k' } : null);
    const { send } = clientOf(script, { authenticate });

    const before = await send('GET', path);
    valid = true;
    const after = await send('GET', path);

    expect([before.status, after.status]).toEqual([401, 200]);
  });
});

describe('a rate limit', () => {
  it('refuses what comes too often, and says when to go on', async () => {
    let time = 1_000_000;
    const { send } = clientOf(script, { rate_limit: 2, now: () => time });

    const first = await send('GET', path);
    await send('GET', path);
    const third = await send('GET', path);
    time += 60_000;
    const later = await send('GET', path);

    expect(first.headers.get('X-RateLimit-Limit')).toBe('2');
    expect(first.headers.get('X-RateLimit-Remaining')).toBe('1');
    expect(third.status).toBe(429);
    expect(third.headers.get('Retry-After')).toBe('60');
    expect(third.headers.get('X-RateLimit-Remaining')).toBe('0');
    expect(third.headers.get('X-RateLimit-Reset')).toBe('1060');
    expect((await bodyOf(third)).message).toContain('2 requests a minute');
    expect(later.status).toBe(200);
  });

  it('counts each key for itself', async () => {
    const authenticate = async (token: string) => ({ caller, key_id: token, rate_key: token });
    const { send } = clientOf(script, { rate_limit: 1, authenticate });

    const answers = ['a', 'b', 'a'].map((key) =>
      send('GET', path, { headers: { Authorization: `Token ${key}` } }),
    );

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  it('is none when it is 0', async () => {
    const { send } = clientOf(script);

    expect((await send('GET', path)).headers.get('X-RateLimit-Limit')).toBeNull();
  });
});
