import { describe, expect, it } from 'vitest';
import type { PlannedDecision, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { eraseEntity } from './erase-entity.ts';
import { later, makeEvent, now } from './memory.ts';
import { makeStore } from './support.ts';

function enqueue(store: Store, project: ProjectRef, id: string, run_at = now): Promise<void> {
  const job = { id, kind: 'process_event', subject_id: `event of ${id}`, run_at } as const;
  return store.transaction((tx) => tx.jobs.enqueue(project, job));
}

const lease = { owner: 'w1', now, until: later(30) };

describe('a job', () => {
  it('is claimed with all that a worker needs', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');

    expect(await store.jobs.claim(lease)).toStrictEqual({
      id: 'j1',
      kind: 'process_event',
      project,
      subject_id: 'event of j1',
      attempts: 1,
      deferrals: 0,
      lease_owner: 'w1',
    });
  });

  it('is claimed by only one worker while its lease is active', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');

    const claims = await Promise.all([
      store.jobs.claim(lease),
      store.jobs.claim({ ...lease, owner: 'w2' }),
    ]);

    expect(claims.filter((job) => job !== null)).toHaveLength(1);
    expect(await store.jobs.claim({ ...lease, owner: 'w3', now: later(29) })).toBeNull();
  });

  it('is not claimed before its time', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1', later(5));

    expect(await store.jobs.claim({ ...lease, now: later(4) })).toBeNull();
    expect(await store.jobs.claim({ ...lease, now: later(5) })).toMatchObject({ id: 'j1' });
  });

  it('does not wait for a time that a clock which stepped back has left ahead', async () => {
    const { store, project } = await makeStore();
    const times = {
      now,
      until: later(30),
      latest_run: later(120),
      latest_leases: [later(90), later(150)],
    };
    await enqueue(store, project, 'ahead', later(3600));
    await enqueue(store, project, 'paused', later(120));
    await enqueue(store, project, 'held');
    const held = await store.jobs.claim({ ...lease, until: later(3600) });

    await store.jobs.bringForward(times);

    const claim = async (seconds: number) =>
      (await store.jobs.claim({ ...lease, owner: 'w2', now: later(seconds), until: later(400) }))
        ?.id;
    expect(held?.id).toBe('held');
    expect([await claim(0), await claim(0)]).toEqual(['ahead', undefined]);
    expect([await claim(30), await claim(119), await claim(120)]).toEqual([
      'held',
      undefined,
      'paused',
    ]);
  });

  it('keeps a lease that its number of attempts allows', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    await store.jobs.claim({ ...lease, until: now });
    await store.jobs.claim({ ...lease, until: later(150) });
    const times = { now, until: later(30), latest_run: later(120) };

    await store.jobs.bringForward({ ...times, latest_leases: [later(90), later(150)] });
    expect(await store.jobs.claim({ ...lease, now: later(149) })).toBeNull();

    await store.jobs.bringForward({ ...times, latest_leases: [later(90), later(149)] });
    expect(await store.jobs.claim({ ...lease, now: later(30) })).toMatchObject({ attempts: 3 });
  });

  it('comes before those that were queued after it', async () => {
    const { store, project, other } = await makeStore();
    await enqueue(store, project, 'later', later(1));
    await enqueue(store, project, 'j1');
    await enqueue(store, other, 'j2');
    const claim = async () => (await store.jobs.claim({ ...lease, now: later(9) }))?.id;

    expect([await claim(), await claim(), await claim()]).toEqual(['j1', 'j2', 'later']);
  });

  it('that is finished is gone', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    const job = await store.jobs.claim(lease);
    if (job === null) throw new Error('no job');

    expect(await store.jobs.finish(job)).toBe(true);
    expect(await store.jobs.finish(job)).toBe(false);
    expect(await store.jobs.claim({ ...lease, now: later(99) })).toBeNull();
  });

  it('that is released runs again at its new time', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    const job = await store.jobs.claim(lease);
    if (job === null) throw new Error('no job');

    expect(await store.jobs.release(job, later(10))).toBe(true);
    expect(await store.jobs.release(job, later(10))).toBe(false);
    expect(await store.jobs.claim({ ...lease, now: later(9) })).toBeNull();
    expect(await store.jobs.claim({ ...lease, now: later(10) })).toMatchObject({ attempts: 2 });
  });

  it('that is deferred runs again as if it had not been claimed', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    const job = await store.jobs.claim(lease);
    if (job === null) throw new Error('no job');

    expect(await store.jobs.defer(job, later(10))).toBe(true);
    expect(await store.jobs.defer(job, later(10))).toBe(false);
    expect(await store.jobs.claim({ ...lease, now: later(9) })).toBeNull();
    expect(await store.jobs.claim({ ...lease, now: later(10) })).toMatchObject({
      attempts: 1,
      deferrals: 1,
    });
  });

  it('whose lease was revoked can be claimed, and its old holder cannot finish it', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    const first = await store.jobs.claim(lease);
    if (first === null) throw new Error('no job');

    await store.jobs.revokeLeases(project, [first.subject_id, 'unknown']);

    expect(await store.jobs.finish(first)).toBe(false);
    expect(await store.jobs.defer(first, now)).toBe(false);
    expect(await store.jobs.claim(lease)).toMatchObject({ id: 'j1', attempts: 2 });
  });

  it('whose lease ran out belongs to the next claim, even of the same owner', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    const first = await store.jobs.claim(lease);
    const second = await store.jobs.claim({ ...lease, now: later(30), until: later(60) });
    if (first === null || second === null) throw new Error('no job');

    expect(second.attempts).toBe(2);
    expect(await store.jobs.finish(first)).toBe(false);
    expect(await store.jobs.release(first, now)).toBe(false);
    expect(await store.jobs.finish(second)).toBe(true);
  });

  it('finishes together with what it wrote, or not at all', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    const job = await store.jobs.claim(lease);
    if (job === null) throw new Error('no job');

    const failing = store.transaction(async (tx) => {
      await tx.jobs.finish(job);
      throw new Error('crash');
    });

    await expect(failing).rejects.toThrow('crash');
    expect(await store.jobs.finish(job)).toBe(true);
  });

  it('has its lease extended only by its claim', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    const first = await store.jobs.claim(lease);
    if (first === null) throw new Error('no job');

    expect(await store.jobs.extendLease(first, later(60))).toBe(true);
    expect(await store.jobs.claim({ ...lease, now: later(59) })).toBeNull();
    expect(await store.jobs.claim({ ...lease, now: later(60) })).not.toBeNull();
    expect(await store.jobs.extendLease(first, later(99))).toBe(false);
  });

  it('has its steps completed one by one, and deletes them when it ends', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    const job = await store.jobs.claim(lease);
    if (job === null) throw new Error('no job');
    const results = ['a', 'b'].map((memory) => ({
      id: memory,
      event: 'ADD' as const,
      memory,
      data: { memory },
      user_id: null,
    }));
    const parts = ['a', 'b', 'c'].map((text) => [plannedDecision(text)]);
    await store.transaction((tx) => tx.jobSteps.insert(job, parts));

    for (const [number, result] of results.entries()) {
      expect(await store.jobSteps.findNext(job)).toMatchObject({ step_number: number });
      await store.transaction((tx) => tx.jobSteps.complete(job, number, [result]));
    }

    expect(await store.jobSteps.findNext(job)).toEqual({ step_number: 2, decisions: parts[2] });
    expect(await store.jobSteps.listResults(job)).toEqual(results);
    await store.jobs.finish(job);
    expect(await store.jobSteps.findNext(job)).toBeNull();
    expect(await store.jobSteps.listResults(job)).toEqual([]);
  });

  it('is deleted with the entity of its event', async () => {
    const { store, project } = await makeStore();
    await enqueue(store, project, 'j1');
    await enqueue(store, project, 'j2');
    await store.transaction(async (tx) => {
      await tx.events.insert(project, makeEvent({ id: 'event of j1', user_id: 'ann' }));
      await tx.events.insert(project, makeEvent({ id: 'event of j2', user_id: 'bob' }));
    });
    const settle = { status: 'FAILED', updated_at: now } as const;
    await eraseEntity(store, project, { type: 'user', id: 'ann', settle });

    expect(await store.jobs.claim(lease)).toMatchObject({ id: 'j2' });
    expect(await store.jobs.claim(lease)).toBeNull();
  });
});

function plannedDecision(text: string): PlannedDecision {
  return {
    event: 'ADD',
    text,
    message: 0,
    reason: null,
    target: null,
    expected: null,
    type: null,
    slot: null,
    occurred: null,
    said: null,
  };
}
