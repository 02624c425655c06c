import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  accept,
  fail,
  hang,
  hangUp,
  type Received,
  type Receiver,
  redirect,
  startReceiver,
} from '../support/webhook-receiver.ts';
import { addVerbatim } from './load.ts';
import { type Body, listOf, type Service, startService, until } from './service.ts';
import { makeFolder } from './support.ts';

const timeoutMs = 300;
const env = { MNEME_WEBHOOK_TIMEOUT_MS: String(timeoutMs), MNEME_WEBHOOK_ALLOW_HTTP: 'true' };
const open = { ...env, MNEME_WEBHOOK_ALLOW_PRIVATE: 'true' };

async function start(settings: Record<string, string> = open): Promise<Service> {
  return startService({ data_dir: await makeFolder(), env: settings });
}

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  return receiver;
}

async function subscribe({ send }: Service, body: object): Promise<Body> {
  const answer = await send('POST', '/v1/webhooks/', { body });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function logOf({ send }: Service, { webhook_id }: Body): Promise<Body[]> {
  return listOf(await send('GET', `/api/v1/webhooks/${webhook_id}/deliveries/`));
}

function textOf({ body }: Received): string {
  return JSON.parse(body).event_details.data.memory;
}

const texts = ['Version 1', 'Version 2', 'Version 3'];

const misbehaviours = [
  [hang, `no response within ${timeoutMs} ms`],
  [fail, 'answered 500'],
  [redirect, 'answered 302; redirects are not followed'],
  [hangUp, 'the connection was closed before a response'],
] as const;

function verify({ secret }: Body, { body, headers }: Pick<Received, 'body' | 'headers'>): void {
  new Webhook(String(secret)).verify(body, headers as Record<string, string>);
}

describe('a receiver', () => {
  it('that misbehaves and comes back gets everything, in order', async () => {
    const service = await start();
    const id = await addVerbatim(service, 'Before anybody listened');
    const path = `/v1/memories/${id}/`;
    const cases = await Promise.all(
      misbehaviours.map(async ([reaction, met]) => {
        const receiver = await receive();
        receiver.react(reaction);
        return { receiver, met, webhook: await subscribe(service, { url: receiver.url }) };
      }),
    );

    for (const text of texts) await service.send('PUT', path, { body: { text } });
    await service.send('DELETE', path);
    for (const { receiver, met, webhook } of cases) {
      const tried = await until(
        () => logOf(service, webhook).then((log) => log.filter(({ attempts }) => attempts === 1)),
        ([first]) => typeof first?.error === 'string',
      );
      expect(tried).toMatchObject([{ status: 'PENDING', error: met }]);
      expect(receiver.received).toHaveLength(1);
      receiver.react(accept);
    }

    for (const { receiver, webhook } of cases) {
      await until(
        () => logOf(service, webhook),
        (log) => log.every(({ status }) => status === 'DELIVERED'),
      );
      const [first, again] = receiver.received;
      expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(receiver.received.slice(1).map(textOf)).toEqual([...texts, texts.at(-1)]);
      expect(receiver.received.map(({ path: at }) => at)).toEqual(Array(5).fill('/hook'));
      for (const { body, headers } of receiver.received) verify(webhook, { body, headers });
    }
  });

  it('that hangs keeps neither the service from ending nor its delivery from arriving', async () => {
    const service = await start();
    const receiver = await receive();
    receiver.react(hang);
    await subscribe(service, { url: receiver.url });
    await addVerbatim(service, 'Told twice');
    await until(
      () => receiver.received.length,
      (count) => count === 1,
    );

    service.kill('SIGTERM');
    expect(await service.exited).toEqual({ code: 0, signal: null });
    receiver.react(accept);
    await startService({ data_dir: service.data_dir, env: open });
    await until(
      () => receiver.received.length,
      (count) => count === 2,
    );

    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('that is gone delays no other', async () => {
    const service = await start();
    const [gone, there] = [await receive(), await receive()];
    gone.react(hang);
    await subscribe(service, { url: gone.url });
    await subscribe(service, { url: there.url });

    const facts = Array.from({ length: 20 }, (_, index) => `Fact number ${index}`);
    for (const fact of facts) await addVerbatim(service, fact);

    await until(
      () => there.received.length,
      (count) => count === facts.length,
    );
    expect(there.received.map(textOf).sort()).toEqual([...facts].sort());
  });
});

describe('if private addresses are not allowed', () => {
  const urls = [
    'http://127.0.0.1:8080/',
    'http://localhost/',
    'http://hooks.localhost/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://10.1.2.3/',
    'http://192.168.0.1/',
    'http://169.254.169.254/',
    'http://0.0.0.0/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://127.1/',
  ];

  it('a webhook to one is refused, however it is written', async () => {
    const { send } = await start(env);

    const answers = await Promise.all(
      urls.map((url) => send('POST', '/v1/webhooks/', { body: { url } })),
    );

    for (const { status, body } of answers) {
      expect(status).toBe(400);
      expect(body.errors).toEqual({ url: [expect.stringContaining('private')] });
    }
  });

  it('a name that resolves to one is refused on connecting', async () => {
    const receiver = await receive();
    const url = `http://hooks.example.com:${receiver.port}/hook`;
    const closed = await start({ ...env, ...resolvingToLoopback });
    const webhook = await subscribe(closed, { url });
    const test = `/api/v1/webhooks/${webhook.webhook_id}/test/`;

    const tested = await closed.send('POST', test);
    await addVerbatim(closed, 'Not to be told');
    const log = await until(
      () => logOf(closed, webhook),
      (all) => all.length === 2 && all.every(({ error }) => error !== null),
    );

    expect(tested.body).toMatchObject({ status: 'DEAD', error: refused });
    expect(log.map(({ error }) => error)).toEqual([refused, refused]);
    expect(receiver.received).toEqual([]);
  });

  it('and the same name works if they are allowed', async () => {
    const receiver = await receive();
    const service = await start({ ...open, ...resolvingToLoopback });
    await subscribe(service, { url: `http://hooks.example.com:${receiver.port}/hook` });

    await addVerbatim(service, 'To be told');

    await until(
      () => receiver.received.length,
      (count) => count === 1,
    );
  });
});

const refused =
  'the address must not resolve to a private, loopback or otherwise local address ' +
  '(webhook_allow_private allows it)';

/** Stands in for the resolver of the operating system: the example's names lead to this machine. */
const resolver = `
  import dns from 'node:dns';
  import { syncBuiltinESMExports } from 'node:module';
  const { lookup } = dns;
  const address = '127.0.0.1';
  dns.lookup = (name, options, done) => {
    if (!name.endsWith('.example.com')) lookup(name, options, done);
    else if (options.all) done(null, [{ address, family: 4 }]);
    else done(null, address, 4);
  };
  syncBuiltinESMExports();`;

const resolvingToLoopback = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(resolver)}`,
};
