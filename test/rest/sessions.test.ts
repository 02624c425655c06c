import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { isObject } from '../../src/contract/is-object.ts';
import { clientOf, createSessions, goodKey } from './support.ts';

const origin = 'http://localhost';
const ping = { ping: () => ({ status: 'ok', org_id: 'o', project_id: 'p', user_email: 'e' }) };

type Client = ReturnType<typeof clientOf>;

async function signIn(
  { app }: Client,
  headers: Record<string, string> = {},
  api_key: string = goodKey,
) {
  const answer = await app.request('/dashboard/session', {
    method: 'POST',
    headers: { Origin: origin, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ api_key }),
  });
  const body: unknown = answer.status === 200 ? await answer.json() : null;
  const proof = isObject(body) ? String(body.proof) : '';
  const cookie = answer.headers.get('Set-Cookie') ?? '';
  return { answer, body, proof, cookie, sent: cookie.split(';')[0] ?? '' };
}

function pingAs({ app }: Client, headers: Record<string, string>) {
  return app.request('/v1/ping/', { headers });
}

async function statusOf(client: Client, { sent, proof }: { sent: string; proof: string }) {
  return (await pingAs(client, { Cookie: sent, 'X-Mneme-Session': proof })).status;
}

describe('a session of a browser', () => {
  it('is opened by a key, which neither cookie nor body contains', async () => {
    const client = clientOf(ping);

    const { body, proof, cookie, sent } = await signIn(client);
    const answer = await pingAs(client, { Cookie: sent, 'X-Mneme-Session': proof });

    expect(answer.status).toBe(200);
    expect(cookie).toMatch(/^mneme_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; /);
    expect(cookie + JSON.stringify(body)).not.toContain(goodKey);
  });

  it.each(['', 'mk_wrong'])('is not opened by the key "%s"', async (api_key) => {
    const answer = await clientOf(ping).app.request('/dashboard/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ api_key }),
    });

    expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([
      api_key === '' ? 400 : 401,
      null,
    ]);
  });

  it('needs the proof, which a page of another port does not have', async () => {
    const client = clientOf(ping);
    const { sent } = await signIn(client);

    const answers = await Promise.all([
      pingAs(client, { Cookie: sent }),
      pingAs(client, { Cookie: sent, 'X-Mneme-Session': 'guessed' }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  it.each([
    { Origin: 'http://localhost:9999' },
    { Origin: 'https://localhost' },
    { Origin: 'chrome-extension://localhost' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ])('refuses %o', async (headers) => {
    const client = clientOf(ping);
    const { proof, sent } = await signIn(client);

    const answer = await pingAs(client, {
      Cookie: sent,
      'X-Mneme-Session': proof,
      ...(headers as Record<string, string>),
    });
    const begun = await signIn(client, headers as Record<string, string>);

    expect([answer.status, begun.answer.status]).toEqual([403, 403]);
  });

  it('ends after 12 hours', async () => {
    let now = 1_000_000;
    const client = clientOf(ping, { now: () => now });
    const session = await signIn(client);

    now += 12 * 60 * 60 * 1000 - 1;
    const last = await statusOf(client, session);
    now += 1;
    const over = await statusOf(client, session);

    expect([last, over]).toEqual([200, 401]);
  });

  it('is looked up once for many requests, and again after some seconds', async () => {
    let now = 1_000_000;
    const sessions = createSessions();
    const find = vi.spyOn(sessions, 'find');
    const client = clientOf(ping, { now: () => now, sessions });
    const session = await signIn(client);

    const requests = Array.from({ length: 20 }, () => statusOf(client, session));
    const together = await Promise.all(requests);
    const lookedUp = find.mock.calls.length;
    now += 5000;
    await statusOf(client, session);

    expect([new Set(together), lookedUp, find.mock.calls.length]).toEqual([new Set([200]), 1, 2]);
  });

  it('costs requests with a key nothing', async () => {
    const sessions = createSessions();
    const find = vi.spyOn(sessions, 'find');
    const client = clientOf(ping, { sessions });
    const { sent, proof } = await signIn(client);

    const both = { Cookie: sent, 'X-Mneme-Session': proof, 'X-API-Key': goodKey };
    const answer = await pingAs(client, both);

    expect([answer.status, find.mock.calls]).toEqual([200, []]);
  });

  it('stays ended where a request read it while it was ended', async () => {
    const sessions = createSessions();
    const client = clientOf(ping, { sessions });
    const session = await signIn(client);
    const headers = { Cookie: session.sent, 'X-Mneme-Session': session.proof };
    const { end } = sessions;
    const meanwhile: Promise<number>[] = [];
    sessions.end = async (hash) => {
      meanwhile.push(statusOf(client, session));
      await Promise.all(meanwhile);
      await end(hash);
    };

    await client.app.request('/dashboard/session', { method: 'DELETE', headers });

    expect([await Promise.all(meanwhile), await statusOf(client, session)]).toEqual([[200], 401]);
  });

  it('is refused with a reason where the store takes none', async () => {
    const start = async () => {
      throw new ApiError('unavailable', 'the store has no disk space left; free some');
    };
    const client = clientOf(ping, { sessions: { ...createSessions(), start } });

    const { answer, cookie } = await signIn(client);

    expect([answer.status, cookie]).toEqual([503, '']);
    expect(await answer.text()).toContain('no disk space left');
  });

  it('ends when the user signs out', async () => {
    const client = clientOf(ping);
    const { proof, sent } = await signIn(client);
    const headers = { Cookie: sent, 'X-Mneme-Session': proof };

    const ended = await client.app.request('/dashboard/session', { method: 'DELETE', headers });
    const answer = await pingAs(client, headers);

    expect([ended.status, answer.status]).toEqual([204, 401]);
    expect(ended.headers.get('Set-Cookie')).toContain('Max-Age=0');
  });

  it('ends when its browser signs in again', async () => {
    const client = clientOf(ping);
    const before = await signIn(client);

    const after = await signIn(client, { Cookie: before.sent });

    expect([await statusOf(client, before), await statusOf(client, after)]).toEqual([401, 200]);
  });

  it('is not ended by a request without its proof, which keeps the cookie too', async () => {
    const client = clientOf(ping);
    const session = await signIn(client);

    const answers = await Promise.all(
      [{ Cookie: session.sent }, { Cookie: session.sent, 'X-Mneme-Session': 'guessed' }, {}].map(
        (headers) => client.app.request('/dashboard/session', { method: 'DELETE', headers }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(answers.map(({ headers }) => headers.get('Set-Cookie'))).toEqual([null, null, null]);
    expect(await statusOf(client, session)).toBe(200);
  });

  it('gets a cookie for https only where a proxy says that the page came by https', async () => {
    const client = clientOf(ping, { trust_proxy: true });
    const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'mneme.example' };

    const { answer, cookie } = await signIn(client, {
      Origin: 'https://mneme.example',
      ...proxied,
    });
    const plain = await signIn(client, { Origin: 'http://mneme.example', ...proxied });

    expect(cookie).toContain('; Secure');
    expect([answer.status, plain.answer.status]).toEqual([200, 403]);
  });

  it('is worth nothing where other protocols are mounted', async () => {
    const mount = {
      path: '/mcp',
      check: () => null,
      nameOf: () => 'mcp',
      changes: () => false,
      handle: async () => new Response('reached'),
      refuse: ({ status }: { status: number }) => new Response(null, { status }),
    };
    const client = clientOf(ping, { mounts: [mount] });
    const { proof, sent } = await signIn(client);

    const answer = await client.app.request('/mcp', {
      method: 'POST',
      headers: { Cookie: sent, 'X-Mneme-Session': proof },
    });

    expect(answer.status).toBe(401);
  });
});
