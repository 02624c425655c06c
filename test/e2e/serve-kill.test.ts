import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds, timeFor } from '../support/rounds.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { addVerbatim, createLedger, type Ledger, user_id, writeUntilGone } from './load.ts';
import { listOf, type Service, spawnService, until } from './service.ts';
import { integrityOf, query } from './support.ts';

/** How much is acknowledged in a round, so that each is killed at another moment. */
const answersIn = (round: number) => 2 + ((round * 37) % 50);

/**
 * Leases are short, so that the next process takes over soon what a killed one held; a webhook has
 * time enough for a busy machine, which is no failure.
 */
const env = {
  MNEME_LEASE_MS: '1000',
  MNEME_WEBHOOK_TIMEOUT_MS: '2000',
  MNEME_WEBHOOK_ALLOW_HTTP: 'true',
  MNEME_WEBHOOK_ALLOW_PRIVATE: 'true',
  MNEME_WORKER_CONCURRENCY: '16',
  MNEME_REQUEST_LOG: 'false',
};

let data_dir: string;
let receiver: Receiver;
let service: Service;
let secret: string;
let ledger: Ledger;

beforeAll(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  receiver = await startReceiver();
  service = await spawnService({ data_dir, env });
  const body = { url: receiver.url };
  secret = String((await service.send('POST', '/v1/webhooks/', { body })).body.secret);
  const texts = ['First', 'Second', 'Third'];
  const added = texts.map(async (text) => [await addVerbatim(service, text), text] as const);
  ledger = createLedger(new Map(await Promise.all(added)));
  for (let round = 0; round < rounds; round += 1) {
    const writing = writeUntilGone(service, ledger, round);
    const enough = fewestAnswers() + answersIn(round);
    await until(fewestAnswers, (count) => count >= enough, { withinMs: 60_000, everyMs: 5 });
    service.kill('SIGKILL');
    await Promise.all([writing, service.exited]);
    service = await spawnService({ data_dir, env });
  }
  // A delivery that kills cut off three times, and a slow machine once, comes again in 160 s.
  await until(waiting, (count) => count === 0, { withinMs: 240_000, everyMs: 200 });
}, timeFor(360_000));

afterAll(async () => {
  service.kill('SIGKILL');
  await service.exited;
  await receiver.stop();
  await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
});

/** How many adds were acknowledged, of the kind that fewer were of. */
function fewestAnswers(): number {
  const answers = [ledger.added, ledger.queued].map(
    (adds) => [...adds.values()].filter((id) => id !== null).length,
  );
  return Math.min(...answers);
}

/** Work that is not done: queued adds, and deliveries that did not arrive. */
async function waiting(): Promise<number> {
  const [row] = await query<{ count: number }>(
    data_dir,
    `select (select count(*) from jobs)
      + (select count(*) from deliveries where status = 'PENDING') as count`,
  );
  return row?.count ?? -1;
}

describe(`after ${rounds} kills under load`, () => {
  it('every acknowledged add is stored exactly once, under the returned id', async () => {
    const stored = await textsById();

    const acknowledged = [...ledger.added].filter(([, id]) => id !== null);
    const lost = acknowledged.filter(([text, id]) => stored.get(String(id)) !== text);
    const texts = [...stored.values()];
    expect(acknowledged.length).toBeGreaterThan(rounds);
    expect(lost).toEqual([]);
    expect(texts.length).toBe(new Set(texts).size);
  });

  it('every acknowledged queued add has succeeded, with its fact stored once', async () => {
    const events = await query<{ id: string; status: string }>(
      data_dir,
      'select id, status from events',
    );
    const succeeded = new Set(events.filter(isSucceeded).map(({ id }) => id));
    const stored = [...(await textsById()).values()];

    const acknowledged = [...ledger.queued].filter(([, id]) => id !== null);
    expect(acknowledged.length).toBeGreaterThan(rounds);
    expect(events.filter((event) => !isSucceeded(event))).toEqual([]);
    expect(acknowledged.filter(([, id]) => !succeeded.has(String(id)))).toEqual([]);
    expect(acknowledged.filter(([text]) => !stored.includes(text))).toEqual([]);
  });

  it('every memory has the last acknowledged text, or a later one', async () => {
    const stored = await textsById();

    for (const [id, { texts, acknowledged }] of ledger.updated) {
      expect(texts.slice(acknowledged - 1)).toContain(stored.get(id));
    }
  });

  it('what was deleted is gone', async () => {
    const stored = await textsById();

    const back = [...ledger.deleted].filter(([id, acknowledged]) => acknowledged && stored.has(id));
    expect(back).toEqual([]);
  });

  it('each change was sent to the webhook at least once, in the order of its memory', async () => {
    const changes = await query<{ memory_id: string; event: string; text: string }>(
      data_dir,
      'select memory_id, event, coalesce(new_memory, old_memory) as text from history ' +
        'order by position',
    );

    expect(byMemory(told())).toEqual(byMemory(changes));
  });

  it('each delivery was signed with the secret, its repeats with the same id and body', () => {
    const bodies = new Map<string, string>();
    const webhook = new Webhook(secret);

    for (const { headers, body } of receiver.received) {
      const id = String(headers['webhook-id']);
      expect(() => webhook.verify(body, headers as Record<string, string>)).not.toThrow();
      expect(bodies.get(id) ?? body).toBe(body);
      bodies.set(id, body);
    }
    expect(bodies.size).toBeGreaterThan(rounds);
  });

  it('the file is sound, and the service works', async () => {
    expect(await integrityOf(data_dir)).toEqual(['ok']);
    const body = { query: 'place', user_id };
    const found = await service.send('POST', '/v2/memories/search/', { body });
    expect(listOf(found).length).toBeGreaterThan(0);
  });
});

function isSucceeded({ status }: { status: string }): boolean {
  return status === 'SUCCEEDED';
}

async function textsById(): Promise<Map<string, string>> {
  const rows = await query<{ id: string; memory: string }>(
    data_dir,
    'select id, memory from memories',
  );
  return new Map(rows.map(({ id, memory }) => [id, memory]));
}

type Change = { memory_id: string; event: string; text: string };

/** What the receiver learned, in the order of first arrival. */
function told(): Change[] {
  const known = new Map<unknown, Change>();
  for (const { headers, body } of receiver.received) {
    const id = headers['webhook-id'];
    const { event_details: about } = JSON.parse(body);
    const change = { memory_id: about.id, event: about.event, text: about.data.memory };
    if (!known.has(id)) known.set(id, change);
  }
  return [...known.values()];
}

function byMemory(changes: readonly Change[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { memory_id, event, text } of changes) {
    found[memory_id] = [...(found[memory_id] ?? []), `${event} ${text}`];
  }
  return found;
}
