import { expect, it } from 'vitest';
import { rounds, timeFor } from '../support/rounds.ts';
import { until } from './service.ts';
import { callOverWire, integrityOf, makeFolder, query, shakeHands, startWire } from './support.ts';

const timeout = timeFor(180_000);
/** Several of the batches in which a store from before gets its vectors. */
const memories = 1200;

/** A store whose memories have no vectors, as one from before the tables of the package. */
async function makeOldStore(data_dir: string): Promise<void> {
  const wire = startWire({ data_dir, flags: ['--no-static-embedder'] });
  await shakeHands(wire);
  for (let number = 0; number < memories; number += 1) {
    const text = number === 0 ? 'I train taekwondo' : `Box ${number} holds plates`;
    await callOverWire(wire, 'add_memory', { text });
  }
  wire.end();
  await wire.exited;
}

async function vectorsIn(data_dir: string): Promise<number> {
  const [row] = await query<{ held: number }>(data_dir, 'select count(*) as held from vectors');
  return row?.held ?? 0;
}

it('a server killed while it brings a store up to date goes on where it was', {
  timeout,
}, async () => {
  const data_dir = await makeFolder();
  await makeOldStore(data_dir);
  expect(await vectorsIn(data_dir)).toBe(0);

  let held = 0;
  for (let round = 0; round < rounds && held < memories; round += 1) {
    const wire = startWire({ data_dir, env: { MNEME_LEASE_MS: '1000' } });
    await shakeHands(wire);
    await callOverWire(wire, 'search_memories', { query: 'plates' });
    const before = held;
    await until(
      () => vectorsIn(data_dir),
      (count) => count > before,
      { withinMs: 60_000, everyMs: 1 },
    );
    wire.kill('SIGKILL');
    await wire.exited;
    const now = await vectorsIn(data_dir);
    expect(now).toBeGreaterThan(held);
    if (round === 0) expect(now).toBeLessThan(memories);
    held = now;
    expect(await integrityOf(data_dir)).toEqual(['ok']);
  }

  const last = startWire({ data_dir, env: { MNEME_LEASE_MS: '1000' } });
  await shakeHands(last);
  await callOverWire(last, 'search_memories', { query: 'plates' });
  await until(
    () => vectorsIn(data_dir),
    (count) => count >= memories,
    { withinMs: 60_000, everyMs: 20 },
  );
  const found = await callOverWire(last, 'search_memories', { query: 'any martial arts?' });

  expect(found.structuredContent.results).toMatchObject([{ memory: 'I train taekwondo' }]);
  const [row] = await query<{ twice: number }>(
    data_dir,
    'select count(*) as twice from (select 1 from vectors group by position having count(*) > 1)',
  );
  expect(row?.twice).toBe(0);
  expect(await vectorsIn(data_dir)).toBe(memories);
});
