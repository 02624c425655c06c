import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ClaimedDelivery, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { tries } from '../support/rounds.ts';
import { eraseEntity } from './erase-entity.ts';
import { later, makeChange, makeId } from './memory.ts';
import { makeDelivery, makeWebhook } from './records.ts';
import { idsOf, makeStore } from './support.ts';

/** What the outbox has to know of a delivery, as plainly as it can be said. */
type Waiting = { id: string; memory_id: string | null; due: number; leasedUntil: number };

const leaseSeconds = 30;

const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), memory: fc.constantFrom('a', 'b', null) }),
  fc.record({ do: fc.constant('claim' as const), limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('succeed' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('fail' as const), which: fc.nat(), wait: fc.nat(40) }),
  fc.record({ do: fc.constant('pass' as const), seconds: fc.nat(20) }),
  fc.record({ do: fc.constant('switch' as const) }),
  fc.record({ do: fc.constant('erase' as const), memory: fc.constantFrom('a', 'b') }),
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

it('what a claim takes follows from the rules, whatever came before', async () => {
  const { store, project } = await makeStore();

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const outbox = await createOutbox(store, project);
      for (const next of steps) await outbox.run(next);
      await outbox.end();
    }),
    tries(150),
  );
});

async function createOutbox(store: Store, project: ProjectRef) {
  const webhook_id = makeId();
  const name = (memory: string | null) => (memory === null ? null : `${memory} of ${webhook_id}`);
  const webhook = makeWebhook({ webhook_id });
  await store.transaction((tx) => tx.webhooks.insert(project, webhook));
  let waiting: Waiting[] = [];
  let claimed: ClaimedDelivery[] = [];
  let isActive = true;
  let now = 0;

  const claimable = () =>
    waiting.filter((delivery, index) => {
      const isFree = delivery.due <= now && delivery.leasedUntil <= now;
      const { memory_id } = delivery;
      const older = waiting.slice(0, index).filter((other) => other.memory_id === memory_id);
      return isActive && isFree && (memory_id === null || older.length === 0);
    });

  async function claim(limit: number): Promise<void> {
    const until = later(now + leaseSeconds);
    const taken = await store.deliveries.claim({ owner: 'p', now: later(now), until, limit });
    const allowed = claimable();
    expect(idsOf(allowed)).toEqual(expect.arrayContaining(idsOf(taken)));
    expect(taken).toHaveLength(Math.min(limit, allowed.length));
    const ids = new Set(idsOf(taken));
    for (const one of waiting) if (ids.has(one.id)) one.leasedUntil = now + leaseSeconds;
    claimed = [...claimed.filter(({ id }) => !ids.has(id)), ...taken];
  }

  async function settle(which: number, wait: number | null): Promise<void> {
    const [delivery] = claimed.splice(which % Math.max(claimed.length, 1), 1);
    if (delivery === undefined) return;
    const isOurs = waiting.some(({ id }) => id === delivery.id);
    const settled = await store.deliveries.recordAttempt(delivery, {
      status: wait === null ? 'DELIVERED' : 'PENDING',
      response_status: null,
      error: null,
      next_attempt_at: wait === null ? null : later(now + wait),
      delivered_at: null,
    });
    expect(settled).toBe(isOurs);
    if (wait === null) waiting = waiting.filter(({ id }) => id !== delivery.id);
    for (const one of waiting) {
      if (one.id === delivery.id) Object.assign(one, { due: now + (wait ?? 0), leasedUntil: 0 });
    }
  }

  async function add(memory: string | null): Promise<void> {
    const delivery = makeDelivery({
      webhook_id,
      memory_id: name(memory),
      next_attempt_at: later(now),
    });
    const user_id = name(memory);
    await store.transaction(async (tx) => {
      await tx.deliveries.insert(project, [delivery]);
      if (user_id === null) return;
      await tx.history.insert(project, [makeChange({ memory_id: user_id, user_id })]);
    });
    waiting.push({ id: delivery.id, memory_id: delivery.memory_id, due: now, leasedUntil: 0 });
  }

  async function erase(memory: string): Promise<void> {
    const user_id = `${name(memory)}`;
    await eraseEntity(store, project, { type: 'user', id: user_id });
    waiting = waiting.filter(({ memory_id }) => memory_id !== name(memory));
  }

  async function toggle(): Promise<void> {
    isActive = !isActive;
    const patch = { is_active: isActive };
    await store.transaction((tx) => tx.webhooks.update(project, webhook_id, patch));
  }

  return {
    end: () => store.transaction((tx) => tx.webhooks.delete(project, webhook_id)),
    run: async (next: Step) => {
      if (next.do === 'add') await add(next.memory);
      if (next.do === 'claim') await claim(next.limit);
      if (next.do === 'succeed') await settle(next.which, null);
      if (next.do === 'fail') await settle(next.which, next.wait);
      if (next.do === 'pass') now += next.seconds;
      if (next.do === 'switch') await toggle();
      if (next.do === 'erase') await erase(next.memory);
    },
  };
}
