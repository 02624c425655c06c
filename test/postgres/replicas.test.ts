import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addVerbatim, createLedger, type Ledger, writeUntilGone } from '../e2e/load.ts';
import { type Service, until } from '../e2e/service.ts';
import { databaseOf, dropDatabase, inDatabase, isPostgres } from '../support/database.ts';
import { rounds, timeFor } from '../support/rounds.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { spawnReplica } from './replica.ts';

/** How many adds a server acknowledges before it is killed. */
const addsPerRound = 30;

let data_dir: string;
let receiver: Receiver;
let survivor: Service;
let ledgers: { killed: Ledger; survivor: Ledger };

describe.skipIf(!isPostgres)(`two servers on one database, killed under load`, () => {
  beforeAll(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
    receiver = await startReceiver();
    survivor = await spawn();
    await survivor.send('POST', '/v1/webhooks/', { body: { url: receiver.url } });
    ledgers = { killed: await makeLedger('killed'), survivor: await makeLedger('survivor') };
    const surviving = writeUntilGone(survivor, ledgers.survivor, 1000);
    for (let round = 0; round < rounds; round += 1) {
      const service = await spawn();
      const writing = writeUntilGone(service, ledgers.killed, round);
      const enough = addsToKilled() + addsPerRound;
      await until(addsToKilled, (count) => count >= enough, { withinMs: 60_000, everyMs: 10 });
      service.kill('SIGKILL');
      await Promise.all([writing, service.exited]);
    }
    survivor.kill('SIGKILL');
    await Promise.all([surviving, survivor.exited]);
    survivor = await spawn();
    await until(waiting, (count) => count === 0, { withinMs: 120_000, everyMs: 200 });
  }, timeFor(240_000));

  afterAll(async () => {
    survivor.kill('SIGKILL');
    await survivor.exited;
    await receiver.stop();
    await dropDatabase(data_dir);
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  });

  it('keeps every acknowledged add exactly once, under the returned id', async () => {
    const stored = await textsById();

    const acknowledged = both(({ added }) => [...added]).filter(([, id]) => id !== null);
    expect(acknowledged.length).toBeGreaterThan(rounds);
    expect(acknowledged.filter(([text, id]) => stored.get(String(id)) !== text)).toEqual([]);
    const texts = [...stored.values()];
    expect(texts.length).toBe(new Set(texts).size);
  });

  it('completes every acknowledged queued add, with its fact stored once', async () => {
    const events = await rows<{ id: string; status: string }>('select id, status from events');
    const stored = [...(await textsById()).values()];

    const acknowledged = both(({ queued }) => [...queued]).filter(([, id]) => id !== null);
    expect(acknowledged.length).toBeGreaterThan(rounds);
    expect(events.filter(({ status }) => status !== 'SUCCEEDED')).toEqual([]);
    for (const [text] of acknowledged) {
      expect(stored.filter((one) => one === text)).toEqual([text]);
    }
  });

  it('has the last acknowledged text of every memory, or a later one', async () => {
    const stored = await textsById();

    for (const [id, { texts, acknowledged }] of both(({ updated }) => [...updated])) {
      expect(texts.slice(acknowledged - 1)).toContain(stored.get(id));
    }
  });

  it('restores nothing that was deleted', async () => {
    const stored = await textsById();

    const back = both(({ deleted }) => [...deleted]).filter(([id, isGone]) => {
      return isGone && stored.has(id);
    });
    expect(back).toEqual([]);
  });

  it('has told the webhook of each change, in the order of its memory', async () => {
    const changes = await rows<{ memory_id: string; event: string }>(
      'select memory_id, event from history order by position',
    );

    const told = new Map<unknown, string>();
    for (const { headers, body } of receiver.received) {
      const { event_details: about } = JSON.parse(body);
      const id = headers['webhook-id'];
      if (!told.has(id)) told.set(id, `${about.id} ${about.event}`);
    }
    expect([...told.values()].sort()).toEqual(
      changes.map(({ memory_id, event }) => `${memory_id} ${event}`).sort(),
    );
  });
});

async function spawn(): Promise<Service> {
  const { database } = await databaseOf(data_dir);
  return spawnReplica({ data_dir, url: database?.url ?? '' });
}

/** Each has its own memories: what two change at once has no last text. */
function addsToKilled(): number {
  return [...ledgers.killed.added.values()].filter((id) => id !== null).length;
}

async function makeLedger(name: string): Promise<Ledger> {
  const texts = [`First of ${name}`, `Second of ${name}`];
  const added = texts.map(async (text) => [await addVerbatim(survivor, text), text] as const);
  return createLedger(new Map(await Promise.all(added)));
}

function both<T>(of: (ledger: Ledger) => T[]): T[] {
  return [...of(ledgers.killed), ...of(ledgers.survivor)];
}

async function waiting(): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select ((select count(*) from jobs)
      + (select count(*) from deliveries where status = 'PENDING'))::integer as count`,
  );
  return row?.count ?? -1;
}

async function textsById(): Promise<Map<string, string>> {
  const memories = await rows<{ id: string; memory: string }>('select id, memory from memories');
  return new Map(memories.map(({ id, memory }) => [id, memory]));
}

function rows<T extends object>(statement: string): Promise<T[]> {
  return inDatabase(data_dir, async (client) => {
    await client.query('set search_path to mneme');
    return (await client.query<T>(statement)).rows;
  });
}
