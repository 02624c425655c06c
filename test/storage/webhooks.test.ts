import { describe, expect, it } from 'vitest';
import { later, makeId, now } from './memory.ts';
import { makeDelivery, makeWebhook } from './records.ts';
import { makeStore } from './support.ts';

describe('webhooks', () => {
  it('come back as they were made, in their project only, oldest first', async () => {
    const { store, project, other } = await makeStore();
    const first = makeWebhook({ event_types: ['memory_add', 'memory:delete'] });
    const second = makeWebhook({ is_active: false, disabled_reason: 'failed for 5 days' });
    await store.transaction(async (tx) => {
      await tx.webhooks.insert(project, first);
      await tx.webhooks.insert(project, second);
    });

    expect(await store.webhooks.list(project)).toStrictEqual([first, second]);
    expect(await store.webhooks.list(other)).toEqual([]);
  });

  it('are found wherever they are, with their project', async () => {
    const { store, project } = await makeStore();
    const webhook = makeWebhook();
    await store.transaction((tx) => tx.webhooks.insert(project, webhook));

    expect(await store.webhooks.findInAnyProject(webhook.webhook_id)).toStrictEqual({
      project,
      webhook,
    });
    expect(await store.webhooks.findInAnyProject('unknown')).toBeNull();
  });

  it('change what the patch names, in their project only', async () => {
    const { store, project, other } = await makeStore();
    const webhook = makeWebhook();
    const { webhook_id } = webhook;
    const patch = {
      name: 'new',
      url: 'https://example.com/new',
      event_types: ['memory:update' as const],
      is_active: false,
      disabled_reason: 'failed',
      secret: 'whsec_bmV3',
      failing_since: now,
      updated_at: later(1),
    };
    await store.transaction(async (tx) => {
      await tx.webhooks.insert(project, webhook);
      await tx.webhooks.update(other, webhook_id, { name: 'stolen' });
    });
    const untouched = await store.webhooks.list(project);

    await store.transaction((tx) => tx.webhooks.update(project, webhook_id, patch));

    expect(untouched).toStrictEqual([webhook]);
    expect(await store.webhooks.list(project)).toStrictEqual([{ ...webhook, ...patch }]);
  });

  it('are deleted with their deliveries, from their project only', async () => {
    const { store, project, other } = await makeStore();
    const webhook = makeWebhook();
    const { webhook_id } = webhook;
    await store.transaction(async (tx) => {
      await tx.webhooks.insert(project, webhook);
      await tx.deliveries.insert(project, [makeDelivery({ webhook_id, id: makeId() })]);
      await tx.webhooks.delete(other, webhook_id);
    });
    const page = { webhook_id, page: 1, page_size: 10 };
    const before = await store.deliveries.list(project, page);

    await store.transaction((tx) => tx.webhooks.delete(project, webhook_id));

    expect(before.total).toBe(1);
    expect(await store.webhooks.list(project)).toEqual([]);
    expect(await store.deliveries.list(project, page)).toEqual({ results: [], total: 0 });
    const lease = { owner: 'w1', now: later(99), until: later(199), limit: 10 };
    expect(await store.deliveries.claim(lease)).toEqual([]);
  });
});
