import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { findLibfaketime } from '../../scripts/libfaketime.mjs';
import { databaseOf, dropDatabase, inDatabase, isPostgres } from '../support/database.ts';
import { addVerbatim, createLedger, type Ledger, user_id, writeUntilGone } from './load.ts';
import { type Body, listOf, type Service, startService, until } from './service.ts';
import { integrityOf, makeFolder, query } from './support.ts';

/** Where the clock goes while servers write, in seconds from the true time. */
const jumps = [3_600, 3_600 - 86_400, 0];

const found = await findLibfaketime();
if ('problem' in found) process.stderr.write(`SKIPPED: clocks that jump: ${found.problem}\n`);

let data_dir: string;
let service: Service;
let ledger: Ledger;
let tick: (seconds: number) => void;
let env: Record<string, string>;

describe.skipIf('problem' in found)('a server whose clock jumps while it writes', () => {
  afterAll(removeSharedMemory);

  it('does what was queued, loses and doubles nothing, and keeps versions in order', {
    timeout: 240_000,
  }, async () => {
    await prepare();
    for (const [round, seconds] of jumps.entries()) {
      const writing = writeUntilGone(service, ledger, round);
      await until(fewestUpdates, (count) => count > round + 1);
      tick(seconds);
      await until(clockOf, (offset) => Math.abs(offset - seconds) < 60);
      const before = fewestUpdates();
      await until(fewestUpdates, (count) => count > before + 1);
      service.kill('SIGKILL');
      await Promise.all([writing, service.exited]);
      service = await startService({ data_dir, env });
    }

    await until(waiting, (count) => count === 0, { withinMs: 60_000, everyMs: 200 });

    const events = await rows<{ status: string }>('select status from events');
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['SUCCEEDED']));
    expect(await lostOf(ledger)).toEqual([]);
    expect(await rows('select memory from memories group by memory having count(*) > 1')).toEqual(
      [],
    );
    for (const id of ledger.updated.keys()) expect(await brokenChain(id)).toEqual([]);
    if (!isPostgres) expect(await integrityOf(data_dir)).toEqual(['ok']);
  });

  it('does not wait for a lease that ends in what has become the future', async () => {
    await prepare();
    const slow = { ...env, MNEME_LEASE_MS: '2000' };
    service.kill('SIGKILL');
    await service.exited;
    service = await startService({ data_dir, env: slow });
    const body = { user_id, messages: 'I moved to Bern.' };
    const sent = await Promise.all(
      Array.from({ length: 20 }, () => service.send('POST', '/v1/memories/', { body })),
    );
    service.kill('SIGKILL');
    await service.exited;

    tick(-86_400);
    service = await startService({ data_dir, env: slow });
    await until(waiting, (count) => count === 0, { withinMs: 25_000, everyMs: 200 });

    const ids = sent.map((answer) => String(listOf(answer)[0]?.event_id));
    const ended = await Promise.all(ids.map((id) => service.send('GET', `/v1/event/${id}/`)));
    expect(ended.map(({ body: event }) => event.status)).toEqual(ids.map(() => 'SUCCEEDED'));
  });
});

/** What libfaketime leaves behind in memory when a process is killed. */
function removeSharedMemory(): void {
  const folder = '/dev/shm';
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, pid] = /^(?:sem\.)?faketime_(?:shm|sem)_(\d+)$/.exec(name) ?? [];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(folder, name), { force: true });
  }
}

/** A service with a clock of its own, and three memories that are updated. */
async function prepare(): Promise<void> {
  data_dir = await makeFolder();
  const clock = join(await makeFolder(), 'clock');
  tick = (seconds) => writeFileSync(clock, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  tick(0);
  const { database } = await databaseOf(data_dir);
  onTestFinished(() => dropDatabase(data_dir));
  env = {
    LD_PRELOAD: 'path' in found ? found.path : '',
    FAKETIME_NO_CACHE: '1',
    // Timers are not what jumps.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_TIMESTAMP_FILE: clock,
    MNEME_LEASE_MS: '1000',
    MNEME_REQUEST_LOG: 'false',
    ...(database !== undefined && { MNEME_DATABASE_URL: database.url }),
  };
  service = await startService({ data_dir, env });
  const added = ['First', 'Second', 'Third'].map(
    async (text) => [await addVerbatim(service, text), text] as const,
  );
  ledger = createLedger(new Map(await Promise.all(added)));
}

/** How many updates were acknowledged, of the memory that has fewest. */
function fewestUpdates(): number {
  return Math.min(...[...ledger.updated.values()].map(({ acknowledged }) => acknowledged));
}

/** How far ahead the service's clock is, in seconds. */
async function clockOf(): Promise<number> {
  const { headers } = await fetch(`${service.url}/healthz`);
  return (Date.parse(headers.get('Date') ?? '') - Date.now()) / 1000;
}

async function waiting(): Promise<number> {
  const [row] = await rows<{ count: number | string }>('select count(*) as count from jobs');
  return Number(row?.count ?? -1);
}

/** What was acknowledged and is not there as it should be. */
async function lostOf({ added, queued, updated, deleted }: Ledger): Promise<unknown[]> {
  const stored = await rows<{ id: string; memory: string }>('select id, memory from memories');
  const byId = new Map(stored.map(({ id, memory }) => [id, memory]));
  const texts = new Set(byId.values());
  return [
    ...[...added].filter(([text, id]) => id !== null && byId.get(id) !== text),
    ...[...queued].filter(([text, id]) => id !== null && !texts.has(text)),
    ...[...deleted].filter(([id, isAcknowledged]) => isAcknowledged && byId.has(id)),
    ...[...updated].filter(
      ([id, { texts: sent, acknowledged }]) =>
        !sent.slice(acknowledged - 1).includes(byId.get(id) ?? ''),
    ),
  ];
}

/** The entries of a memory's history that do not begin where the one before them ended. */
async function brokenChain(id: string): Promise<Body[]> {
  const answer = await service.send('GET', `/v1/memories/${id}/history/`);
  const entries = listOf(answer);
  expect(entries.length).toBeGreaterThan(1);
  return entries.filter((entry, at) => at > 0 && entry.old_memory !== entries[at - 1]?.new_memory);
}

async function rows<T extends object>(statement: string): Promise<T[]> {
  if (!isPostgres) return query<T>(data_dir, statement);
  return inDatabase(data_dir, async (client) => {
    await client.query('set search_path to mneme');
    return (await client.query<T>(statement)).rows;
  });
}
