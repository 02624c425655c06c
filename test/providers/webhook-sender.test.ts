import type { LookupAddress } from 'node:dns';
import type { AddressInfo, LookupFunction } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/providers/url-policy.ts';
import {
  createWebhookSender,
  type WebhookSenderOptions,
} from '../../src/providers/webhook-sender.ts';
import { createCertificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import {
  fail,
  hang,
  hangUp,
  type Receiver,
  redirect,
  startReceiver,
} from '../support/webhook-receiver.ts';

const anywhere = { allow_http: true, allow_private: true, timeout_ms: 2_000 };
const publicOnly = { ...anywhere, allow_private: false };

describe('posting a delivery', () => {
  let receiver: Receiver;
  let sender: ReturnType<typeof createWebhookSender>;

  beforeEach(async () => {
    receiver = await startReceiver();
  });

  afterEach(async () => {
    await sender.close();
    await receiver.stop();
  });

  function post(options: Partial<WebhookSenderOptions> = {}, url = receiver.url) {
    sender = createWebhookSender({ ...anywhere, ...options });
    const headers = { 'content-type': 'application/json', 'webhook-id': 'one' };
    return sender.post({ url, headers, body: '{"a":1}' });
  }

  it('sends the body and the headers as they are and answers the status', async () => {
    const answer = await post();

    expect(answer).toEqual({ status: 204 });
    expect(receiver.received).toMatchObject([
      { path: '/hook', headers: { 'webhook-id': 'one' }, body: '{"a":1}' },
    ]);
  });

  it('answers 500 as 500', async () => {
    receiver.react(fail);

    expect(await post()).toEqual({ status: 500 });
  });

  it('follows no redirect', async () => {
    receiver.react(redirect);

    expect(await post()).toEqual({ status: 302 });
    expect(receiver.received).toHaveLength(1);
  });

  it('gives up on a receiver that does not answer in time', async () => {
    receiver.react(hang);

    await expect(post({ timeout_ms: 150 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('150 ms'),
    });
  });

  it('says that the connection was closed', async () => {
    receiver.react(hangUp);

    await expect(post()).rejects.toThrow('closed');
  });

  it('says that the connection was refused', async () => {
    await receiver.stop();

    await expect(post()).rejects.toThrow('refused');
  });

  it('takes the status of an endless answer and leaves the rest', async () => {
    receiver.react((response) => {
      response.writeHead(200);
      const more = setInterval(() => response.write('x'.repeat(10_000)), 1);
      response.on('close', () => clearInterval(more));
    });

    expect(await post()).toEqual({ status: 200 });
  });

  it('stops when it is told to', async () => {
    receiver.react(hang);
    sender = createWebhookSender(anywhere);
    const stopping = new AbortController();

    const { url } = receiver;
    const answer = sender.post({ url, headers: {}, body: '', signal: stopping.signal });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    stopping.abort();

    await expect(answer).rejects.toThrow('shutting down');
  });

  describe('to the public network only', () => {
    it('refuses an address in numbers', async () => {
      await expect(post(publicOnly)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('private'),
      });
      expect(receiver.received).toEqual([]);
    });

    it('refuses a name that resolves to a private address, when it connects', async () => {
      const lookup = resolveTo('127.0.0.1');
      const url = `http://public.example:${receiver.port}/hook`;

      await expect(post({ ...publicOnly, lookup }, url)).rejects.toThrow('private');
      expect(receiver.received).toEqual([]);
    });

    it('refuses a name when one of its addresses is private', async () => {
      const lookup = resolveTo('93.184.215.14', '::ffff:127.0.0.1');
      const url = `http://public.example:${receiver.port}/hook`;

      await expect(post({ ...publicOnly, lookup }, url)).rejects.toThrow('private');
    });

    it('refuses a name that changes its address after the check, for it resolves once', async () => {
      let answers = 0;
      const lookup: LookupFunction = (hostname, options, callback) => {
        answers += 1;
        resolveTo(answers === 1 ? '10.0.0.7' : '93.184.215.14')(hostname, options, callback);
      };
      const url = `http://public.example:${receiver.port}/hook`;

      await expect(post({ ...publicOnly, lookup }, url)).rejects.toThrow('private');
      expect(answers).toBe(1);
    });
  });

  it('connects to where an allowed name resolves', async () => {
    const lookup = resolveTo('127.0.0.1');

    const answer = await post({ lookup }, `http://public.example:${receiver.port}/hook`);

    expect(answer).toEqual({ status: 204 });
    expect(receiver.received[0]?.headers.host).toBe(`public.example:${receiver.port}`);
  });

  it('trusts no certificate that nobody signed, and asks for it by name', async () => {
    const asked: unknown[] = [];
    const server = createTlsServer({
      ...createCertificate('hooks.example'),
      SNICallback: (name, done) => {
        asked.push(name);
        done(null);
      },
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo; // It listens on TCP.

    const answer = post({ lookup: resolveTo('127.0.0.1') }, `https://hooks.example:${port}/`);

    await expect(answer).rejects.toThrow('certificate');
    expect(asked).toEqual(['hooks.example']);
    await new Promise((done) => server.close(done));
  });
});

describe('what is wrong with an address', () => {
  const problemOf = (url: string, options: Partial<WebhookSenderOptions> = {}) =>
    createWebhookSender({ ...publicOnly, ...options }).urlProblem(url);

  it('is nothing for a public one', () => {
    expect(problemOf('https://example.com/hook')).toBeNull();
    expect(problemOf('https://93.184.215.14/')).toBeNull();
    expect(problemOf('https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/')).toBeNull();
  });

  it('is none that holds a user name or a password', () => {
    for (const url of ['https://ada:pass@example.com/', 'https://ada@example.com/']) {
      expect(problemOf(url)).toContain('password');
      expect(problemOf(url, { allow_private: true })).toContain('password');
    }
  });

  it('is plain http where only https is allowed', () => {
    const problem = problemOf('http://example.com/', { allow_http: false });

    expect(problem).toBe('must be an https address (webhook_allow_http allows http)');
  });

  it('is a scheme that no option allows', () => {
    for (const url of ['ftp://example.com/', 'ws://example.com/', 'data:,hook', 'file:///hook']) {
      expect(problemOf(url, anywhere)).toBe('must be an http or https address');
      expect(problemOf(url, { allow_http: false })).toBe('must be an https address');
    }
  });

  it('is told at once, with the options that would allow it', () => {
    const problem = problemOf('http://ada:pass@127.0.0.1/', { allow_http: false });

    expect(problem?.split('; ')).toEqual([
      'must be an https address (webhook_allow_http allows http)',
      expect.stringMatching(/^must not resolve to a private.*webhook_allow_private allows it/),
      expect.stringContaining('password'),
    ]);
  });

  it.each([
    'http://localhost/',
    'http://LOCALHOST./',
    'http://api.localhost:8080/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://172.31.255.255/',
    'http://192.168.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::]/',
    'http://[::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://[::ffff:93.184.215.14]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::127.0.0.1]/',
    'http://[::a9fe:a9fe]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2001::1]/',
    'http://[4000::1]/',
  ])('is that %s is local', (url) => {
    expect(problemOf(url)).toContain('private');
    expect(problemOf(url, { allow_private: true })).toBeNull();
  });

  it('is that an address is none at all', () => {
    expect(isPublicAddress('example.com')).toBe(false);
  });
});

/** A resolver that knows one answer, in either of the forms that Node asks for. */
function resolveTo(...found: string[]): LookupFunction {
  const addresses: LookupAddress[] = found.map((address) => ({
    address,
    family: address.includes(':') ? 6 : 4,
  }));
  return (_hostname, { all }, callback) => {
    const [first = { address: '', family: 4 }] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
}
