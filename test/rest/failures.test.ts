import { describe, expect, it } from 'vitest';
import { ApiError, type ErrorCode, errorStatus } from '../../src/contract/errors.ts';
import { id } from './sample-outputs.ts';
import { bodyOf, clientOf } from './support.ts';

const path = `/v1/memories/${id}/`;

function failing(error: unknown, log = () => {}) {
  const script = {
    get_memory: () => {
      throw error;
    },
  };
  return clientOf(script, { log }).send('GET', path);
}

const refusals = Object.entries(errorStatus).filter(([code]) => code !== 'internal');

describe('a refusal', () => {
  it.each(refusals)('%s is a %i with its text under every key', async (code, status) => {
    const answer = await failing(new ApiError(code as ErrorCode, 'this is why'));

    expect(answer.status).toBe(status);
    expect(await bodyOf(answer)).toEqual({
      message: 'this is why',
      error: 'this is why',
      detail: 'this is why',
    });
  });

  it('names the fields that are wrong', async () => {
    const fields = { name: ['is required: a string'] };

    const answer = await failing(new ApiError('invalid', 'name is required', { fields }));

    expect(await bodyOf(answer)).toMatchObject({ errors: fields });
  });

  it('says when to try again where that helps', async () => {
    const answer = await failing(new ApiError('unavailable', 'the store is busy'));

    expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
  });

  it('is the same for an unknown id and for one of another tenant', async () => {
    const unknown = await failing(new ApiError('not_found', 'memory not found'));
    const hidden = await failing(new ApiError('not_found', 'memory not found'));

    expect(hidden.status).toBe(unknown.status);
    expect(await hidden.text()).toBe(await unknown.text());
  });
});

describe('a bug', () => {
  const bugs = [
    new Error('SQLITE_CORRUPT: secret text of a driver'),
    new ApiError('internal', 'secret text of a driver'),
    'secret text of a driver',
  ];

  it.each(bugs)('is a 500 that tells the caller only which request it was', async (bug) => {
    const answer = await failing(bug);

    expect(answer.status).toBe(500);
    expect(await bodyOf(answer)).toEqual({
      message: 'internal error',
      error: 'internal error',
      detail: 'internal error',
      request_id: answer.headers.get('X-Request-ID'),
    });
  });

  it('is told to the operator in full', async () => {
    const lines: unknown[] = [];
    const bug = new Error('the reason');

    const script = {
      get_memory: () => {
        throw bug;
      },
    };
    const log = (level: string, message: string, fields?: object) =>
      lines.push([level, message, fields]);
    const answer = await clientOf(script, { log }).send('GET', path);

    const request_id = answer.headers.get('X-Request-ID');
    expect(lines).toEqual([
      ['error', 'request failed', { request_id, error: bug, stack: bug.stack }],
    ]);
  });

  it('while a key is looked up is a 500 too', async () => {
    const authenticate = async () => {
      throw new Error('the store is gone');
    };

    const answer = await clientOf({}, { authenticate }).send('GET', path);

    expect(answer.status).toBe(500);
    expect(JSON.stringify(await bodyOf(answer))).not.toContain('gone');
  });
});
