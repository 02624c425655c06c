import { cp } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { pause } from '../support/pause.ts';
import { rounds, timeFor } from '../support/rounds.ts';
import { callOverWire, integrityOf, makeFolder, query, shakeHands, startWire } from './support.ts';

const timeout = timeFor(180_000);
const memories = 300;

/** A store with memories that one event has changed; returns that event. */
async function makeStore(data_dir: string): Promise<string> {
  const wire = startWire({ data_dir });
  await shakeHands(wire);
  const changed: { memory_id: string; text: string }[] = [];
  for (let number = 0; number < memories; number += 1) {
    const text = `Box ${number} holds plates`;
    const { structuredContent } = await callOverWire(wire, 'add_memory', { text });
    const [result] = structuredContent.results as [{ id: string }];
    changed.push({ memory_id: result.id, text: `Box ${number} is empty` });
  }
  await callOverWire(wire, 'batch_update_memories', { memories: changed });
  wire.end();
  await wire.exited;
  const [row] = await query<{ id: string }>(
    data_dir,
    'select ended_by as id from memory_versions limit 1',
  );
  return row?.id ?? '';
}

/** How many memories are as they were first, and how many versions overlap others. */
async function stateOf(data_dir: string) {
  const [row] = await query<{ changed_back: number; broken: number }>(
    data_dir,
    `select (select count(*) from memories where memory like '%holds plates') as changed_back,
      (select count(*) from memory_versions one
        where recorded_until < recorded_from or exists (
          select 1 from memory_versions other
          where other.project_key = one.project_key and other.id = one.id and other.key <> one.key
            and other.recorded_from < one.recorded_until
            and other.recorded_until > one.recorded_from)) as broken`,
  );
  return row;
}

it('a server killed amid an undo has done all of it or nothing', { timeout }, async () => {
  const data_dir = await makeFolder();
  const event_id = await makeStore(data_dir);

  for (let round = 0; round < 2 * rounds; round += 1) {
    const copy = await makeFolder();
    await cp(data_dir, copy, { recursive: true });
    const wire = startWire({ data_dir: copy });
    await shakeHands(wire);
    const cut = callOverWire(wire, 'manage_changes', { action: 'undo', event_id }).catch(
      () => null,
    );
    // Nothing shows from outside how far an undo is.
    await pause((round * 17) % 100);
    wire.kill('SIGKILL');
    const answer = await cut;
    await wire.exited;

    const state = await stateOf(copy);
    expect(state?.broken).toBe(0);
    expect(answer === null ? [0, memories] : [memories]).toContain(state?.changed_back);
    expect(await integrityOf(copy)).toEqual(['ok']);
  }
});

it('two servers that undo the same event do it once', { timeout }, async () => {
  const data_dir = await makeFolder();
  const event_id = await makeStore(data_dir);
  const wires = [startWire({ data_dir }), startWire({ data_dir })];
  await Promise.all(wires.map((wire) => shakeHands(wire)));

  const answers = await Promise.all(
    wires.map((wire) => callOverWire(wire, 'manage_changes', { action: 'undo', event_id })),
  );

  const counts = answers.map(({ structuredContent }) => {
    const { changes, conflicts } = structuredContent as { changes: object[]; conflicts: object[] };
    return [changes.length, conflicts.length];
  });
  expect(counts.toSorted(([one = 0], [other = 0]) => one - other)).toEqual([
    [0, memories],
    [memories, 0],
  ]);
  expect(await stateOf(data_dir)).toEqual({ changed_back: memories, broken: 0 });
});
