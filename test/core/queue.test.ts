import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { createJobWorker } from '../../src/core/jobs/job-worker.ts';
import { addMs } from '../../src/core/queue/add-ms.ts';
import { createDeferred } from '../support/deferred.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { type Extract, extractorFrom } from '../support/extractor.ts';
import { isDue } from '../support/jobs.ts';

const messages = [{ role: 'user', content: 'I live in Lisbon.' }];

describe('the queue of inferred adds', () => {
  let engine: Engine;

  afterEach(async () => {
    await engine.stop();
  });

  async function add(more: Record<string, unknown> = {}): Promise<string> {
    const input = { messages, user_id: 'alice', ...more };
    const { event_id } = await engine.invoke('add_memory', input, { caller: owner });
    return event_id;
  }

  function eventOf(event_id: string) {
    return engine.invoke('get_event', { event_id }, { caller: owner });
  }

  it('answers PENDING at once, then RUNNING while a model thinks, then SUCCEEDED', async () => {
    const thinking = createDeferred();
    engine = await startEngine({
      extractor: extractorFrom(async ([source]) => {
        await thinking.promise;
        return source ? [{ text: 'Lives in Lisbon', source }] : [];
      }),
    });

    const { status, event_id } = await engine.invoke(
      'add_memory',
      { messages, user_id: 'alice' },
      { caller: owner },
    );
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('RUNNING'));
    const running = await eventOf(event_id);
    thinking.resolve();
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('SUCCEEDED'));

    expect(status).toBe('PENDING');
    expect(running).toMatchObject({ completed_at: null, latency: null, results: [] });
    expect((await eventOf(event_id)).results).toMatchObject([{ memory: 'Lives in Lisbon' }]);
  });

  it('goes on after its clock stepped back, and after a start with one that is behind', async () => {
    engine = await startEngine({ extractor: extractorFrom(failingTimes(0)) });
    const today = engine.clock.now();
    await engine.worker.stop();
    engine.clock.advance(24 * 60 * 60 * 1000);
    const before = await add();

    engine.clock.set(today);
    const worker = createJobWorker(engine.deps, { owner: 'next', lease_ms: 30_000 });
    onTestFinished(() => worker.stop());
    await eventually(async () => expect((await eventOf(before)).status).toBe('SUCCEEDED'));

    const yesterday = addMs(today, -24 * 60 * 60 * 1000);
    const { jobs } = engine.store;
    const ahead = {
      id: 'ahead',
      kind: 'process_event',
      subject_id: 'none',
      run_at: today,
    } as const;
    await engine.store.transaction((tx) => tx.jobs.enqueue(engine.projects.own, ahead));
    engine.clock.set(yesterday);
    worker.wake();
    await eventually(async () => expect(await jobs.count()).toBe(0));
  });

  it('tries again after a failure, later each time', async () => {
    const extract = failingTimes(2);
    engine = await startEngine({ extractor: extractorFrom(extract) });

    const event_id = await add();
    await eventually(async () => {
      engine.clock.advance(60_000);
      engine.worker.wake();
      expect((await eventOf(event_id)).status).toBe('SUCCEEDED');
    });

    expect(extract).toHaveBeenCalledTimes(3);
  });

  it('settles as FAILED with the reason after bounded attempts', async () => {
    const extract = failingTimes(Number.POSITIVE_INFINITY);
    engine = await startEngine({ extractor: extractorFrom(extract) });

    const event_id = await add();
    await eventually(async () => {
      engine.clock.advance(600_000);
      engine.worker.wake();
      expect((await eventOf(event_id)).status).toBe('FAILED');
    });

    const event = await eventOf(event_id);
    expect(event.error).toContain('5 attempts');
    expect(event.error).not.toContain('secret detail');
    expect(event.results).toEqual([]);
    expect(extract).toHaveBeenCalledTimes(5);
  });

  it('waits for what is away as long as it takes, without using up its attempts', async () => {
    const away = 20;
    const extract = vi.fn<Extract>(async ([source]) => {
      if (extract.mock.calls.length <= away) throw new ApiError('unavailable', 'no answer');
      return source ? [{ text: 'Lives in Lisbon', source }] : [];
    });
    engine = await startEngine({ extractor: extractorFrom(extract), lease_ms: 3_600_000 });

    const event_id = await add();
    for (let minute = 0; minute < away; minute += 1) {
      await eventually(() => expect(extract).toHaveBeenCalledTimes(minute + 1));
      await eventually(async () => expect(await isDue(engine, 60_000)).toBe(true));
      engine.clock.advance(60_000);
      engine.worker.wake();
    }
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('SUCCEEDED'));

    expect(extract).toHaveBeenCalledTimes(away + 1);
  });

  it('asks less often for what has been away for longer', async () => {
    const extract = vi.fn<Extract>(async () => {
      throw new ApiError('unavailable', 'no answer');
    });
    engine = await startEngine({ extractor: extractorFrom(extract), lease_ms: 3_600_000 });

    await add();
    for (const [index, pauseMs] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
      await eventually(() => expect(extract).toHaveBeenCalledTimes(index + 1));
      await eventually(async () => expect(await isDue(engine, 60_000)).toBe(true));
      expect(await isDue(engine, pauseMs - 1)).toBe(false);
      engine.clock.advance(pauseMs);
      engine.worker.wake();
    }
  });

  it('does not count what a full disk keeps it from giving back', async () => {
    let full = true;
    engine = await startEngine();
    await engine.worker.stop();
    const event_id = await add();
    const { store } = engine;
    let refused = 0;
    const whenFree = async <T>(run: () => Promise<T>): Promise<T> => {
      if (!full) return run();
      refused += 1;
      throw new ApiError('unavailable', 'no space left');
    };
    const claim = vi.fn(store.jobs.claim);
    const worker = createJobWorker(
      {
        ...engine.deps,
        store: {
          ...store,
          transaction: (run) => whenFree(() => store.transaction(run)),
          jobs: {
            ...store.jobs,
            claim,
            defer: (...args) => whenFree(() => store.jobs.defer(...args)),
          },
        },
      },
      { owner: 'other', lease_ms: 1_000 },
    );
    onTestFinished(() => worker.stop());

    // The lease runs out again and again while nothing can be written.
    for (let round = 0; round < 20; round += 1) {
      const before = refused;
      engine.clock.advance(2_000);
      worker.wake();
      await eventually(() => expect(refused).toBeGreaterThan(before));
    }
    full = false;
    await eventually(async () => {
      engine.clock.advance(60_000);
      worker.wake();
      expect((await eventOf(event_id)).status).toBe('SUCCEEDED');
    });

    expect(claim).toHaveBeenCalled();
  });

  it('counts no attempt that a stop interrupted', async () => {
    const waiting: Extract = (_messages, signal) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(new Error('stopped'));
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
    engine = await startEngine({ extractor: extractorFrom(waiting) });
    const event_id = await add();
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('RUNNING'));
    await engine.worker.stop();
    for (let restart = 0; restart < 10; restart += 1) {
      const started = createDeferred();
      const extract: Extract = (...args) => {
        started.resolve();
        return waiting(...args);
      };
      const deps = { ...engine.deps, extractor: extractorFrom(extract) };
      const worker = createJobWorker(deps, { owner: `restart ${restart}`, lease_ms: 30_000 });
      await started.promise;
      await worker.stop();
    }

    const last = createJobWorker(
      { ...engine.deps, extractor: extractorFrom(failingTimes(0)) },
      { owner: 'last', lease_ms: 30_000 },
    );
    onTestFinished(() => last.stop());
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('SUCCEEDED'));
  });

  it('is taken over by another process when a lease runs out, and applied once', async () => {
    const stuck = createDeferred();
    let calls = 0;
    const extractor = extractorFrom(async ([source]) => {
      calls += 1;
      if (calls === 1) await stuck.promise;
      return source ? [{ text: `Found by claim ${calls}`, source }] : [];
    });
    engine = await startEngine({ extractor, lease_ms: 1_000 });

    const event_id = await add();
    await eventually(() => expect(calls).toBe(1));
    engine.clock.advance(2_000);
    const other = createJobWorker(engine.deps, { owner: 'other', lease_ms: 1_000 });
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('SUCCEEDED'));
    stuck.resolve();
    await other.stop();
    await engine.worker.stop();

    const { results } = await engine.invoke(
      'get_memories',
      { user_id: 'alice' },
      { caller: owner },
    );
    expect(results.map(({ memory }) => memory)).toEqual(['Found by claim 2']);
  });

  it('is done after all when the processes that began it were killed one after the other', async () => {
    engine = await startEngine();
    await engine.worker.stop();
    const event_id = await add();
    for (let killed = 0; killed < 11; killed += 1) await claimAndDie();

    takeUp();
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('SUCCEEDED'));
  });

  it('gives up what may be the reason that processes die', async () => {
    engine = await startEngine();
    await engine.worker.stop();
    const event_id = await add();
    for (let killed = 0; killed < 12; killed += 1) await claimAndDie();

    takeUp();
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('FAILED'));

    expect((await eventOf(event_id)).error).toContain('process');
  });

  it('is held for longer by each claim after the first', async () => {
    const stuck = createDeferred();
    engine = await startEngine({
      extractor: extractorFrom(async () => {
        await stuck.promise;
        return [];
      }),
      lease_ms: 30_000,
    });
    await engine.worker.stop();
    const event_id = await add();
    for (let killed = 0; killed < 3; killed += 1) await claimAndDie();

    takeUp();
    await eventually(async () => expect(await isDue(engine, 8 * 30_000 - 1)).toBe(false));
    expect((await eventOf(event_id)).status).toBe('RUNNING');
    expect(await isDue(engine, 8 * 30_000)).toBe(true);
    stuck.resolve();
  });

  /** What a process that is killed at once leaves: a claim that nobody gives back. */
  async function claimAndDie(): Promise<void> {
    const now = engine.clock.now();
    const job = await engine.store.jobs.claim({ owner: 'killed', now, until: addMs(now, 1) });
    expect(job).not.toBeNull();
    engine.clock.advance(2);
  }

  function takeUp(): void {
    const worker = createJobWorker(engine.deps, { owner: 'alive', lease_ms: 30_000 });
    onTestFinished(() => worker.stop());
  }

  it('drops the work of an entity that is deleted meanwhile', async () => {
    const stuck = createDeferred();
    engine = await startEngine({
      extractor: extractorFrom(async ([source]) => {
        await stuck.promise;
        return source ? [{ text: 'Came too late', source }] : [];
      }),
    });
    await engine.invoke('add_memory', { text: 'One', user_id: 'alice' }, { caller: owner });

    const event_id = await add();
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('RUNNING'));
    const target = { entity_type: 'user', entity_id: 'alice' };
    await engine.invoke('delete_entity', target, { caller: owner });
    stuck.resolve();
    await engine.worker.stop();

    const { total } = await engine.invoke('get_memories', { user_id: 'alice' }, { caller: owner });
    expect(total).toBe(0);
    expect(await eventOf(event_id)).toMatchObject({ status: 'FAILED', payload: {} });
  });

  it('hands work back when the process stops in the middle', async () => {
    engine = await startEngine({
      extractor: extractorFrom(
        (_messages, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new Error('stopped')));
          }),
      ),
    });

    const event_id = await add();
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('RUNNING'));
    await engine.worker.stop();
    const extractor = extractorFrom(async ([source]) => (source ? [{ text: 'Done', source }] : []));
    const other = createJobWorker(
      { ...engine.deps, extractor: extractor },
      { owner: 'other', lease_ms: 1_000 },
    );
    await eventually(async () => expect((await eventOf(event_id)).status).toBe('SUCCEEDED'));
    await other.stop();
  });
});

function failingTimes(times: number) {
  let failures = 0;
  return vi.fn<Extract>(async ([source]) => {
    failures += 1;
    if (failures <= times) throw new Error('secret detail of a library');
    return source ? [{ text: 'Lives in Lisbon', source }] : [];
  });
}
