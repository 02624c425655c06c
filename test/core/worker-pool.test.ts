import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createWorkerPool, type Worker } from '../../src/core/queue/worker-pool.ts';
import { createDeferred } from '../support/deferred.ts';
import { eventually } from '../support/eventually.ts';

describe('lanes', () => {
  let worker: Worker | undefined;

  afterEach(async () => {
    await worker?.stop();
  });

  /** Work that waits to be let go, and how much of it is at hand. */
  function startWith(concurrency: number, count: number) {
    const queue = Array.from({ length: count }, () => createDeferred());
    const work = { waiting: [...queue], underway: 0, most: 0, done: 0, asked: 0 };
    worker = createWorkerPool({
      name: 'the test',
      concurrency,
      log: () => {},
      claim: async () => {
        work.asked += 1;
        const next = work.waiting.shift();
        if (next === undefined) return null;
        return async () => {
          work.underway += 1;
          work.most = Math.max(work.most, work.underway);
          await next.promise;
          work.underway -= 1;
          work.done += 1;
        };
      },
    });
    return { work, queue, worker };
  }

  it('take as much at once as they are allowed to, and all in the end', async () => {
    const { work, queue } = startWith(3, 10);
    await eventually(() => expect(work.underway).toBe(3));
    for (const { resolve } of queue) resolve();
    await eventually(() => expect(work.done).toBe(10));

    expect(work.most).toBe(3);
  });

  it('take new work while an earlier piece is at hand', async () => {
    const { work, queue, worker: lanes } = startWith(2, 1);
    await eventually(() => expect(work.underway).toBe(1));
    const late = createDeferred();
    work.waiting.push(late);
    lanes.wake();
    await eventually(() => expect(work.underway).toBe(2));

    expect(work.done).toBe(0);
    for (const { resolve } of [...queue, late]) resolve();
  });

  it('ask once when there is nothing to do', async () => {
    const { work } = startWith(8, 0);
    await eventually(() => expect(work.asked).toBe(1));
    for (let turn = 0; turn < 10; turn += 1) await turnOfOthers();

    expect(work.asked).toBe(1);
  });

  it('go on after the store was away', async () => {
    const log = vi.fn();
    const claim = vi
      .fn<() => Promise<(() => Promise<void>) | null>>()
      .mockRejectedValueOnce(new Error('locked'))
      .mockResolvedValueOnce(async () => {})
      .mockResolvedValue(null);
    worker = createWorkerPool({ name: 'the test', concurrency: 1, log, claim });
    await eventually(() => expect(log).toHaveBeenCalledOnce());
    worker.wake();
    await eventually(() => expect(claim.mock.calls.length).toBeGreaterThanOrEqual(3));

    expect(log).toHaveBeenCalledWith('warn', 'work could not be claimed from the test', {
      error: 'locked',
    });
  });

  it('let what is at hand end when they stop, and take no more', async () => {
    const { work, queue, worker: lanes } = startWith(1, 2);
    await eventually(() => expect(work.underway).toBe(1));
    let stopped = false;
    const stopping = lanes.stop().then(() => {
      stopped = true;
    });
    await turnOfOthers();
    const before = stopped;
    for (const { resolve } of queue) resolve();
    await stopping;
    lanes.wake();

    expect(before).toBe(false);
    expect(work).toMatchObject({ done: 1, underway: 0 });
  });
});
