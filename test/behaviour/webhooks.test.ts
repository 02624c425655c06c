import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { limits } from '../../src/contract/limits.ts';
import { type Target, targets } from '../support/targets.ts';

const url = 'https://hooks.example.com/memories';
const unknown = '11111111-1111-4111-8111-111111111111';

/** Resending is not a tool. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(targets)('webhooks, %s', (_name, start) => {
  let target: Target;
  let project_id: string;

  beforeEach(async () => {
    target = await start();
    project_id = target.engine.projects.own.project_id;
  });
  afterEach(async () => {
    await target.stop();
  });

  it('are made with a name, all event types and a secret that is told once', async () => {
    const { secret, webhook_id } = await target.call('create_webhook', { url });
    const made = {
      webhook_id,
      name: 'hooks.example.com',
      url,
      event_types: ['memory:add', 'memory:update', 'memory:delete', 'memory:categorize'],
      is_active: true,
      disabled_reason: null,
      project: project_id,
    };

    const { results } = await target.call('list_webhooks', { project_id });
    const webhook = await target.call('get_webhook', { webhook_id });

    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(results).toMatchObject([made]);
    expect(webhook).toMatchObject(made);
    expect([...results, webhook].filter((shown) => 'secret' in shown)).toEqual([]);
  });

  it('keep event types as they were sent, in either spelling', async () => {
    const event_types = ['memory_add', 'memory:delete'];
    const { webhook_id } = await target.call('create_webhook', { url, name: 'Mine', event_types });

    const webhook = await target.call('get_webhook', { webhook_id });

    expect(webhook).toMatchObject({ name: 'Mine', event_types });
  });

  it('change what is sent', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    const { message } = await target.call('update_webhook', { webhook_id, is_active: false });
    await target.call('update_webhook', { webhook_id, name: 'New', url: `${url}/new` });

    const webhook = await target.call('get_webhook', { webhook_id });

    expect(message).toBe('Webhook updated successfully');
    expect(webhook).toMatchObject({ name: 'New', url: `${url}/new`, is_active: false });
  });

  it('are deleted', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    const { message } = await target.call('delete_webhook', { webhook_id });

    const { results } = await target.call('list_webhooks', { project_id });

    expect(message).toBe('Webhook deleted successfully');
    expect(results).toEqual([]);
  });

  it('get another secret, told once', async () => {
    const made = await target.call('create_webhook', { url });
    const { webhook_id } = made;
    const rotated = await target.call('rotate_webhook_secret', { webhook_id });

    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(made.secret);
    expect((await target.call('get_webhook', { webhook_id })).secret).toBeUndefined();
  });

  it('are tested with a delivery that says so, and that the log keeps', async () => {
    const { webhook_id } = await target.call('create_webhook', { url, is_active: false });
    const delivery = await target.call('test_webhook', { webhook_id });

    const log = await target.call('list_webhook_deliveries', { webhook_id });
    const [request] = target.engine.sender.requests;

    expect(delivery).toMatchObject({
      webhook_id,
      event_type: 'memory:add',
      memory_id: null,
      status: 'DELIVERED',
      attempts: 1,
      response_status: 200,
      error: null,
    });
    expect(log).toMatchObject({ results: [{ id: delivery.id, status: 'DELIVERED' }], total: 1 });
    expect(request).toMatchObject({ url, headers: { 'webhook-id': delivery.id } });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      event_details: {
        data: { memory: expect.stringContaining('test'), test: true },
        event: 'ADD',
      },
    });
  });

  it('say what a failed test met, and are tested once only', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    target.engine.sender.answer = () => ({ status: 500 });
    const answered = await target.call('test_webhook', { webhook_id });
    target.engine.sender.answer = () => {
      throw new ApiError('unavailable', 'the connection was refused');
    };
    const refused = await target.call('test_webhook', { webhook_id });

    expect(answered).toMatchObject({ status: 'DEAD', response_status: 500, error: 'answered 500' });
    expect(refused).toMatchObject({ status: 'DEAD', error: 'the connection was refused' });
    expect(refused).toMatchObject({ response_status: null, next_attempt_at: null });
  });

  it('page through their deliveries, newest first', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    const first = await target.call('test_webhook', { webhook_id });
    const second = await target.call('test_webhook', { webhook_id });

    const input = { webhook_id, page: 2, page_size: 1 };
    const page = await target.call('list_webhook_deliveries', input);

    expect(page).toMatchObject({ total: 2, results: [{ id: first.id }] });
    expect(second.id).not.toBe(first.id);
  });

  it('refuse an address that is none, or that the configuration forbids', async () => {
    target.engine.sender.urlProblem = () => 'must be an https address';
    const { webhook_id } = await makeAnyway();

    const refusals = [
      await target.refusal('create_webhook', {}),
      await target.refusal('create_webhook', { url: 'ftp://example.com' }),
      await target.refusal('create_webhook', { url: 'http://example.com' }),
      await target.refusal('update_webhook', { webhook_id, url: 'http://example.com' }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(Array(4).fill('invalid'));
    expect(refusals[1]?.message).toContain('https');
    expect(refusals[2]?.message).toMatch(/^url: .*https/);
  });

  it('refuse unknown event types and an update of nothing', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });

    const refusals = [
      await target.refusal('create_webhook', { url, event_types: ['memory:search'] }),
      await target.refusal('update_webhook', { webhook_id }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(['invalid', 'invalid']);
    expect(refusals[0]?.message).toContain('memory:categorize');
  });

  it('are limited in number', async () => {
    for (let made = 0; made < limits.webhooks_max; made += 1) {
      await target.call('create_webhook', { url });
    }

    const refusal = await target.refusal('create_webhook', { url });

    expect(refusal).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('20'),
    });
  });

  it('hide behind the answer for an unknown id', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    const { foreign } = target.engine.projects;
    const elsewhere = target.as({ ...placeOf(foreign), bound_to: 'project' });

    const missing = await target.refusal('get_webhook', { webhook_id: unknown });
    const hidden = [
      await elsewhere.refusal('get_webhook', { webhook_id }),
      await elsewhere.refusal('update_webhook', { webhook_id, name: 'Mine' }),
      await elsewhere.refusal('delete_webhook', { webhook_id }),
      await elsewhere.refusal('rotate_webhook_secret', { webhook_id }),
      await elsewhere.refusal('test_webhook', { webhook_id }),
      await elsewhere.refusal('list_webhook_deliveries', { webhook_id }),
    ];

    expect(missing).toMatchObject({ code: 'not_found', message: 'Webhook not found' });
    expect(hidden).toEqual(Array(6).fill(missing));
    const own = await elsewhere.call('list_webhooks', { project_id: foreign.project_id });
    expect(own.results).toEqual([]);
    expect((await elsewhere.refusal('list_webhooks', { project_id })).code).toBe('not_found');
  });

  it('can be read, but not changed, with a key that only reads', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    const reader = target.as({ read_only: true });

    const refusals = [
      await reader.refusal('create_webhook', { url }),
      await reader.refusal('update_webhook', { webhook_id, name: 'Mine' }),
      await reader.refusal('delete_webhook', { webhook_id }),
      await reader.refusal('rotate_webhook_secret', { webhook_id }),
      await reader.refusal('test_webhook', { webhook_id }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(Array(5).fill('forbidden'));
    expect((await reader.call('list_webhooks', { project_id })).results).toHaveLength(1);
  });

  /** A webhook of before the address was forbidden. */
  async function makeAnyway(): Promise<{ webhook_id: string }> {
    const { sender } = target.engine;
    const { urlProblem } = sender;
    sender.urlProblem = () => null;
    const made = await target.call('create_webhook', { url });
    sender.urlProblem = urlProblem;
    return made;
  }
});

