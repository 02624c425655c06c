import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Input, OperationName } from '../../src/contract.ts';
import { createJobWorker } from '../../src/core/jobs/job-worker.ts';
import { createDeferred } from '../support/deferred.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { extractorFrom } from '../support/extractor.ts';

let engine: Engine;

afterEach(async () => {
  await engine.stop();
});

function call<N extends OperationName>(name: N, input: Input<N> | object) {
  return engine.invoke(name, input as Input<N>, { caller: owner });
}

async function add(more: object = {}, content = 'I live in Lisbon.'): Promise<string> {
  const messages = [{ role: 'user', content }];
  return (await call('add_memory', { messages, user_id: 'ann', ...more })).event_id;
}

async function statusOf(event_id: string) {
  const { status, error } = await call('get_event', { event_id });
  return [status, error];
}

async function countOf(input: object): Promise<number> {
  return (await call('get_memories', input)).total;
}

/** Another process takes the queue over, until it is empty. */
async function workOff(): Promise<void> {
  const worker = createJobWorker(engine.deps, { owner: 'other', lease_ms: 30_000 });
  onTestFinished(() => worker.stop());
  worker.wake();
  await eventually(async () => expect(await engine.store.jobs.count()).toBe(0));
}

const deleted = ['FAILED', 'what it was about was deleted before this was done'];
const erased = ['FAILED', 'what it was about was erased before this was done'];

describe('an add that was accepted before a delete', () => {
  async function startWithoutWorker(): Promise<void> {
    engine = await startEngine();
    await engine.worker.stop();
  }

  it('is ended while it waits, and those of others are not', async () => {
    await startWithoutWorker();
    const own = await add();
    const other = await add({ user_id: 'bob' });
    const { deleted: count } = await call('delete_all_memories', { user_id: 'ann' });
    await workOff();

    expect(count).toBe(0);
    expect(await statusOf(own)).toEqual(deleted);
    expect((await statusOf(other))[0]).toBe('SUCCEEDED');
    expect([await countOf({ user_id: 'ann' }), await countOf({ user_id: 'bob' })]).toEqual([0, 1]);
  });

  it('is ended while a model reads it, and one that comes after the delete is not', async () => {
    const thinking = createDeferred();
    engine = await startEngine({
      extractor: extractorFrom(async ([source]) => {
        await thinking.promise;
        return source ? [{ text: source.content, source }] : [];
      }),
    });
    const before = await add();
    await eventually(async () => expect((await statusOf(before))[0]).toBe('RUNNING'));
    await call('delete_all_memories', { user_id: 'ann' });
    const after = await add({}, 'I live in Porto.');
    thinking.resolve();
    await eventually(async () => expect((await statusOf(after))[0]).toBe('SUCCEEDED'));

    expect(await statusOf(before)).toEqual(deleted);
    const { results } = await call('get_memories', { user_id: 'ann' });
    expect(results.map(({ memory }) => memory)).toEqual(['I live in Porto.']);
  });

  it('is ended where a part of it is stored, and that part is deleted', async () => {
    engine = await startEngine({
      extractor: extractorFrom(async ([source]) =>
        source ? Array.from({ length: 1500 }, (_, at) => ({ text: `Fact ${at}`, source })) : [],
      ),
    });
    const event_id = await add();
    await eventually(async () => expect(await countOf({ user_id: 'ann' })).toBeGreaterThan(0));
    const answer = await call('delete_all_memories', { user_id: 'ann' });
    await eventually(async () => expect(await engine.store.jobs.count()).toBe(0));

    expect(answer.deleted).toBeLessThan(1500);
    expect(await statusOf(event_id)).toEqual(deleted);
    expect(await countOf({ user_id: 'ann' })).toBe(0);
  });

  it('is ended where ids and metadata alone say that all of it matches', async () => {
    await startWithoutWorker();
    const user_id = 'ann';
    const ended = [
      await add({ metadata: { topic: 'home' } }),
      await add({ agent_id: 'guide', metadata: { topic: 'home', year: 2026 } }),
    ];
    const kept = [await add({ metadata: { topic: 'work' } }), await add()];
    await call('delete_all_memories', { user_id, metadata: { topic: 'home' } });
    await call('delete_all_memories', { user_id, filters: { categories: { in: ['travel'] } } });
    await call('delete_all_memories', { user_id, filters: { text: { contains: 'Lisbon' } } });
    await call('delete_all_memories', { user_id, filters: { agent_id: 'guide' } });

    for (const id of ended) expect(await statusOf(id)).toEqual(deleted);
    for (const id of kept) expect(await statusOf(id)).toEqual(['PENDING', null]);
  });

  it('is not ended by the deletion of a memory by its id', async () => {
    engine = await startEngine();
    const { results } = await call('add_memory', { text: 'Likes tea', user_id: 'ann' });
    await engine.worker.stop();
    const event_id = await add();
    await call('delete_memory', { memory_id: results[0]?.id ?? '' });

    expect(await statusOf(event_id)).toEqual(['PENDING', null]);
  });

  it('makes its user known: erasing the user ends and empties it', async () => {
    await startWithoutWorker();
    const event_id = await add();
    await expect(
      call('delete_entity', { entity_type: 'user', entity_id: 'bob' }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await call('delete_entity', { entity_type: 'user', entity_id: 'ann' });
    await workOff();

    expect(await statusOf(event_id)).toEqual(erased);
    expect(await call('get_event', { event_id })).toMatchObject({ payload: {} });
    expect(await countOf({ user_id: 'ann' })).toBe(0);
  });

  it('is ended and emptied where memories are erased by a filter', async () => {
    await startWithoutWorker();
    const event_id = await add();
    await call('erase_memories', { user_id: 'ann' });
    await workOff();

    expect(await statusOf(event_id)).toEqual(erased);
    expect(await call('get_event', { event_id })).toMatchObject({ payload: {} });
    expect(await countOf({ user_id: 'ann' })).toBe(0);
  });
});
