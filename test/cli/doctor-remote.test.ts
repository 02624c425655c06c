import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createCertificate } from '../support/certificate.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { recordedKey, startRecordedServer } from '../support/recorded-server.ts';
import { type Served, serveUntilEnd } from './serve-support.ts';
import { runIn, temporaryFolder } from './support.ts';

const far = temporaryFolder();
const home = temporaryFolder();
const api_key = 'mk_0123456789abcdefghijABCDEFGHIJ0123456789abc';

/** A reserved port that servers do not listen on. */
const nobody = 'http://127.0.0.1:49';

let service: Served;

beforeAll(async () => {
  service = await serveUntilEnd(far, { MNEME_BOOTSTRAP_KEY: api_key });
});
afterAll(async () => void (await service.end()));

type Check = { name: string; status: string; found: string; advice?: string };

async function diagnose(env: Record<string, string>) {
  const given = { MNEME_BASE_URL: service.url, MNEME_API_KEY: api_key, ...env };
  const set = Object.entries(given).filter(([, value]) => value !== '');
  const options = { env: Object.fromEntries(set) };
  const { code, stdout } = await runIn(home)(['doctor', '--json'], options);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { code, checks: checks.filter(({ name }) => name.startsWith('Remote')), all: checks };
}

describe('mneme doctor in front of a remote', () => {
  it('says who is there, and whose key this is', async () => {
    const { code, checks, all } = await diagnose({});

    expect(code).toBe(0);
    expect(checks).toEqual([
      { name: 'Remote address', status: 'ok', found: `${service.url}, on this machine` },
      { name: 'Remote', status: 'ok', found: expect.stringMatching(/^mneme [\d.]+, in \d+ ms$/) },
      {
        name: 'Remote key',
        status: 'ok',
        found: expect.stringMatching(
          /^valid for \S+@\S+ in organization [\da-f-]{36}, project [\da-f-]{36}$/,
        ),
      },
    ]);
    expect(all.map(({ name }) => name)).not.toContain('Store');
  });

  it.each([
    ['an unknown key', { MNEME_API_KEY: 'mk_no' }, 'Remote key', 'refused the API key'],
    ['no key', { MNEME_API_KEY: '' }, 'Remote key', 'api_key is not'],
    ['another project', { MNEME_PROJECT_ID: 'none' }, 'Remote key', 'not found'],
    ['nobody there', { MNEME_BASE_URL: nobody }, 'Remote', 'refused the connection'],
  ])('fails with advice for %s', async (_, env, name, found) => {
    const { code, checks } = await diagnose(env);

    expect(code).toBe(1);
    expect(checks.at(-1)).toEqual({
      name,
      status: 'failed',
      found: expect.stringContaining(found),
      advice: expect.any(String),
    });
  });

  it('warns of an address that others can read, whose name may be the matter of a proxy', async () => {
    const { checks } = await diagnose({ MNEME_BASE_URL: 'http://memory.invalid' });

    expect(checks[0]).toMatchObject({ status: 'warning', found: expect.stringContaining('name') });
    expect(checks.at(-1)).toMatchObject({ name: 'Remote', status: 'failed' });
  });

  it('takes a server that is not mneme for what it is', async () => {
    const server = await startRecordedServer('detailed');
    onTestFinished(() => server.stop());
    const place = { MNEME_ORG_ID: 'org-1', MNEME_PROJECT_ID: 'proj-1' };
    const env = { MNEME_BASE_URL: server.url, MNEME_API_KEY: recordedKey, ...place };

    const { code, checks } = await diagnose(env);

    expect(code).toBe(0);
    expect(checks.map(({ found }) => found).slice(1)).toEqual([
      expect.stringMatching(/^a server that is not mneme, in \d+ ms$/),
      expect.stringContaining('valid'),
    ]);
    expect(server.requests.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('passes on nothing that a gateway in between shows', async () => {
    const proxy = await startFaultyProxy({ url: service.url, isMneme: true }, [
      'a page of 502 before',
    ]);
    onTestFinished(() => proxy.stop());

    const { code, checks } = await diagnose({ MNEME_BASE_URL: proxy.url });

    expect(code).toBe(1);
    expect(JSON.stringify(checks)).toContain('returned status 502');
    expect(JSON.stringify(checks)).not.toContain('10.0.0.7');
  });
});

describe('the certificate of a remote', () => {
  it('that nobody vouches for is said to be so', async () => {
    const { url } = await serveTls({});

    const { code, checks } = await diagnose({ MNEME_BASE_URL: url });

    expect(code).toBe(1);
    expect(checks.map(({ name, status }) => `${name}: ${status}`)).toEqual([
      'Remote address: ok',
      'Remote certificate: failed',
      'Remote: failed',
    ]);
    expect(checks[1]?.advice).toContain('NODE_EXTRA_CA_CERTS');
  });

  it('is shown with its end', async () => {
    const { url, file } = await serveTls({ ends: new Date('2045-06-07T08:09:10Z') });

    const { checks } = await diagnose({ MNEME_BASE_URL: url, NODE_EXTRA_CA_CERTS: file });

    expect(checks[1]).toEqual({
      name: 'Remote certificate',
      status: 'ok',
      found: 'TLSv1.3, valid until 2045-06-07',
    });
    expect(checks[2]).toMatchObject({ name: 'Remote', status: 'ok' });
  });

  it('is warned of when it ends soon', async () => {
    const { url, file } = await serveTls({ ends: new Date(Date.now() + 3 * 86_400_000) });

    const { checks } = await diagnose({ MNEME_BASE_URL: url, NODE_EXTRA_CA_CERTS: file });

    expect(checks[1]).toMatchObject({ name: 'Remote certificate', status: 'warning' });
  });
});

/** A server behind a certificate of its own, which answers any request with an empty list. */
async function serveTls(certificate: { ends?: Date }): Promise<{ url: string; file: string }> {
  const made = createCertificate('localhost', certificate);
  const server = createServer(made, (_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const file = join(home, 'authority.pem');
  writeFileSync(file, made.cert);
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `https://localhost:${port}`, file };
}
