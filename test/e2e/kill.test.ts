import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rounds, timeFor } from '../support/rounds.ts';
import { until } from './service.ts';
import {
  callOverWire,
  integrityOf,
  makeFolder,
  query,
  shakeHands,
  startWire,
  type Wire,
} from './support.ts';

const timeout = timeFor(180_000);

/** The short lease ends soon after a restart; adds return PENDING immediately. */
const env = { MNEME_LEASE_MS: '1000', MNEME_ADD_WAIT_MS: '0' };

/** What servers have acknowledged before they were killed: texts by their code, queued events. */
type Acknowledged = { codes: string[]; events: string[] };

it(`a server killed ${rounds} times amid adds loses and repeats nothing that it acknowledged`, {
  timeout,
}, async () => {
  const data_dir = await makeFolder();
  const acknowledged: Acknowledged = { codes: [], events: [] };

  for (let round = 0; round < rounds; round += 1) {
    await addUntilKilled(data_dir, { round, acknowledged });
  }
  const last = startWire({ data_dir, env });
  await shakeHands(last);
  const statuses = await settle(last, acknowledged);

  const { codes, events } = acknowledged;
  expect(events.length).toBeGreaterThan(rounds);
  expect(codes.length).toBeGreaterThan(events.length + rounds);
  expect(new Set(statuses)).toEqual(new Set(['SUCCEEDED']));
  const times = await timesStored(data_dir);
  expect(codes.filter((code) => times.get(code) !== 1)).toEqual([]);
  expect([...times].filter(([, count]) => count !== 1)).toEqual([]);
  expect(await unevenHistories(data_dir)).toEqual([]);
  expect(await integrityOf(data_dir)).toEqual(['ok']);
});

it.each(['mneme.db', 'mneme.db-wal'])(
  'a server that is killed as soon as it has created %s leaves a usable store',
  async (name) => {
    const data_dir = await makeFolder();
    const first = startWire({ data_dir });
    const cut = callOverWire(first, 'add_memory', { text: 'Too early' }).catch(() => null);
    await until(() => existsSync(join(data_dir, name)), Boolean, { everyMs: 1 });
    first.kill('SIGKILL');
    await cut;

    const wire = startWire({ data_dir });
    const added = await callOverWire(wire, 'add_memory', { text: 'Survived' });

    expect(added.structuredContent).toMatchObject({ status: 'SUCCEEDED' });
    expect(await integrityOf(data_dir)).toEqual(['ok']);
  },
);

type Round = { round: number; acknowledged: Acknowledged };

/** Starts a server, adds without a pause, and kills it once it has acknowledged some. */
async function addUntilKilled(data_dir: string, { round, acknowledged }: Round): Promise<void> {
  const wire = startWire({ data_dir, env });
  await shakeHands(wire);
  const enough = 6 + round * 2;
  let seen = 0;
  let number = 0;
  const addOn = async (): Promise<void> => {
    for (;;) {
      const code = `R${round}N${number++}`;
      await addOne(wire, { code, inferred: number % 2 === 0, acknowledged });
      seen += 1;
      if (seen === enough) wire.kill('SIGKILL');
    }
  };

  const ends = await Promise.allSettled(Array.from({ length: 6 }, addOn));
  expect(await wire.exited).toEqual({ code: null, signal: 'SIGKILL' });
  for (const end of ends) expect(end).toMatchObject({ reason: { name: 'ServerEnded' } });
}

type Add = { code: string; inferred: boolean; acknowledged: Acknowledged };

async function addOne(wire: Wire, { code, inferred, acknowledged }: Add): Promise<void> {
  const content = `I stored the parcel ${code} in the cellar.`;
  const input = inferred ? { messages: [{ role: 'user', content }] } : { text: content };
  const { structuredContent } = await callOverWire(wire, 'add_memory', input);
  expect(structuredContent.status).toBe(inferred ? 'PENDING' : 'SUCCEEDED');
  acknowledged.codes.push(code);
  if (inferred) acknowledged.events.push(String(structuredContent.event_id));
}

/** Waits until every event has ended; returns how. */
async function settle(wire: Wire, { events }: Acknowledged): Promise<unknown[]> {
  const statuses: unknown[] = [];
  for (const event_id of events) {
    const { structuredContent } = await until(
      () => callOverWire(wire, 'get_event', { event_id }),
      ({ structuredContent: { status } }) => status === 'SUCCEEDED' || status === 'FAILED',
      { withinMs: timeout, everyMs: 1 },
    );
    statuses.push(structuredContent.status);
  }
  return statuses;
}

/** How many memories hold each code. */
async function timesStored(data_dir: string): Promise<Map<string, number>> {
  const rows = await query<{ memory: string }>(data_dir, 'select memory from memories');
  const times = new Map<string, number>();
  for (const [code] of rows.flatMap(({ memory }) => [...memory.matchAll(/R\d+N\d+/g)])) {
    times.set(code, (times.get(code) ?? 0) + 1);
  }
  return times;
}

/** Memories whose history is not exactly one ADD, and histories of no memory. */
function unevenHistories(data_dir: string): Promise<unknown[]> {
  return query(
    data_dir,
    `select memory_id, count(*) as entries from history group by memory_id having entries <> 1
     union all select id, 0 from memories where id not in (select memory_id from history)
     union all select memory_id, -1 from history where memory_id not in (select id from memories)`,
  );
}
