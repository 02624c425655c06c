import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnPostgres } from '../../scripts/postgres-server.mjs';
import { listOf, type Service, until } from '../e2e/service.ts';
import { isPostgres } from '../support/database.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { spawnReplica } from './replica.ts';

/** What the generators of load sent, and what was acknowledged. */
type Ledger = {
  /** Ids of memories that were stored word for word, by their texts. */
  added: Map<string, string>;
  /** Ids of events of adds that were queued, by their texts. */
  queued: Map<string, string>;
  /** Every refusal that says that it was the server's fault, in another way than as it should. */
  wrong: string[];
  refused: number;
};

const user_id = 'alex';
const server = isPostgres
  ? await startOwnPostgres({
      onMissing: (why) => {
        process.stderr.write(`SKIPPED: no PostgreSQL that may be restarted: ${why}\n`);
      },
    })
  : null;

let data_dir: string;
let receiver: Receiver;
let replicas: Service[];
let ledger: Ledger;

describe.skipIf(server === null)('three servers, whose database is restarted under load', () => {
  beforeAll(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
    receiver = await startReceiver();
    replicas = [await spawn(), await spawn(), await spawn()];
    await replicas[0]?.send('POST', '/v1/webhooks/', { body: { url: receiver.url } });
    ledger = { added: new Map(), queued: new Map(), wrong: [], refused: 0 };
    const load = startLoad();
    await load.more(60);
    await server?.restart('fast');
    await load.more(60);
    replicas[0]?.kill('SIGKILL');
    await load.more(30);
    replicas[0] = await spawn();
    await load.more(30);
    await server?.restart('immediate');
    await load.more(60);
    replicas[1]?.kill('SIGTERM');
    await replicas[1]?.exited;
    replicas[1] = await spawn();
    await load.more(30);
    await load.stop();
    await until(waiting, (count) => count === 0, { withinMs: 120_000, everyMs: 200 });
  }, 400_000);

  afterAll(async () => {
    for (const replica of replicas) replica.kill('SIGKILL');
    await Promise.all(replicas.map(({ exited }) => exited));
    await receiver.stop();
    await server?.stop();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  });

  it('refused writes while it was down, with 503 and when to try again', () => {
    expect(ledger.refused).toBeGreaterThan(0);
    expect(ledger.wrong).toEqual([]);
  });

  it('keep every acknowledged add once, under the returned id', async () => {
    const stored = await rows<{ id: string; memory: string }>('select id, memory from memories');
    const byId = new Map(stored.map(({ id, memory }) => [id, memory]));

    const lost = [...ledger.added].filter(([text, id]) => byId.get(id) !== text);
    expect(lost).toEqual([]);
    expect(byId.size).toBe(new Set(byId.values()).size);
  });

  it('complete every event, with its fact stored once', async () => {
    const events = await rows<{ id: string; status: string }>('select id, status from events');
    const facts = await rows<{ memory: string }>('select memory from memories');
    const texts = facts.map(({ memory }) => memory);

    const known = new Set(events.map(({ id }) => id));
    expect([...ledger.queued.values()].filter((id) => !known.has(id))).toEqual([]);
    expect(events.filter(({ status }) => status !== 'SUCCEEDED')).toEqual([]);
    for (const text of ledger.queued.keys()) {
      expect(texts.filter((one) => one === text)).toEqual([text]);
    }
  });

  it('have told the webhook of each change, and of no other', async () => {
    const changes = await rows<{ memory_id: string }>('select memory_id from history');

    const told = new Map<unknown, string>();
    for (const { headers, body } of receiver.received) {
      told.set(headers['webhook-id'], JSON.parse(body).event_details.id);
    }
    expect([...told.values()].sort()).toEqual(changes.map(({ memory_id }) => memory_id).sort());
  });

  it("are notified of each other's work again", async () => {
    const listening = await rows(
      `select from pg_stat_activity where query = 'listen mneme_work' and state = 'idle'`,
    );

    expect(listening).toHaveLength(replicas.length);
  });
});

function spawn(): Promise<Service> {
  return spawnReplica({ data_dir, url: server?.url ?? '' });
}

/**
 * Generators that have one add at a time on their way: enough of those that are stored as they are
 * that some come together at a server and share a commit.
 */
function startLoad() {
  let isOver = false;
  let count = 0;
  const generate = async (name: string, infer: boolean) => {
    for (let turn = 0; !isOver; turn += 1) {
      const text = `Alex has visited place ${name}-${infer ? 'q' : 'a'}-${turn}.`;
      await keepSending(text, infer, turn);
      count += 1;
    }
  };
  const stored = Array.from({ length: 12 }, (_, at) => generate(`${at}`, false));
  const running = [...stored, generate('1', true), generate('2', true)];
  return {
    more: (wanted: number) => {
      const end = count + wanted;
      return until(
        () => count,
        (now) => now >= end,
        { withinMs: 60_000 },
      );
    },
    stop: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}

/** Sends it to one replica after another until it is acknowledged, as clients should. */
async function keepSending(messages: string, infer: boolean, turn: number): Promise<void> {
  const headers = { 'Idempotency-Key': messages };
  const body = { user_id, messages, infer };
  let attempt = 0;
  const isSettled = async () => {
    const replica = replicas[(turn + attempt) % replicas.length];
    attempt += 1;
    const answer = await replica
      ?.send('POST', '/v1/memories/', { headers, body })
      .catch(() => null); // it was killed
    if (answer?.status === 200) {
      const [first] = listOf(answer);
      if (infer) ledger.queued.set(messages, String(first?.event_id));
      else ledger.added.set(messages, String(first?.id));
      return true;
    }
    if (answer) note(answer);
    // Its first try died with its process, and holds the key for minutes.
    return answer?.status === 409;
  };
  await until(isSettled, Boolean, { withinMs: 120_000, everyMs: 100 });
}

function note({ status, headers, body }: Awaited<ReturnType<Service['send']>>): void {
  ledger.refused += 1;
  const isRight = (status === 503 || status === 409) && headers.get('Retry-After') !== null;
  if (!isRight) ledger.wrong.push(`${status} ${JSON.stringify(body)}`);
}

async function waiting(): Promise<number> {
  const [row] = await rows<{ count: number }>(
    `select ((select count(*) from jobs)
      + (select count(*) from deliveries where status = 'PENDING'))::integer as count`,
  );
  return row?.count ?? -1;
}

async function rows<T extends object>(statement: string): Promise<T[]> {
  const client = new pg.Client(server?.url);
  await client.connect();
  try {
    await client.query('set search_path to mneme');
    return (await client.query<T>(statement)).rows;
  } finally {
    await client.end();
  }
}
