import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMemory } from '../storage/memory.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { type Stretches, stretchesOf } from '../support/stretches.ts';

/** So many that work on all of them takes several times as long as its longest part may. */
const count = 6000;

let engine: Engine;

const call = <N extends Parameters<Engine['invoke']>[0]>(name: N, input: object) =>
  engine.invoke(name, input, { caller: owner });

async function addMemories(user_id: string): Promise<void> {
  const updated_at = engine.clock.now();
  const project = engine.projects.own;
  const terms = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
  await engine.store.transaction(async ({ memories }) => {
    for (let start = 0; start < count; start += 1000) {
      const made = Array.from({ length: 1000 }, (_, at) => {
        const memory = `${terms} ${start + at}`;
        const id = `${user_id}-${start + at}`;
        return makeMemory({ id, user_id, memory, hash: id, terms, updated_at });
      });
      await memories.insert(project, made);
    }
  });
}

/** No part is more than half of the whole: at once, one is nearly all of it. */
async function expectTurns(work: () => Promise<unknown>): Promise<Stretches> {
  const stretches = await stretchesOf(work);
  expect(stretches.longest).toBeLessThan(stretches.total / 2);
  return stretches;
}

describe('others have their turn', () => {
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine.stop());

  it('while the past of thousands of memories is searched', async () => {
    await addMemories('ann');
    const as_of = engine.clock.now();
    const search = () => call('search_memories', { query: 'word7 word9', user_id: 'ann', as_of });
    engine.clock.advance(1000);

    await expectTurns(search);
    await call('delete_all_memories', { user_id: 'ann' });
    await expectTurns(search);
  });

  it('while thousands of memories are deleted and brought back', async () => {
    await addMemories('bob');
    let event_id = '';
    const remove = async () => {
      const deleted = await call('delete_all_memories', { user_id: 'bob' });
      if ('event_id' in deleted) event_id = String(deleted.event_id);
      expect(deleted).toMatchObject({ deleted: count });
    };

    await expectTurns(remove);
    await expectTurns(() => call('undo_changes', { event_id, dry_run: true }));
    await expectTurns(() => call('undo_changes', { event_id }));
  });

  it('while thousands of memories are erased', async () => {
    await addMemories('eve');

    await expectTurns(() => call('erase_memories', { user_id: 'eve' }));
  });
});
