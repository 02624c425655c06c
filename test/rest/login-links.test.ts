import { describe, expect, it } from 'vitest';
import { createLink, isOfferOf, type LinkRights } from '../../src/rest/auth/login-links.ts';
import { bodyOf, clientOf } from './support.ts';

const origin = 'http://localhost';
const ping = { ping: () => ({ status: 'ok', org_id: 'o', project_id: 'p', user_email: 'e' }) };
const secret = 's'.repeat(32);
const nonce = 'n'.repeat(43);
const rights: LinkRights = {
  read_only: false,
  org_id: null,
  project_id: null,
  bound_to: null,
  uid: null,
};
const own = { localAddress: '127.0.0.1', localPort: 8787 };
const local = { incoming: { socket: { remoteAddress: '127.0.0.1', remotePort: 5, ...own } } };
const elsewhere = { incoming: { socket: { remoteAddress: '10.0.0.7', ...own } } };

type Client = ReturnType<typeof clientOf>;
type Sent = { headers?: Record<string, string>; env?: object; body?: object };

function post({ app }: Client, path: string, { headers = {}, env = local, body }: Sent) {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } };
  return app.request(path, { ...init, body: JSON.stringify(body) }, env);
}

const askForOffer = (client: Client, sent: Sent = {}) =>
  post(client, '/dashboard/links', { body: { nonce }, ...sent });

async function linkOf(client: Client, changes: Partial<LinkRights> = {}, key = secret) {
  const offer = await bodyOf(askForOffer(client));
  return createLink(offer, key, { ...rights, ...changes });
}

function use(client: Client, link: string, { headers, ...sent }: Sent = {}) {
  const both = { Origin: origin, ...headers };
  return post(client, '/dashboard/session', { headers: both, body: { link }, ...sent });
}

/** What a session that a link opened may do with `ping`. */
async function pingAfter(client: Client, answer: Response) {
  const cookie = answer.headers.get('Set-Cookie')?.split(';')[0] ?? '';
  const { proof } = await bodyOf(answer);
  const headers = { Cookie: cookie, 'X-Mneme-Session': proof };
  return client.app.request('/v1/ping/', { headers });
}

describe('a one-time link', () => {
  it('opens a session of the owner of the store, without a key', async () => {
    const client = clientOf(ping);

    const answer = await use(client, await linkOf(client, { project_id: 'p' }));
    const pinged = await pingAfter(client, answer);

    expect([answer.status, pinged.status]).toEqual([200, 200]);
    expect(answer.headers.get('Set-Cookie')).toMatch(/; HttpOnly; SameSite=Strict; /);
    expect(client.calls[0]?.caller).toEqual({
      account_id: 'account-1',
      read_only: false,
      org_id: null,
      project_id: 'p',
      bound_to: null,
    });
  });

  it('limits its session to what was signed', async () => {
    const client = clientOf(ping);
    const limits = { read_only: true, org_id: 'o', bound_to: 'organization' } as const;

    const answer = await use(client, await linkOf(client, limits));
    await pingAfter(client, answer);

    expect(client.calls[0]?.caller).toMatchObject(limits);
  });

  it('works once', async () => {
    const client = clientOf(ping);
    const link = await linkOf(client);

    const answers = await Promise.all([use(client, link), use(client, link)]);
    const later = await use(client, link);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect([later.status, later.headers.get('Set-Cookie')]).toEqual([401, null]);
  });

  it.each([
    ['on the clock of the machine', { now: 60_000, elapsed: 0 }, 401],
    ['on the clock that nobody sets', { now: -3_600_000, elapsed: 60_000 }, 401],
    ['on neither clock', { now: 59_000, elapsed: 59_000 }, 200],
  ])('ends after a minute %s', async (_, passed, status) => {
    let time = { now: 0, elapsed: 0 };
    const client = clientOf(ping, {
      now: () => 1_000_000_000_000 + time.now,
      login: {
        secret: async () => secret,
        ownerId: async () => 'account-1',
        elapsed: () => time.elapsed,
      },
    });
    const link = await linkOf(client);

    time = passed;
    const answer = await use(client, link);

    expect(answer.status).toBe(status);
  });

  it('ends with the server that made the offer', async () => {
    const link = await linkOf(clientOf(ping));

    const answer = await use(clientOf(ping), link);

    expect(answer.status).toBe(401);
  });

  it('gives way to 100 newer ones', async () => {
    const client = clientOf(ping);
    const links = [];
    for (let count = 0; count <= 100; count += 1) links.push(await linkOf(client));

    const answers = [await use(client, links[0] ?? ''), await use(client, links[1] ?? '')];

    expect(answers.map(({ status }) => status)).toEqual([401, 200]);
  });

  it('is signed with the secret of the store', async () => {
    const client = clientOf(ping);
    const good = await linkOf(client);
    const [payload = '', signature = ''] = good.split('.');
    const other = JSON.stringify({ ...rights, read_only: false, challenge: 'guessed' });
    const forged = `${Buffer.from(other).toString('base64url')}.${signature}`;

    const wrong = [
      await linkOf(client, {}, 'another secret'),
      forged,
      payload,
      `${payload}.`,
      '',
      '.',
      'a.b.c',
      '🙂'.repeat(1000),
    ];
    const answers = await Promise.all(wrong.map((link) => use(client, link)));
    const last = await use(client, good);

    expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 401));
    expect(last.status).toBe(200);
  });

  it('is for this machine only', async () => {
    const client = clientOf(ping);
    const link = await linkOf(client);

    const answers = await Promise.all([
      use(client, link, { env: elsewhere }),
      use(client, link, { headers: { 'X-Forwarded-For': '10.0.0.7' } }),
      use(client, link, { headers: { Host: 'rebound.example' } }),
      use(client, link, { env: {} }),
      askForOffer(client, { env: elsewhere }),
      askForOffer(client, { headers: { Host: 'rebound.example' } }),
    ]);
    const here = await use(client, link);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    expect(here.status).toBe(200);
  });

  it.each([
    { Origin: 'http://localhost:9999' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ] as Record<string, string>[])(
    'is not taken from a page of another origin: %o',
    async (headers) => {
      const client = clientOf(ping);
      const link = await linkOf(client);

      const refused = await use(client, link, { headers });
      const own = await use(client, link);

      expect([refused.status, own.status]).toEqual([403, 200]);
    },
  );
});

describe('an offer for a link', () => {
  const request = { nonce, address: own.localAddress, port: own.localPort };

  it('shows that the server knows the secret, at the address where it was asked', async () => {
    const offer = await bodyOf(askForOffer(clientOf(ping)));

    expect(isOfferOf(offer, secret, request)).toBe(true);
    expect(isOfferOf(offer, 'another secret', request)).toBe(false);
    expect(isOfferOf(offer, secret, { ...request, port: 8788 })).toBe(false);
    expect(isOfferOf(offer, secret, { ...request, nonce: 'm'.repeat(43) })).toBe(false);
    expect(isOfferOf({ ...offer, challenge: 'other' }, secret, request)).toBe(false);
  });

  it('is not made for a web page, even of this server', async () => {
    const answer = await askForOffer(clientOf(ping), { headers: { Origin: origin } });

    expect(answer.status).toBe(403);
  });

  it.each([undefined, 7, '', 'short', `${'n'.repeat(43)} `])(
    'refuses the nonce %s',
    async (bad) => {
      const answer = await askForOffer(clientOf(ping), { body: { nonce: bad } });

      expect(answer.status).toBe(400);
      expect(await bodyOf(answer)).toHaveProperty('errors.nonce');
    },
  );
});
