import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnPostgres } from '../../scripts/postgres-server.mjs';
import { checkDatabase } from '../../src/app/doctor/database-checks.ts';
import { openStore } from '../../src/storage/store.ts';
import { until } from '../e2e/service.ts';
import { isPostgres } from '../support/database.ts';
import { certificatesIn } from './certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'mneme-tls-'));
const at = (name: string) => join(folder, name);
const contentOf = (name: string) => readFileSync(at(name), 'utf8');

/**
 * Who asks from this machine is let in as the first user without TLS, as `secure` with it, and as
 * `certified` with a certificate of that name.
 */
const entries = [
  'host all postgres 127.0.0.1/32 password',
  'hostssl all secure 127.0.0.1/32 password',
  'hostssl all certified 127.0.0.1/32 cert',
];

const untrusted = 'presents a certificate that is not trusted';
const otherName = 'presents a certificate for another host name';
const verified = 'sslmode=verify-full&sslrootcert=ours';
const withoutTls = 'refuses this user without TLS; add ?sslmode=verify-full';
const inData = [
  'ours.crt',
  'ours.crl',
  'named.crt',
  'named.key',
  'numbered.crt',
  'numbered.key',
  'past.crt',
  'past.key',
];

const server = isPostgres ? await startSecured() : null;

describe.skipIf(server === null)('a database whose server speaks TLS', () => {
  beforeAll(async () => {
    for (const user of ['secure', 'certified']) {
      await asFirstUser(`create role ${user} superuser login password 'secret'`);
      await asFirstUser(`create database ${user} owner ${user} encoding 'UTF8' template template0`);
    }
  });

  it.each([
    ['encrypted, whoever signed it', 'sslmode=require', 'localhost'],
    ['signed by the authority', 'sslmode=require&sslrootcert=ours', 'localhost'],
    ['signed by the authority, under another name', 'sslmode=verify-ca&sslrootcert=ours', null],
    ['signed by the authority for this host', 'sslmode=verify-full&sslrootcert=ours', 'localhost'],
  ])('is used if that is %s', async (_, parameters, host) => {
    const url = address(host ?? '127.0.0.1', parameters);

    const { readiness, connections } = await use(url);

    expect(readiness).toBe('ready');
    expect(connections).toContainEqual({ usename: 'secure', ssl: true, client_dn: null });
    expect((await diagnose(url)).status).toBe('ok');
  });

  it.each([
    ['of another authority', 'localhost', 'sslmode=verify-ca&sslrootcert=other', untrusted],
    ['of another authority', 'localhost', 'sslmode=verify-full&sslrootcert=other', untrusted],
    ['of another authority', 'localhost', 'sslmode=require&sslrootcert=other', untrusted],
    ['of an authority that nobody named', 'localhost', 'sslmode=verify-full', untrusted],
    ['for another name', '127.0.0.1', 'sslmode=verify-full&sslrootcert=ours', otherName],
    ['that is not asked for', 'localhost', 'sslmode=disable', withoutTls],
    ['that is not asked for', 'localhost', '', withoutTls],
  ])('is refused with a certificate %s: %s, %s', async (_, host, parameters, problem) => {
    const { status, found } = await diagnose(address(host, parameters));

    expect(status).toBe('failed');
    expect(found).toContain(problem);
    expect(found).not.toContain('secret');
  });

  it('is checked for its address if that is not a name', async () => {
    const [numbered, named] = await diagnoseWith('numbered', [
      address('127.0.0.1', verified),
      address('localhost', verified),
    ]);

    expect(numbered?.status).toBe('ok');
    expect(named?.found).toContain(otherName);
  });

  it('is refused if its certificate has expired', async () => {
    const [checked, encrypted] = await diagnoseWith('past', [
      address('localhost', verified),
      address('localhost', 'sslmode=require'),
    ]);

    expect(checked?.status).toBe('failed');
    expect(checked?.found).toContain('presents an expired certificate');
    expect(encrypted?.status).toBe('ok');
  });

  it('is distinguished from one without', async () => {
    await configure(['ssl = off']);

    const { found } = await diagnose(address('localhost', 'sslmode=require'));

    await configure(['ssl = on']);

    expect(found).toContain('does not support TLS; enable it on the server');
  });
});

