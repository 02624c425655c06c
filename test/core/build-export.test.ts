import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../src/contract/limits.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import { createJobWorker } from '../../src/core/jobs/job-worker.ts';
import type { Deps } from '../../src/core/ports/index.ts';
import { createDeferred } from '../support/deferred.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

const schema = { type: 'object', properties: { city: { type: 'string' } } };

describe('the job of an export', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(async () => {
    await engine.stop();
  });

  /** An engine whose list of memories is what the test says. */
  function listing(list: Deps['store']['memories']['list']): Deps {
    const { deps } = engine;
    return { ...deps, store: { ...deps.store, memories: { ...deps.store.memories, list } } };
  }

  async function create(): Promise<string> {
    await engine.worker.stop();
    const input = { schema, user_id: 'alice' };
    return (await engine.invoke('create_export', input, { caller: owner })).id;
  }

  function get(memory_export_id: string) {
    return engine.invoke('get_export', { memory_export_id }, { caller: owner });
  }

  it('is pending until it is done', async () => {
    const id = await create();
    const before = await get(id);
    const worker = createJobWorker(engine.deps, { owner: 'other', lease_ms: 30_000 });
    await eventually(async () => expect((await get(id)).status).toBe('SUCCEEDED'));
    await worker.stop();

    expect(before).toMatchObject({ status: 'PENDING', data: null });
    expect(await get(id)).toMatchObject({ data: { city: null } });
  });

  it('fails with the reason after bounded attempts, and so does its event', async () => {
    const id = await create();
    const list = vi.fn(() => Promise.reject(new Error('secret detail of a driver')));
    const worker = createJobWorker(listing(list), { owner: 'other', lease_ms: 30_000 });
    await eventually(async () => {
      engine.clock.advance(600_000);
      worker.wake();
      expect((await get(id)).status).toBe('FAILED');
    });
    await worker.stop();

    const { message } = await get(id);
    const { results } = await engine.invoke(
      'list_events',
      { event_type: 'EXPORT' },
      { caller: owner },
    );
    expect(list).toHaveBeenCalledTimes(5);
    expect(message).toMatch(/failed: .*5 attempts.*internal/);
    expect(results).toMatchObject([{ id, status: 'FAILED', error: expect.any(String) }]);
  });

  it('fails at once when more is selected than an export holds', async () => {
    const id = await create();
    const total = limits.export_memories_max + 1;
    const list = vi.fn(async () => ({ results: [], total }));
    const worker = createJobWorker(listing(list), { owner: 'other', lease_ms: 30_000 });
    await eventually(async () => expect((await get(id)).status).toBe('FAILED'));
    await worker.stop();

    expect(list).toHaveBeenCalledTimes(1);
    expect((await get(id)).message).toContain('20000');
  });

  it('begins again when an entity is deleted that it may have read of', async () => {
    await engine.invoke('add_memory', { text: 'Likes tea', user_id: 'eve' }, { caller: owner });
    await engine.invoke('add_memory', { text: 'Likes milk', user_id: 'bob' }, { caller: owner });
    await engine.worker.stop();
    const facts = { type: 'array', items: { type: 'string' } };
    const wanted = { type: 'object', properties: { facts } };
    const input = { schema: wanted, filters: { keywords: 'Likes' } };
    const { id } = await engine.invoke('create_export', input, { caller: owner });
    const read = createDeferred();
    const deleted = createDeferred();
    const list: Deps['store']['memories']['list'] = async (...query) => {
      const found = await engine.store.memories.list(...query);
      read.resolve();
      await deleted.promise;
      return found;
    };
    const options = { owner: 'slow', lease_ms: 30_000 };
    const slow = createJobWorker(listing(list), options);
    await read.promise;

    const eve = { entity_type: 'user', entity_id: 'eve' };
    await engine.invoke('delete_entity', eve, { caller: owner });
    deleted.resolve();
    await slow.stop();
    const before = await get(id);
    const worker = createJobWorker(engine.deps, { ...options, owner: 'other' });
    await eventually(async () => expect((await get(id)).status).toBe('SUCCEEDED'));
    await worker.stop();

    expect(before.status).toBe('PENDING');
    expect((await get(id)).data).toEqual({ facts: ['Likes milk'] });
  });

  it('reads page by page, each memory once', async () => {
    const invoke = createInvoke(engine.deps);
    const messages = Array.from({ length: limits.messages_max }, (_, index) => ({
      role: 'user',
      content: `Fact ${index}`,
    }));
    const input = { messages, user_id: 'alice', infer: false };
    await invoke('add_memory', input, { caller: owner });
    await invoke('add_memory', { text: 'The oldest page', user_id: 'alice' }, { caller: owner });
    const facts = { type: 'array', items: { type: 'string' } };
    const created = await invoke(
      'create_export',
      { schema: { type: 'object', properties: { facts } }, user_id: 'alice' },
      { caller: owner },
    );

    const { data } = await eventually(async () => {
      const answer = await get(created.id);
      expect(answer.status).toBe('SUCCEEDED');
      return answer;
    });

    expect(new Set((data as { facts: string[] }).facts).size).toBe(1001);
    expect((data as { facts: string[] }).facts).toHaveLength(1001);
  });
});
