import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { createJobWorker } from '../../src/core/jobs/job-worker.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

describe('an add that is waited for and that rules understand', () => {
  let engine: Engine;

  afterEach(async () => {
    await engine.stop();
  });

  function add(content: string, more: Record<string, unknown> = {}) {
    const messages = [{ role: 'user', content }];
    const input = { messages, user_id: 'ann', async_mode: false, ...more };
    return engine.invoke('add_memory', input, { caller: owner });
  }

  async function memories() {
    const { results } = await engine.invoke('get_memories', { user_id: 'ann' }, { caller: owner });
    return results.map(({ memory }) => memory);
  }

  it('is stored with its event in one transaction, without a job', async () => {
    engine = await startEngine();
    const transaction = vi.spyOn(engine.deps.store, 'transaction');

    const { event_id, results } = await add('Thanks! I live in Paris.');

    expect(transaction).toHaveBeenCalledOnce();
    const event = await engine.invoke('get_event', { event_id }, { caller: owner });
    expect(event).toMatchObject({ status: 'SUCCEEDED', metadata: { by: 'rules' }, results });
    expect(await engine.store.jobs.count()).toBe(0);
  });

  it('comes after what is queued already', async () => {
    engine = await startEngine();
    await engine.worker.stop();
    await add('I live in Paris.', { async_mode: true });

    const waiting = add('I moved from Paris to Rome.');
    const worker = createJobWorker(engine.deps, { owner: 'late', lease_ms: 30_000 });
    const { results } = await waiting;
    await worker.stop();

    expect(results).toMatchObject([{ event: 'UPDATE' }]);
    expect(await memories()).toEqual(['User moved from Paris to Rome.']);
  });

  it('is left to the queue where it can not be understood at once', async () => {
    const rules = { isQuick: true, extract: vi.fn() };
    rules.extract.mockRejectedValueOnce(new ApiError('unavailable', 'no rules'));
    const nothing = { decisions: [], by: 'rules', notice: null, cost: null };
    rules.extract.mockResolvedValue(nothing);
    engine = await startEngine({ extractor: rules });

    const { status } = await add('I live in Paris.');

    expect(status).toBe('SUCCEEDED');
    expect(rules.extract).toHaveBeenCalledTimes(2);
  });

  it('stores nothing where storing fails', async () => {
    engine = await startEngine();
    const full = new ApiError('unavailable', 'no space left');
    vi.spyOn(engine.deps.store, 'transaction').mockRejectedValueOnce(full);

    await expect(add('I live in Paris.')).rejects.toThrow('no space left');

    expect(await memories()).toEqual([]);
    const { results } = await engine.invoke('list_events', {}, { caller: owner });
    expect(results.filter(({ event_type }) => event_type === 'ADD')).toEqual([]);
  });

  it('is carried out at once as well where the caller names a time to wait', async () => {
    engine = await startEngine();
    const input = { messages: 'I live in Paris.', user_id: 'ann' };

    const added = await engine.invoke('add_memory', input, { caller: owner, wait_ms: 5_000 });

    expect(added).toMatchObject({ status: 'SUCCEEDED', results: [{ event: 'ADD' }] });
  });

  it('answers PENDING when it takes longer than the caller waits, and is stored later', async () => {
    engine = await startEngine();
    await engine.worker.stop();
    await add('I live in Paris.', { async_mode: true });
    const input = { messages: 'I keep bees.', user_id: 'ann' };

    const added = await engine.invoke('add_memory', input, { caller: owner, wait_ms: 30 });
    const worker = createJobWorker(engine.deps, { owner: 'late', lease_ms: 30_000 });
    const later = await add('I work as a baker.');
    await worker.stop();

    expect(added).toMatchObject({ status: 'PENDING', results: [] });
    expect(later.status).toBe('SUCCEEDED');
    expect(await memories()).toContain('User keeps bees.');
  });
});