describe.each(faces)('deliveries that are sent again, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  it('keep their id, and tell what the memory says now', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    await target.call('add_memory', { text: 'Ada keeps bees', user_id: 'ada' });
    const [sent] = await settle('DEAD');
    await target.call('update_memory', { memory_id: sent?.memory_id, text: 'Ada keeps goats' });
    await settle('DELIVERED');

    const ref = { webhook_id, delivery_id: sent?.id };
    const restarted = await target.call('resend_webhook_delivery', ref);
    const { results } = await target.call('list_webhook_deliveries', { webhook_id });

    const [again] = await settle('DELIVERED');

    expect(restarted).toMatchObject({ id: sent?.id, status: 'PENDING', attempts: 0 });
    expect(results.map(({ status }) => status)).toEqual(['DELIVERED', 'PENDING']);
    expect(again?.id).toBe(sent?.id);
    expect(JSON.parse(again?.body ?? '')).toEqual({
      ...JSON.parse(sent?.body ?? ''),
      event_details: { id: sent?.memory_id, data: { memory: 'Ada keeps goats' }, event: 'ADD' },
    });
  });

  it('send no test and nothing unknown again', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    const { id } = await target.call('test_webhook', { webhook_id });
    const other = await target.call('create_webhook', { url });

    const refusals = [
      await target.refusal('resend_webhook_delivery', { webhook_id, delivery_id: id }),
      await target.refusal('resend_webhook_delivery', { webhook_id, delivery_id: unknown }),
      await target.refusal('resend_webhook_delivery', {
        webhook_id: other.webhook_id,
        delivery_id: id,
      }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(['conflict', 'not_found', 'not_found']);
  });

  it('are refused to readers and hidden from others', async () => {
    const { webhook_id } = await target.call('create_webhook', { url });
    const { id } = await target.call('test_webhook', { webhook_id });
    const ref = { webhook_id, delivery_id: id };
    const { foreign } = target.engine.projects;

    const reader = await target.as({ read_only: true }).refusal('resend_webhook_delivery', ref);
    const stranger = target.as({ ...placeOf(foreign), bound_to: 'project' });
    const hidden = await stranger.refusal('resend_webhook_delivery', ref);

    expect(reader.code).toBe('forbidden');
    expect(hidden).toEqual({ code: 'not_found', message: 'Webhook not found' });
  });

  /** Attempts what is due, with this outcome. */
  async function settle(status: 'DEAD' | 'DELIVERED') {
    const { store, clock } = target.engine;
    const now = clock.now();
    const outcome = { status, response_status: null, error: null };
    const settled = { ...outcome, next_attempt_at: null, delivered_at: null };
    return store.transaction(async ({ deliveries }) => {
      const claimed = await deliveries.claim({ owner: 'test', now, until: now, limit: 10 });
      for (const delivery of claimed) await deliveries.recordAttempt(delivery, settled);
      return claimed;
    });
  }
});

function placeOf({ org_id, project_id }: { org_id: string; project_id: string }) {
  return { org_id, project_id };
}