describe.skipIf(server === null)('a database that authenticates users by certificates', () => {
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['is used with one and its key', 'sslcert=certified&sslkey=certified'],
    ['is used with a locked key', 'sslcert=certified&sslkey=locked&sslpassword=opens%20it'],
  ])('%s', async (_, parameters) => {
    const url = address('localhost', `${verified}&${parameters}`, 'certified:');

    const { readiness, connections } = await use(url);

    expect(readiness).toBe('ready');
    expect(connections).toContainEqual({
      usename: 'certified',
      ssl: true,
      client_dn: '/CN=certified',
    });
    expect((await diagnose(url)).status).toBe('ok');
  });

  it.each([
    ['without one', '', 'requires a client certificate; add sslcert and sslkey'],
    [
      'with a password instead',
      '',
      'requires a client certificate; add sslcert and sslkey',
      'certified:secret',
    ],
    [
      'with that of another user',
      '&sslcert=another&sslkey=another',
      'does not accept this certificate for this user',
    ],
    [
      'with one of another authority',
      '&sslcert=foreign&sslkey=foreign',
      'does not trust the client certificate; check sslcert',
    ],
    [
      'with one that has expired',
      '&sslcert=old&sslkey=old',
      'rejects the client certificate, which has expired; renew sslcert',
    ],
    [
      'with one that was revoked',
      '&sslcert=lost&sslkey=lost',
      'rejects the client certificate, which was revoked; renew sslcert',
    ],
  ])('is refused %s', async (_, parameters, problem, user = 'certified:') => {
    const url = address('localhost', `${verified}${parameters}`, user);

    const { status, found } = await diagnose(url);
    const opening = use(url);

    expect(status).toBe('failed');
    expect(found).toContain(problem);
    await expect(opening).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(problem),
      elsewhere: expect.not.stringContaining('localhost'),
    });
  });
});

async function startSecured() {
  const make = certificatesIn(folder);
  make.authority('ours');
  make.authority('other');
  make.certificate('named', { subject: 'DNS:localhost' });
  make.certificate('numbered', { subject: 'IP:127.0.0.1' });
  make.ended('past', { subject: 'DNS:localhost' });
  make.certificate('certified');
  make.certificate('another');
  make.certificate('foreign', { of: 'certified', by: 'other' });
  make.ended('old', { of: 'certified' });
  make.certificate('lost', { of: 'certified' });
  make.revoked('lost');
  make.locked('certified', 'locked', 'opens it');
  return startOwnPostgres({
    files: {
      // What `alter system` writes: settings of the command could not be changed.
      'postgresql.auto.conf': [
        'ssl = on',
        "ssl_ca_file = 'ours.crt'",
        "ssl_crl_file = 'ours.crl'",
        ...settingsOf('named'),
      ]
        .map((line) => `${line}\n`)
        .join(''),
      'pg_hba.conf': `${entries.join('\n')}\n`,
      ...Object.fromEntries(inData.map((name) => [name, contentOf(name)])),
    },
    onMissing: (why) => {
      process.stderr.write(`SKIPPED: no PostgreSQL with certificates of its own: ${why}\n`);
    },
  });
}

function settingsOf(certificate: string): string[] {
  return [`ssl_cert_file = '${certificate}.crt'`, `ssl_key_file = '${certificate}.key'`];
}

/** Until the server has heard of it. */
async function configure(settings: readonly string[]): Promise<void> {
  for (const setting of settings) await asFirstUser(`alter system set ${setting}`);
  const loadedAt = async () =>
    (await asFirstUser('select pg_conf_load_time()::text as at')).rows[0].at;
  const before = await loadedAt();
  await asFirstUser('select pg_reload_conf()');
  await until(loadedAt, (now) => now !== before);
}

/** Files are named by what they belong to; the database is that of the user. */
function address(host: string, parameters: string, user = 'secure:secret'): string {
  const url = new URL(server?.url ?? '');
  [url.username = '', url.password = ''] = user.split(':');
  url.hostname = host;
  url.pathname = `/${url.username}`;
  url.search = parameters.replace(/ssl(rootcert|cert|key)=(\w+)/g, (_, kind, name) => {
    return `ssl${kind}=${at(`${name}.${kind === 'key' ? 'key' : 'crt'}`)}`;
  });
  return url.href;
}

/** Opens the store at an address, and looks how it is connected. */
async function use(url: string) {
  const store = await openStore({
    data_dir: '',
    synchronous: 'normal',
    busy_timeout_ms: 5_000,
    log: () => {},
    database: { url, pool_size: 2, statement_timeout_ms: 60_000 },
  });
  try {
    const readiness = await store.ping();
    const { rows } = await asFirstUser(
      `select usename, ssl, client_dn from pg_stat_ssl join pg_stat_activity using (pid)
        where application_name = 'mneme'`,
    );
    return { readiness, connections: rows };
  } finally {
    await store.close();
  }
}

/** What `mneme doctor` finds at an address. */
async function diagnose(url: string) {
  const [check] = await checkDatabase(url);
  if (check === undefined) throw new Error('it says something about the database');
  return check;
}

/** The same while the server shows another certificate. */
async function diagnoseWith(certificate: string, urls: readonly string[]) {
  await configure(settingsOf(certificate));
  const found: Awaited<ReturnType<typeof diagnose>>[] = [];
  for (const url of urls) found.push(await diagnose(url));
  await configure(settingsOf('named'));
  return found;
}

async function asFirstUser(statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client(server?.url);
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
