import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery, StoredDelivery } from '../../src/core/ports/index.ts';
import { eraseEntity } from './erase-entity.ts';
import { later, makeChange, now } from './memory.ts';
import { makeDelivery, makeWebhook } from './records.ts';
import { idsOf, makeStore } from './support.ts';

const webhook_id = 'w1';

async function makeOutbox() {
  const { store, project, other } = await makeStore();
  const hooks = [webhook_id, 'w2'];
  await store.transaction(async (tx) => {
    for (const id of hooks) await tx.webhooks.insert(project, makeWebhook({ webhook_id: id }));
  });
  const add = (...deliveries: StoredDelivery[]) =>
    store.transaction((tx) => tx.deliveries.insert(project, deliveries));
  const claim = (seconds = 0, limit = 10) =>
    store.deliveries.claim({
      owner: 'p1',
      now: later(seconds),
      until: later(seconds + 30),
      limit,
    });
  const setActive = (is_active: boolean) =>
    store.transaction((tx) => tx.webhooks.update(project, webhook_id, { is_active }));
  const log = (page = 1, page_size = 10) =>
    store.deliveries.list(project, { webhook_id, page, page_size });
  return { store, project, other, add, claim, setActive, log };
}

function delivery(id: string, memory_id: string | null, parts: Partial<StoredDelivery> = {}) {
  return makeDelivery({ webhook_id, id, memory_id, ...parts });
}

const delivered = {
  status: 'DELIVERED',
  response_status: 200,
  error: null,
  next_attempt_at: null,
  delivered_at: later(1),
} as const;

function failedUntil(next_attempt_at: string) {
  const error = 'answered 500';
  return {
    status: 'PENDING',
    response_status: 500,
    error,
    next_attempt_at,
    delivered_at: null,
  } as const;
}

const dead = { ...failedUntil(now), status: 'DEAD', next_attempt_at: null } as const;

function only(claimed: ClaimedDelivery[]): ClaimedDelivery {
  const [first] = claimed;
  if (first === undefined || claimed.length > 1) throw new Error(`claimed ${claimed.length}`);
  return first;
}

describe('a delivery', () => {
  it('is claimed with all that sending needs', async () => {
    const { project, add, claim } = await makeOutbox();
    const added = delivery('d1', 'm1', { body: '{"a":"ü"}' });
    await add(added);

    expect(await claim()).toStrictEqual([{ ...added, attempts: 1, project, lease_owner: 'p1' }]);
  });

  it('is claimed once while its lease lives, and again after', async () => {
    const { store, add, claim } = await makeOutbox();
    await add(delivery('d1', 'm1'));

    const first = only(await claim());
    expect(await claim(29)).toEqual([]);
    const second = only(await claim(30));

    expect(second.attempts).toBe(2);
    expect(await store.deliveries.recordAttempt(first, delivered)).toBe(false);
    expect(await store.deliveries.recordAttempt(second, delivered)).toBe(true);
    expect(await store.deliveries.recordAttempt(second, delivered)).toBe(false);
  });

  it('is not claimed before its time', async () => {
    const { add, claim } = await makeOutbox();
    await add(delivery('d1', 'm1', { next_attempt_at: later(5) }));

    expect(await claim(4)).toEqual([]);
    expect(idsOf(await claim(5))).toEqual(['d1']);
  });

  it('does not wait for a time that a clock which stepped back has left ahead', async () => {
    const { store, add, claim, setActive } = await makeOutbox();
    const times = { now, until: later(30), latest_lease: later(90) };
    const latest_tries = [later(60), later(600)];
    const ahead = { created_at: later(3600), next_attempt_at: later(3600) };
    await add(delivery('held', 'm1'));
    await add(delivery('first', 'm2', ahead), delivery('behind', 'm2', ahead));
    await add(delivery('retried', 'm3', { attempts: 1, next_attempt_at: later(600) }));
    expect(idsOf(await claim(70))).toEqual(['held']);

    await store.deliveries.bringForward({ ...times, latest_tries });
    const due = await claim();
    for (const one of due) await store.deliveries.recordAttempt(one, delivered);

    expect(idsOf(due)).toEqual(['first']);
    expect(idsOf(await claim(29))).toEqual(['behind']);
    expect(idsOf(await claim(30))).toEqual(['held']);
    await setActive(false);
    await setActive(true);
    expect(idsOf(await claim(600))).toContain('retried');
  });

  it('that was settled is not claimed again, and its body is deleted', async () => {
    const { store, add, claim, log } = await makeOutbox();
    await add(delivery('d1', 'm1'));
    const claimed = only(await claim());

    await store.deliveries.recordAttempt(claimed, delivered);

    expect(await claim(99)).toEqual([]);
    const { body: _, ...shown } = delivery('d1', 'm1');
    expect(await log()).toStrictEqual({
      results: [{ ...shown, ...delivered, attempts: 1 }],
      total: 1,
    });
  });

  it('that failed is claimed at its next time, with the same body', async () => {
    const { store, add, claim, log } = await makeOutbox();
    await add(delivery('d1', 'm1', { body: 'the body' }));

    await store.deliveries.recordAttempt(only(await claim()), failedUntil(later(10)));

    expect((await log()).results).toMatchObject([
      { status: 'PENDING', attempts: 1, error: 'answered 500', response_status: 500 },
    ]);
    expect(await claim(9)).toEqual([]);
    expect(await claim(10)).toMatchObject([{ id: 'd1', attempts: 2, body: 'the body' }]);
  });

  it('settles together with what else was written, or not at all', async () => {
    const { store, add, claim } = await makeOutbox();
    await add(delivery('d1', 'm1'));
    const claimed = only(await claim());

    const failing = store.transaction(async (tx) => {
      await tx.deliveries.recordAttempt(claimed, delivered);
      throw new Error('crash');
    });

    await expect(failing).rejects.toThrow('crash');
    expect(await store.deliveries.recordAttempt(claimed, delivered)).toBe(true);
  });

  it('that stays pending needs a time', async () => {
    const { store, add, claim } = await makeOutbox();
    await add(delivery('d1', 'm1'));
    const outcome = { ...failedUntil(now), next_attempt_at: null };

    await expect(store.deliveries.recordAttempt(only(await claim()), outcome)).rejects.toThrow(
      'time',
    );
  });
});

