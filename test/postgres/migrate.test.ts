import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrationLock } from '../../src/storage/postgres/connection/row-security.ts';
import { ownerKey, until } from '../e2e/service.ts';
import { serverProgram, spawnWire } from '../e2e/support.ts';
import { databaseOf, dropDatabase, inDatabase, isPostgres } from '../support/database.ts';
import { createDeferred } from '../support/deferred.ts';
import { freePort } from '../support/free-port.ts';

describe.skipIf(!isPostgres)('a server whose tables another one is upgrading', () => {
  it('is alive but not ready until that is done', async () => {
    const { url, release } = await startWaiting();

    const [health, ready, call] = await Promise.all(
      ['/healthz', '/readyz', '/v1/ping/'].map((path) => get(url + path)),
    );
    release();
    const later = await until(
      () => statusOf(`${url}/readyz`),
      (status) => status === 200,
    );

    expect([health?.status, ready?.status, call?.status]).toEqual([200, 503, 503]);
    expect(ready?.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(await call?.json()).toMatchObject({ detail: 'the server is starting' });
    expect(later).toBe(200);
    expect((await get(`${url}/v1/ping/`)).status).toBe(200);
  });

  it('ends at once on SIGTERM', async () => {
    const { wire } = await startWaiting();

    wire.kill('SIGTERM');

    expect(await wire.exited).toEqual({ code: 0, signal: null });
  });
});

/** A server on an empty database, while a migration of another process holds its lock. */
async function startWaiting() {
  const data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  const { database } = await databaseOf(data_dir);
  const held = createDeferred();
  const { promise, resolve: release } = createDeferred();
  const holding = inDatabase(data_dir, async (client) => {
    await client.query('drop schema mneme cascade');
    await client.query(`select pg_advisory_lock(${migrationLock})`);
    held.resolve();
    await promise;
  });
  await held.promise;
  const port = await freePort();
  const env = { MNEME_BOOTSTRAP_KEY: ownerKey, MNEME_DATABASE_URL: database?.url ?? '' };
  const wire = spawnWire(
    serverProgram({ data_dir, flags: ['serve', '--port', String(port)], env }),
  );
  onTestFinished(async () => {
    release();
    wire.kill('SIGKILL');
    await Promise.all([wire.exited, holding]);
    await dropDatabase(data_dir);
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  });
  const url = `http://127.0.0.1:${port}`;
  await until(
    () => statusOf(`${url}/healthz`),
    (status) => status === 200,
  );
  await until(
    () => waitingIn(data_dir),
    (count) => count === 1,
  );
  return { url, wire, release };
}

/** How many wait for the lock. */
function waitingIn(data_dir: string): Promise<number> {
  return inDatabase(data_dir, async (client) => {
    const { rowCount } = await client.query(
      `select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`,
    );
    return rowCount ?? 0;
  });
}

function get(url: string): Promise<Response> {
  return fetch(url, { headers: { Authorization: `Token ${ownerKey}` } });
}

function statusOf(url: string): Promise<number> {
  return get(url).then(
    ({ status }) => status,
    () => 0,
  );
}
