import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import type { IdempotencyStore } from '../../src/contract/http-binding.ts';
import { createDeferred } from '../support/deferred.ts';
import { eventually } from '../support/eventually.ts';
import * as sample from './sample-outputs.ts';
import { bodyOf, caller, clientOf, createAnswers } from './support.ts';

const headers = { 'Idempotency-Key': 'order-1' };
const body = { messages: 'I like tea', user_id: 'alice' };

/** An add whose answer tells how often it was carried out. */
function counting(changes: Parameters<typeof clientOf>[1] = {}) {
  let count = 0;
  const script = {
    add_memory: () => {
      count += 1;
      return { ...sample.pending, message: `add ${count}` };
    },
  };
  return clientOf(script, changes);
}

describe('a repeated Idempotency-Key', () => {
  it('gets the ids and statuses of the first answer, without text', async () => {
    const { send, calls } = counting();
    const { status, event_id } = sample.pending;

    const first = await send('POST', '/v1/memories/', { headers, body });
    const second = await send('POST', '/v1/memories/', { headers, body });

    expect(await first.text()).toContain('add 1');
    expect(await bodyOf(second)).toEqual([
      { message: expect.stringMatching('^Already carried out'), status, event_id },
    ]);
    expect(second.status).toBe(200);
    expect(second.headers.get('Content-Type')).toBe('application/json');
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect(calls).toHaveLength(1);
  });

  it('with another body, path or method is a 409', async () => {
    const { send } = counting();
    await send('POST', '/v1/memories/', { headers, body });

    const other = await send('POST', '/v1/memories/', { headers, body: { ...body, infer: false } });
    const path = await send('POST', '/v3/memories/add/', { headers, body });

    expect([other.status, path.status]).toEqual([409, 409]);
    expect((await bodyOf(other)).message).toContain('Idempotency-Key');
  });

  it('of another caller is another key', async () => {
    const authenticate = async (token: string) => ({ caller, key_id: token, rate_key: token });
    const { send, calls } = counting({ authenticate });

    for (const key of ['a', 'b']) {
      const own = { ...headers, Authorization: `Token ${key}` };
      await send('POST', '/v1/memories/', { headers: own, body });
    }

    expect(calls).toHaveLength(2);
  });

  it('waits for the first request while that is worked on', async () => {
    const { promise, resolve } = createDeferred();
    const answers = createAnswers();
    const reserve = vi.fn(answers.reserve);
    const add_memory = async () => {
      await promise;
      return sample.pending;
    };
    const { send, calls } = clientOf({ add_memory }, { answers: { ...answers, reserve } });

    const first = send('POST', '/v1/memories/', { headers, body });
    const second = send('POST', '/v1/memories/', { headers, body });
    // Each has asked, and one of them has asked again.
    await eventually(() => expect(reserve.mock.calls.length).toBeGreaterThan(2));
    resolve();

    expect((await first).headers.get('Idempotency-Replayed')).toBeNull();
    expect((await second).headers.get('Idempotency-Replayed')).toBe('true');
    expect(calls).toHaveLength(1);
  });

  it('is refused with a time to come back when that takes long', async () => {
    let time = 0;
    const { promise, resolve } = createDeferred();
    const { send } = clientOf(
      {
        add_memory: async () => {
          await promise;
          return sample.pending;
        },
      },
      {
        now: () => {
          time += 3000;
          return time;
        },
      },
    );

    const first = send('POST', '/v1/memories/', { headers, body });
    const second = await send('POST', '/v1/memories/', { headers, body });
    resolve();
    await first;

    expect(second.status).toBe(409);
    expect(second.headers.get('Retry-After')).toBe('1');
  });

  it('tries again after a refusal and after a bug', async () => {
    const errors = [new ApiError('not_found', 'no such project'), new Error('a bug')];
    for (const error of errors) {
      const { send, calls } = clientOf({
        add_memory: () => {
          throw error;
        },
      });

      await send('POST', '/v1/memories/', { headers, body });
      await send('POST', '/v1/memories/', { headers, body });

      expect(calls).toHaveLength(2);
    }
  });

  it('is forgotten after a day, and when its process died', async () => {
    let time = Date.parse('2026-01-01');
    const answers = createAnswers();
    const { send, calls } = counting({ answers, now: () => time });
    await send('POST', '/v1/memories/', { headers, body });

    time += 25 * 3600_000;
    await send('POST', '/v1/memories/', { headers, body });
    for (const [key, answer] of answers.kept) answers.kept.set(key, { ...answer, status: null });
    time += 10 * 60_000;
    await send('POST', '/v1/memories/', { headers, body });

    expect(calls).toHaveLength(3);
  });

  it('whose answer was lost after something was written is never carried out again', async () => {
    let time = Date.parse('2026-01-01');
    const answers = createAnswers();
    const runIdempotent: IdempotencyStore['runIdempotent'] = async (
      { reserved, placeholder },
      run,
    ) => {
      await answers.complete(reserved.id, placeholder);
      await run();
      throw new ApiError('unavailable', 'the store cannot be reached; try again later');
    };
    const lost = { ...answers, runIdempotent };
    const { send, calls } = counting({ answers: lost, now: () => (time += 2000) });

    const statuses: number[] = [];
    const texts: unknown[] = [];
    for (const pause of [0, 0, 10 * 60_000]) {
      time += pause;
      const answer = await send('POST', '/v1/memories/', { headers, body });
      statuses.push(answer.status);
      texts.push((await bodyOf(answer)).message);
    }

    expect(statuses).toEqual([503, 409, 409]);
    expect(texts[1]).toContain('still in progress');
    expect(texts[2]).toContain('was carried out, at least in part, but its response was lost');
    expect(calls).toHaveLength(1);
  });

  it('that cannot be kept is answered nevertheless, and told to the operator', async () => {
    const log = vi.fn();
    const answers = createAnswers();
    const complete = async () => {
      throw new Error('no connection');
    };
    const { send, calls } = counting({ answers: { ...answers, complete }, log });

    const first = await send('POST', '/v1/memories/', { headers, body });

    expect(first.status).toBe(200);
    expect(calls).toHaveLength(1);
    expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('Idempotency-Key'), {
      error: 'no connection',
    });
    expect(answers.kept.size).toBe(1);
  });

  it('counts for what changes things only', async () => {
    const { send, calls } = clientOf({
      update_memory: () => ({ id: sample.id }),
      delete_memory: () => ({ message: 'gone', deleted: 1 }),
      get_memory: () => ({ id: sample.id }),
    });
    const path = `/v1/memories/${sample.id}/`;

    for (const method of ['PUT', 'PUT', 'GET', 'GET']) {
      await send(method, path, { headers, ...(method === 'PUT' && { body: { text: 'x' } }) });
    }
    for (const _ of 'ab') await send('DELETE', path, { headers: { 'Idempotency-Key': 'other' } });

    const names = ['update_memory', 'get_memory', 'get_memory', 'delete_memory'];
    expect(calls.map(({ name }) => name)).toEqual(names);
  });

  it('must be short enough to be kept', async () => {
    const { send } = counting();

    const long = { 'Idempotency-Key': 'x'.repeat(300) };

    expect((await send('POST', '/v1/memories/', { headers: long, body })).status).toBe(400);
  });
});