describe('deliveries of one webhook and memory', () => {
  it('are claimed one at a time, in their order', async () => {
    const { store, add, claim } = await makeOutbox();
    await add(delivery('d1', 'm1'), delivery('d2', 'm1'));
    await add(delivery('d3', 'm1', { next_attempt_at: later(-60) }));

    const order: string[] = [];
    for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) {
      order.push(only(claimed).id);
      await store.deliveries.recordAttempt(only(claimed), delivered);
    }

    expect(order).toEqual(['d1', 'd2', 'd3']);
  });

  it('wait for an older one that failed, until it arrives or is dead', async () => {
    const { store, add, claim } = await makeOutbox();
    await add(delivery('d1', 'm1'), delivery('d2', 'm1'));

    await store.deliveries.recordAttempt(only(await claim()), failedUntil(later(60)));
    const between = await claim(59);
    await store.deliveries.recordAttempt(only(await claim(60)), dead);

    expect(between).toEqual([]);
    expect(idsOf(await claim(60))).toEqual(['d2']);
  });

  it('do not hold up those of another memory, webhook, or of none', async () => {
    const { add, claim } = await makeOutbox();
    await add(delivery('d1', 'm1'), delivery('d2', 'm1'), delivery('d3', 'm2'));
    await add(delivery('d4', 'm1', { webhook_id: 'w2' }), delivery('d5', null));
    await add(delivery('d6', null));

    expect(idsOf(await claim())).toEqual(['d1', 'd3', 'd4', 'd5', 'd6']);
  });
});

describe('a claim', () => {
  it('takes at most as many as it asks for, the longest due first', async () => {
    const { add, claim } = await makeOutbox();
    const times = [later(-1), later(-3), later(-2)];
    await add(...times.map((at, index) => delivery(`d${index}`, null, { next_attempt_at: at })));

    expect(idsOf(await claim(0, 2))).toEqual(['d1', 'd2']);
    expect(idsOf(await claim(0, 2))).toEqual(['d0']);
  });

  it('takes no lock when nothing is due', async () => {
    const { store, add, claim } = await makeOutbox();
    await add(delivery('d1', 'm1', { next_attempt_at: later(5) }));

    const claimed = await store.transaction(() => claim());

    expect(claimed).toEqual([]);
  });
});

