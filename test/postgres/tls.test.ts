import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnPostgres } from '../../scripts/postgres-server.mjs';
import { checkDatabase } from '../../src/app/database-checks.ts';
import { openStore } from '../../src/storage/store.ts';
import { until } from '../e2e/service.ts';
import { isPostgres } from '../support/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'mneme-tls-'));
const at = (name: string) => join(folder, name);
const contentOf = (name: string) => readFileSync(at(name), 'utf8');

/** Who asks from this machine is let in as the first user without TLS, and as `secure` with it. */
const entries = [
  'host all postgres 127.0.0.1/32 password',
  'hostssl all secure 127.0.0.1/32 password',
];

const untrusted = 'shows a certificate that is not trusted';
const otherName = 'shows a certificate for another host name';
const withoutTls = 'does not let this user in without TLS; add ?sslmode=verify-full';
const inData = ['named.crt', 'named.key', 'numbered.crt', 'numbered.key'];

const server = isPostgres ? await startSecured() : null;

describe.skipIf(server === null)('a database whose server speaks TLS', () => {
  beforeAll(async () => {
    await asFirstUser(`create role secure superuser login password 'secret'`);
    await asFirstUser(`create database secure owner secure encoding 'UTF8' template template0`);
  });

  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['encrypted, whoever signed it', 'sslmode=require', 'localhost'],
    ['signed by the authority', 'sslmode=require&sslrootcert=ours', 'localhost'],
    ['signed by the authority, under another name', 'sslmode=verify-ca&sslrootcert=ours', null],
    ['signed by the authority for this host', 'sslmode=verify-full&sslrootcert=ours', 'localhost'],
  ])('is used where that is %s', async (_, parameters, host) => {
    const url = address(host ?? '127.0.0.1', parameters);
    const store = await openStore({
      ...{ data_dir: '', synchronous: 'normal', busy_timeout_ms: 5_000, log: () => {} },
      database: { url, pool_size: 2, statement_timeout_ms: 60_000 },
    });

    const readiness = await store.ping();
    const encrypted = await asFirstUser(
      `select from pg_stat_ssl join pg_stat_activity using (pid)
        where ssl and usename = 'secure' and application_name = 'mneme'`,
    );
    await store.close();

    expect(readiness).toBe('ready');
    expect(encrypted.rowCount).toBeGreaterThan(0);
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

  it('is checked for its address where that is no name', async () => {
    await configure(settingsOf('numbered'));

    const numbered = await diagnose(address('127.0.0.1', 'sslmode=verify-full&sslrootcert=ours'));
    const named = await diagnose(address('localhost', 'sslmode=verify-full&sslrootcert=ours'));
    await configure(settingsOf('named'));

    expect(numbered.status).toBe('ok');
    expect(named.found).toContain(otherName);
  });

  it('is told from one without', async () => {
    await configure(['ssl = off']);

    const { found } = await diagnose(address('localhost', 'sslmode=require'));

    expect(found).toContain('does not speak TLS; turn it on at the server');
  });
});

async function startSecured() {
  makeAuthority('ours');
  makeAuthority('other');
  makeCertificate('named', 'DNS:localhost');
  makeCertificate('numbered', 'IP:127.0.0.1');
  return startOwnPostgres({
    files: {
      // What `alter system` writes: settings of the command could not be changed.
      'postgresql.auto.conf': `ssl = on\n${settingsOf('named').join('\n')}\n`,
      'pg_hba.conf': `${entries.join('\n')}\n`,
      ...Object.fromEntries(inData.map((name) => [name, contentOf(name)])),
    },
    onMissing: (why) => {
      process.stderr.write(`SKIPPED: no PostgreSQL with certificates of its own: ${why}\n`);
    },
  });
}

function openssl(...args: string[]): void {
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...args], {
    stdio: 'ignore',
  });
}

function makeAuthority(name: string): void {
  openssl('-subj', `/CN=${name}`, '-keyout', at(`${name}.key`), '-out', at(`${name}.crt`));
}

/** Signed by `ours`. */
function makeCertificate(name: string, subject: string): void {
  openssl(
    ...['-CA', at('ours.crt'), '-CAkey', at('ours.key'), '-subj', '/CN=database'],
    ...['-addext', `subjectAltName=${subject}`, '-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-keyout', at(`${name}.key`), '-out', at(`${name}.crt`)],
  );
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

/** The address of the user who is let in with TLS only; `sslrootcert` is an authority's name. */
function address(host: string, parameters: string): string {
  const url = new URL(server?.url ?? '');
  url.username = 'secure';
  url.password = 'secret';
  url.hostname = host;
  url.pathname = '/secure';
  url.search = parameters.replace(/(?<=sslrootcert=)\w+/, (name) => at(`${name}.crt`));
  return url.href;
}

/** What `mneme doctor` finds at an address. */
async function diagnose(url: string) {
  const [check] = await checkDatabase(url);
  if (check === undefined) throw new Error('it says something about the database');
  return check;
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
