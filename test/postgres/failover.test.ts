import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnPostgres } from '../../scripts/postgres-server.mjs';
import { addVerbatim, createLedger, type Ledger, user_id, writeUntilGone } from '../e2e/load.ts';
import { type Service, until } from '../e2e/service.ts';
import { isPostgres } from '../support/database.ts';
import { type StallingProxy, startStallingProxy } from '../support/stalling-proxy.ts';
import { spawnReplica } from './replica.ts';

const primary = isPostgres ? await startOwnPostgres({ onMissing: skip }) : null;
const standby = (await primary?.startStandby().catch(skipAndStop)) ?? null;

describe.skipIf(standby === null)('a service whose database fails over to a standby', () => {
  let data_dir: string;
  let proxy: StallingProxy;
  let service: Service;
  let ledger: Ledger;
  let answers: { crashed: string; readOnly: string; read: string };

  beforeAll(async () => {
    // A commit is acknowledged when the standby has it, as a failover that loses nothing needs.
    await onDatabase(primary?.url, "alter system set synchronous_standby_names = '*'");
    await onDatabase(primary?.url, 'select pg_reload_conf()');
    data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
    const url = new URL(primary?.url ?? '');
    proxy = await startStallingProxy(Number(url.port));
    url.host = `127.0.0.1:${proxy.port}`;
    service = await spawnReplica({ data_dir, url: url.href });
    ledger = createLedger(
      new Map([[await addVerbatim(service, 'First'), 'First']] as [string, string][]),
    );
    const first = writeUntilGone(service, ledger, 0);
    await until(acknowledged, (count) => count > 20);

    await primary?.crash();
    const crashed = await answerToAdd();
    // Connections reach the standby before it is promoted.
    proxy.aim(Number(new URL(standby?.url ?? '').port));
    const readOnly = await answerToAdd();
    answers = { crashed, readOnly, read: await statusOfSearch() };
    await standby?.promote();
    await until(answerToAdd, (answer) => answer.startsWith('200'), { withinMs: 60_000 });
    const second = writeUntilGone(service, ledger, 1);
    const before = acknowledged();
    await until(acknowledged, (count) => count > before + 20, { withinMs: 60_000 });
    service.kill('SIGKILL');
    await Promise.all([first, second, service.exited]);
    service = await spawnReplica({ data_dir, url: url.href });
    await until(waiting, (count) => count === 0, { withinMs: 60_000, everyMs: 200 });
  }, 240_000);

  afterAll(async () => {
    service.kill('SIGKILL');
    await service.exited;
    await proxy.stop();
    await primary?.stop();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  });

  it('refuses writes until the standby is promoted, with when to try again; reads go on', () => {
    expect(answers).toEqual({ crashed: '503 true', readOnly: '503 true', read: '200' });
  });

  it('writes again without a restart, and keeps what was acknowledged before', async () => {
    const stored = await rows<{ id: string; memory: string }>('select id, memory from memories');
    const byId = new Map(stored.map(({ id, memory }) => [id, memory]));

    const lost = [...ledger.added].filter(([text, id]) => id !== null && byId.get(id) !== text);
    expect(lost).toEqual([]);
    const texts = stored.map(({ memory }) => memory).filter((text) => text !== 'Not now');
    expect(texts.length).toBe(new Set(texts).size);
  });

  it('completes every event, with its fact stored once', async () => {
    const events = await rows<{ status: string }>('select status from events');
    const stored = await rows<{ memory: string }>('select memory from memories');

    expect(events.filter(({ status }) => status !== 'SUCCEEDED')).toEqual([]);
    for (const [text, id] of ledger.queued) {
      const count = stored.filter(({ memory }) => memory === text).length;
      expect(id === null ? [0, 1] : [1]).toContain(count);
    }
  });

  function acknowledged(): number {
    return [...ledger.added.values()].filter((id) => id !== null).length;
  }

  async function answerToAdd(): Promise<string> {
    const body = { user_id: 'other', messages: 'Not now', infer: false };
    const { status, headers } = await service.send('POST', '/v1/memories/', { body });
    return `${status} ${headers.get('Retry-After') !== null}`;
  }

  async function statusOfSearch(): Promise<string> {
    const body = { query: 'fact', filters: { user_id } };
    return `${(await service.send('POST', '/v2/memories/search/', { body })).status}`;
  }

  async function waiting(): Promise<number> {
    const [row] = await rows<{ count: string }>('select count(*) as count from jobs');
    return Number(row?.count ?? -1);
  }

  function rows<T extends object>(statement: string): Promise<T[]> {
    return onDatabase<T>(standby?.url, statement);
  }
});

function skip(why: string): void {
  process.stderr.write(`SKIPPED: no PostgreSQL that may fail over: ${why}\n`);
}

/** Not every package of PostgreSQL can copy a server. */
async function skipAndStop(error: Error): Promise<null> {
  skip(error.message);
  await primary?.stop();
  return null;
}

async function onDatabase<T extends object>(
  url: string | undefined,
  statement: string,
): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query('set search_path to mneme');
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}