describe('a disabled webhook', () => {
  it('keeps its deliveries until it is enabled', async () => {
    const { add, claim, setActive } = await makeOutbox();
    await add(delivery('d1', 'm1'), delivery('d2', 'm1'));
    await setActive(false);
    await add(delivery('d3', 'm2'), delivery('other', 'm1', { webhook_id: 'w2' }));

    expect(idsOf(await claim())).toEqual(['other']);
    await setActive(true);

    expect(idsOf(await claim())).toEqual(['d1', 'd3']);
  });

  it('lets running attempts end, and starts no others', async () => {
    const { store, add, claim, setActive } = await makeOutbox();
    await add(delivery('d1', 'm1'), delivery('d2', 'm2'), delivery('d3', 'm2'));
    const [first, second] = await claim();
    if (first === undefined || second === undefined) throw new Error('not claimed');
    await setActive(false);

    expect(await store.deliveries.recordAttempt(first, failedUntil(later(1)))).toBe(true);
    expect(await store.deliveries.recordAttempt(second, delivered)).toBe(true);

    expect(await claim(99)).toEqual([]);
    await setActive(true);
    expect(idsOf(await claim(1))).toEqual(['d1', 'd3']);
  });

  it('keeps an active lease when it is enabled again in the meantime', async () => {
    const { add, claim, setActive } = await makeOutbox();
    await add(delivery('d1', 'm1'));
    await claim();

    await setActive(false);
    await setActive(true);

    expect(await claim(29)).toEqual([]);
    expect(await claim(30)).toMatchObject([{ id: 'd1', attempts: 2 }]);
  });
});

describe('a claim', () => {
  it('skips busy webhooks', async () => {
    const { store, add } = await makeOutbox();
    await add(
      delivery('d1', 'm1'),
      delivery('d2', 'm2'),
      delivery('d3', 'm3', { webhook_id: 'w2' }),
    );
    const lease = { owner: 'p1', now, until: later(30), limit: 10 };

    const others = await store.deliveries.claim({ ...lease, busy: [webhook_id] });
    const none = await store.deliveries.claim({ ...lease, busy: [webhook_id, 'w2'] });
    const rest = await store.deliveries.claim({ ...lease, busy: ['w2'] });

    expect(idsOf(others)).toEqual(['d3']);
    expect(none).toEqual([]);
    expect(idsOf(rest)).toEqual(['d1', 'd2']);
  });
});

describe('the log of deliveries', () => {
  it('is listed newest first, for one webhook, with the total', async () => {
    const { store, other, add, log } = await makeOutbox();
    await add(delivery('d1', 'm1'), delivery('d2', 'm1'), delivery('d3', null));
    await add(delivery('elsewhere', 'm1', { webhook_id: 'w2' }));

    const [first, second] = [await log(1, 2), await log(2, 2)];

    expect([idsOf(first.results), first.total]).toEqual([['d3', 'd2'], 3]);
    expect([idsOf(second.results), second.total]).toEqual([['d1'], 3]);
    const page = { webhook_id, page: 1, page_size: 10 };
    expect(await store.deliveries.list(other, page)).toEqual({ results: [], total: 0 });
  });

  it('deletes what was settled before a time, never what is pending', async () => {
    const { store, add, claim, log } = await makeOutbox();
    await add(delivery('old', 'm1'), delivery('waits', 'm2', { next_attempt_at: later(60) }));
    await add(delivery('new', 'm3', { created_at: later(10) }));
    for (const claimed of await claim()) await store.deliveries.recordAttempt(claimed, dead);

    const forgotten = await store.transaction((tx) => tx.deliveries.deleteSettledBefore(later(10)));

    expect(forgotten).toBe(1);
    expect(idsOf((await log()).results)).toEqual(['new', 'waits']);
  });
});

describe('deliveries of memories of an entity that is erased', () => {
  it('are dropped, sent or not, in its project only', async () => {
    const { store, project, other, add, claim, log } = await makeOutbox();
    const changes = [
      makeChange({ memory_id: 'm1', user_id: 'ann' }),
      makeChange({ memory_id: 'm1', user_id: 'ann', event: 'DELETE' }),
      makeChange({ memory_id: 'm2', user_id: 'bob', agent_id: 'ann' }),
    ];
    await store.transaction((tx) => tx.history.insert(project, changes));
    await add(delivery('sent', 'm1'));
    await store.deliveries.recordAttempt(only(await claim()), delivered);
    await add(delivery('d1', 'm1'), delivery('d2', 'm1'), delivery('d3', 'm2'));
    const underWay = await claim();
    const erase = (from: typeof project) => eraseEntity(store, from, { type: 'user', id: 'ann' });

    await erase(other);
    const before = await log();
    await erase(project);

    expect(before.total).toBe(4);
    expect(idsOf((await log()).results)).toEqual(['d3']);
    const settled = underWay.map((claimed) => store.deliveries.recordAttempt(claimed, delivered));
    expect(await Promise.all(settled)).toEqual([false, true]);
  });
});
