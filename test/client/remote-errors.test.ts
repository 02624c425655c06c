import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { broken, clientOf, json, memoryId } from './support.ts';

const read = ['get_memory', { memory_id: memoryId }] as const;
const host = 'the remote at memory.test';

async function refusalOf(answer: Response): Promise<ApiError> {
  const { invoke } = clientOf([answer], { tries_max: 1 });
  const error = await invoke(...read).catch((reason: unknown) => reason);
  if (error instanceof ApiError) return error;
  throw new Error(`no refusal: ${JSON.stringify(error)}`);
}

describe('the words of a refusal', () => {
  it.each<[string, unknown, string]>([
    ['message', { message: 'No such memory' }, 'No such memory'],
    ['detail', { detail: 'No such memory' }, 'No such memory'],
    ['error', { error: 'No such memory' }, 'No such memory'],
    ['all three', { message: 'a', error: 'b', detail: 'c' }, 'a'],
    ['errors by field', { errors: { name: ['is required'] } }, 'name: is required'],
    ['fields alone', { user_id: ['is required', 'is empty'] }, 'user_id: is required; is empty'],
    [
      'a list of places',
      { detail: [{ loc: ['body', 'text'], msg: 'field required', type: 'x' }] },
      'body.text: field required',
    ],
    ['an error in an object', { error: { message: 'Too long' } }, 'message: Too long'],
    ['nothing', {}, `${host} refused this with status 400`],
    ['a number', { message: 7 }, `${host} refused this with status 400`],
    [
      'nesting without an end',
      { message: [[[[['deep']]]]] },
      `${host} refused this with status 400`,
    ],
  ])('stand under %s', async (_, body, expected) => {
    const { code, message } = await refusalOf(json(body, { status: 400 }));

    expect({ code, message }).toEqual({ code: 'invalid', message: expected });
  });

  it('name the fields', async () => {
    const body = { message: 'wrong', errors: { text: ['is too long'], 'a.b': 'is odd' } };

    const { fields } = await refusalOf(json(body, { status: 400 }));

    expect(fields).toEqual({ text: ['is too long'], 'a.b': ['is odd'] });
  });

  it('are short, on one line and hide nothing', async () => {
    const text = `one\n\ttwo\u0000\u202E three\u{E0041} ${'x'.repeat(10_000)}`;

    const { message } = await refusalOf(json({ message: text }, { status: 400 }));

    expect(message).toMatch(/^one two three x+…$/);
    expect(message).toHaveLength(501);
  });

  it.each([
    [400, 'invalid'],
    [402, 'forbidden'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'conflict'],
    [413, 'too_large'],
    [415, 'invalid'],
    [422, 'invalid'],
    [429, 'rate_limited'],
  ])('of status %i are passed on as %s', async (status, code) => {
    expect(await refusalOf(json({ detail: 'so' }, { status }))).toMatchObject({
      code,
      message: 'so',
    });
  });
});

describe('a server in trouble', () => {
  it.each([500, 502, 503, 504, 599])('that answers %i is not quoted', async (status) => {
    const secret = 'psycopg2.OperationalError: password=hunter2';

    const { code, message } = await refusalOf(json({ message: secret }, { status }));

    expect({ code, message }).toEqual({
      code: 'unavailable',
      message: expect.stringMatching(new RegExp(`memory\\.test .*${status}$`)),
    });
  });

  it('that shows a page of HTML is not quoted either', async () => {
    const page = new Response('<html>502 at 10.0.0.7</html>', { status: 502 });

    expect((await refusalOf(page)).message).toMatch(/memory\.test .*502$/);
  });
});

describe('a wrong address', () => {
  it.each([
    ['404 with a page', new Response('<h1>Not Found</h1>', { status: 404 }), 'not_found'],
    ['405', json({ detail: 'Method "GET" not allowed.' }, { status: 405 }), 'unavailable'],
    ['501', new Response('', { status: 501 }), 'unavailable'],
  ])('shows by %s', async (_, answer, code) => {
    expect(await refusalOf(answer)).toMatchObject({
      code,
      message: expect.stringContaining('path'),
      next: expect.stringContaining('base_url'),
    });
  });

  it.each([301, 302, 307, 308])(
    'shows by %i, which is not followed with the key',
    async (status) => {
      const headers = { Location: 'https://elsewhere.test/' };

      expect(await refusalOf(json({}, { status, headers }))).toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('another address'),
        next: expect.stringContaining('base_url'),
      });
    },
  );

  it.each([
    ['a page', new Response('<html>welcome</html>')],
    ['half of an answer', new Response('{"id": "0195')],
    ['text', new Response('ok')],
  ])('shows by %s in place of JSON', async (_, answer) => {
    expect(await refusalOf(answer)).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/JSON.*base_url/),
    });
  });

  it.each<[string, unknown, string]>([
    ['another object', { hello: 'world' }, 'it is not an object with id, memory, user_id'],
    ['a list', [], 'it is not an object'],
    ['text', 'fine', 'it is not an object'],
    ['a field of another type', { id: memoryId, memory: { text: 'x' } }, 'memory is not text'],
  ])('shows by %s', async (_, body, problem) => {
    expect(await refusalOf(json(body))).toMatchObject({
      code: 'unavailable',
      message: `${host} gave an answer to get_memory that can't be read: ${problem}`,
    });
  });
});

describe('a connection that fails', () => {
  it.each([
    ['ENOTFOUND', 'base_url'],
    ['EAI_AGAIN', 'resolved'],
    ['ECONNREFUSED', 'refused'],
    ['EHOSTUNREACH', 'reached'],
    ['UND_ERR_CONNECT_TIMEOUT', 'reached'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS'],
    ['UND_ERR_BODY_TIMEOUT', 'stopped'],
    ['ECONNRESET', 'closed'],
    ['EWHATEVER', 'closed'],
  ])('by %s is explained', async (code, words) => {
    const { invoke } = clientOf([broken(code)], { tries_max: 1 });

    await expect(invoke(...read)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(new RegExp(`^${host} .*${words}`)),
    });
  });

  it('without a reason, as in a browser, is explained too', async () => {
    const { invoke } = clientOf([() => new TypeError('Failed to fetch')], { tries_max: 1 });

    await expect(invoke(...read)).rejects.toThrow('closed');
  });
});

it.each(['ftp://host', 'host:8787', 'https://me:secret@host', 'https://host/?a=b', ''])(
  'an address is not %j',
  (base_url) => {
    expect(() => clientOf([], { base_url })).toThrow(/address/);
  },
);
