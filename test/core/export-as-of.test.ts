import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract.ts';
import type { PastTime } from '../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { exported, importInto, type Line, textOf } from './archive-lines.ts';

let engine: Engine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.stop());

function exportedAsOf(past: PastTime, ids = {}) {
  return exported(engine, engine.projects.own, { ids, past });
}

function invoke<N extends OperationName>(name: N, input: Record<string, unknown>) {
  return engine.invoke(name, input, { caller: owner });
}

async function add(text: string, input: Record<string, unknown> = {}): Promise<string> {
  const { results } = await invoke('add_memory', { text, user_id: 'ann', ...input });
  return results[0]?.id ?? '';
}

describe('an exported project', () => {
  it('of an earlier time holds the memories of then, as they were', async () => {
    const home = await add('Ann lives in Paris', { enable_graph: true });
    await add('Ann has a cat');
    const gone = await add('Ann plays chess', { agent_id: 'guide' });
    const as_of = engine.clock.now();
    engine.clock.advance(60_000);
    await invoke('update_memory', { memory_id: home, text: 'Ann lives in Rome' });
    await invoke('delete_memory', { memory_id: gone });
    await add('Bob has a dog', { user_id: 'bob' });

    const lines = await exportedAsOf({ as_of, valid_at: null });
    const other = await startEngine();
    other.clock.advance(3600_000);
    await importInto(other, textOf(lines));
    const { results } = await other.invoke('get_memories', { user_id: 'ann' }, { caller: owner });
    await other.stop();

    const texts = ['Ann has a cat', 'Ann lives in Paris', 'Ann plays chess'];
    expect(lines[0]).toMatchObject({ mneme: 'export', as_of, valid_at: null });
    expect(lines.at(-1)).toEqual({ kind: 'end', lines: { entity: 2, memory: 3 } });
    expect(results.map(({ memory }) => memory).toSorted()).toEqual(texts);
    const paris = lines.find(({ id }) => id === home);
    expect(paris).toMatchObject({ recorded_from: as_of, relations: [{ target: 'Paris' }] });
  });

  it('of an earlier time holds one entity, and nothing that was erased', async () => {
    await add('Ann lives in Paris');
    await add('Bob has a dog', { user_id: 'bob' });
    const as_of = engine.clock.now();
    engine.clock.advance(60_000);
    await invoke('delete_entity', { entity_type: 'user', entity_id: 'ann' });
    const past = { as_of, valid_at: null };

    const all = await exportedAsOf(past);
    const own = await exportedAsOf(past, { user_id: 'ann' });

    const textsOf = (lines: Line[]) => lines.flatMap(({ memory }) => memory ?? []);
    expect(textsOf(all)).toEqual(['Bob has a dog']);
    expect(textsOf(own)).toEqual([]);
  });

  it('holds what was true at a time', async () => {
    const home = await add('Ann lives in Paris', { valid_from: '2018-01-01' });
    engine.clock.advance(60_000);
    const text = 'Ann lives in Rome';
    await invoke('update_memory', { memory_id: home, text, valid_from: '2026-01-01' });
    const as_of = engine.clock.now();

    const past = { as_of, valid_at: '2020-01-01T00:00:00.000Z' };
    const lines = await exportedAsOf(past);

    expect(lines.filter(({ kind }) => kind === 'memory')).toMatchObject([
      { id: home, memory: 'Ann lives in Paris' },
    ]);
  });

  it('of an earlier time and more than a page has every memory once', async () => {
    const content = Array.from({ length: 603 }, (_, at) => `No ${at}`);
    const messages = content.map((one) => ({ role: 'user', content: one }));
    await invoke('add_memory', { messages, user_id: 'u', infer: false });
    const as_of = engine.clock.now();
    engine.clock.advance(60_000);
    const { results } = await invoke('get_memories', { user_id: 'u', page_size: 100 });
    const changed = results.map(({ id }) => ({ memory_id: id, text: `Not ${id}` }));
    await invoke('batch_update_memories', { memories: changed });

    const lines = await exportedAsOf({ as_of, valid_at: null });

    const held = lines.filter(({ kind }) => kind === 'memory').map(({ memory }) => memory);
    expect(held.toSorted()).toEqual(content.toSorted());
  });
});
