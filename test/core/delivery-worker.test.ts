import { Webhook as Verifier } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeliveryWorker } from '../../src/core/jobs/delivery-worker.ts';
import { retryDelayMs } from '../../src/core/webhooks/retry-schedule.ts';
import { createWebhookSender } from '../../src/providers/webhook-sender.ts';
import { owner } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { type Outbox, startOutbox, workerOptions } from '../support/outbox.ts';
import {
  accept,
  fail,
  hang,
  hangUp,
  type Reaction,
  type Receiver,
  redirect,
  startReceiver,
} from '../support/webhook-receiver.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

describe('deliveries', () => {
  let outbox: Outbox;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
    outbox = await startOutbox();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await outbox.stop();
    await receiver.stop();
  });

  async function statusOf(webhook_id: string): Promise<string[]> {
    return (await outbox.deliveriesOf(webhook_id)).map(({ status }) => status);
  }

  /** Lets time pass in steps until no delivery waits any more. */
  async function settled(webhook_id: string, stepMs: number): Promise<void> {
    await vi.waitFor(
      async () => {
        outbox.pass(stepMs);
        expect(await statusOf(webhook_id)).not.toContain('PENDING');
      },
      { timeout: 20_000, interval: 20 },
    );
  }

  function textsOf(path: string): string[] {
    return receiver.received
      .filter((request) => request.path === path)
      .map(({ body }) => JSON.parse(body).event_details.data.memory);
  }

  it('are signed as the Standard Webhooks convention says', async () => {
    const { secret } = await outbox.subscribe({ url: receiver.url });
    await outbox.add('Likes tea');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(outbox.clock.now()) });

    const [{ body = '', headers = {} } = {}] = receiver.received;
    const signed = headers as Record<string, string>;

    expect(headers['content-type']).toBe('application/json');
    expect(new Verifier(secret).verify(body, signed)).toEqual(JSON.parse(body));
    expect(() => new Verifier(secret).verify(`${body} `, signed)).toThrow();
  });

  it('are signed with the new secret only after it was changed', async () => {
    const { webhook_id, secret: old } = await outbox.subscribe({ url: receiver.url });
    const changed = await outbox.invoke('rotate_webhook_secret', { webhook_id }, { caller: owner });
    await outbox.add('Likes tea');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(outbox.clock.now()) });

    const [{ body = '', headers = {} } = {}] = receiver.received;
    const signed = headers as Record<string, string>;

    expect(() => new Verifier(changed.secret ?? '').verify(body, signed)).not.toThrow();
    expect(() => new Verifier(old).verify(body, signed)).toThrow();
  });

  it('keep their id and body over retries, and are signed anew', async () => {
    receiver.react(fail);
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    await outbox.add('Likes tea');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    receiver.react(accept);
    await settled(webhook_id, 10_000);

    const [first, second, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
  });

  it.each<[string, Reaction, Record<string, unknown>]>([
    ['answers 500', fail, { response_status: 500, error: 'answered 500' }],
    [
      'redirects',
      redirect,
      { response_status: 302, error: expect.stringMatching(/302.*redirect/) },
    ],
    ['does not answer', hang, { response_status: null, error: expect.stringContaining('250 ms') }],
    [
      'closes the socket',
      hangUp,
      { response_status: null, error: expect.stringContaining('closed') },
    ],
  ])('are retried to a receiver that %s, until it is back', async (_name, reaction, met) => {
    receiver.react(reaction);
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    const memory_id = await outbox.add('Likes tea');
    await eventually(async () =>
      expect(await outbox.deliveriesOf(webhook_id)).toMatchObject([
        { status: 'PENDING', attempts: 1, memory_id, event_type: 'memory:add', ...met },
      ]),
    );

    receiver.react(accept);
    await settled(webhook_id, 10_000);

    const [delivery] = await outbox.deliveriesOf(webhook_id);
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 2, response_status: 204 });
    expect(delivery).toMatchObject({ error: null, next_attempt_at: null });
    expect(delivery?.delivered_at).not.toBeNull();
  });

  it('lose nothing and keep the order of each memory while a receiver misbehaves', async () => {
    const reactions = [fail, accept, hangUp, redirect, accept, hang];
    let count = 0;
    const arrived: string[] = [];
    receiver.react((response, request) => {
      const reaction = reactions[count++ % reactions.length] ?? accept;
      if (reaction === accept) arrived.push(JSON.parse(request.body).event_details.data.memory);
      reaction(response, request);
    });
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      const memory_id = await outbox.add(`${name}0`);
      for (const step of [1, 2, 3]) {
        const input = { memory_id, text: `${name}${step}` };
        await outbox.invoke('update_memory', input, { caller: owner });
      }
    }

    await settled(webhook_id, hourMs);

    expect(await statusOf(webhook_id)).toEqual(Array(16).fill('DELIVERED'));
    for (const name of names) {
      const texts = arrived.filter((text) => text.startsWith(name));
      expect(texts).toEqual([`${name}0`, `${name}1`, `${name}2`, `${name}3`]);
    }
  });

  it('are dead after a day of failures, and then the next of the memory has its turn', async () => {
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    receiver.react((response, { body }) =>
      (body.includes('poison') ? fail : accept)(response, { path: '', headers: {}, body }),
    );
    const started = Date.parse(outbox.clock.now());
    const memory_id = await outbox.add('poison');
    const update = { memory_id, text: 'cure' };
    await outbox.invoke('update_memory', update, { caller: owner });

    await settled(webhook_id, 10 * minuteMs);

    const [second, first] = await outbox.deliveriesOf(webhook_id);
    expect(first).toMatchObject({ status: 'DEAD', attempts: 12, error: 'answered 500' });
    expect(second).toMatchObject({ status: 'DELIVERED', attempts: 1 });
    const tookMs = Date.parse(second?.delivered_at ?? '') - started;
    expect(tookMs).toBeGreaterThan(0.7 * dayMs);
    expect(tookMs).toBeLessThan(1.3 * dayMs);
  });

  it('wait three times as long each time, give or take a fifth, up to six hours', () => {
    const least = () => new Uint8Array([0]);
    const most = () => new Uint8Array([255]);

    const delays = [1, 2, 3, 9, 11].map((attempts) => [
      retryDelayMs(attempts, least),
      retryDelayMs(attempts, most),
    ]);

    expect(delays).toEqual([
      [4_000, 6_000],
      [12_000, 18_000],
      [36_000, 54_000],
      [4.8 * hourMs, 7.2 * hourMs],
      [4.8 * hourMs, 7.2 * hourMs],
    ]);
  });

  it('switch a webhook off that failed for five days, and wait until it is on again', async () => {
    receiver.react(fail);
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    const since = outbox.clock.now();
    await outbox.add('First');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    outbox.pass(5 * dayMs);
    await outbox.add('Last');
    const webhookOf = () => outbox.invoke('get_webhook', { webhook_id }, { caller: owner });
    await eventually(async () => {
      outbox.pass(minuteMs);
      expect((await webhookOf()).is_active).toBe(false);
    });

    const { disabled_reason } = await webhookOf();
    const { length } = receiver.received;
    receiver.react(accept);
    outbox.pass(dayMs);
    await outbox.add('Told to nobody');
    await outbox.invoke('update_webhook', { webhook_id, is_active: true }, { caller: owner });
    await settled(webhook_id, hourMs);

    expect(disabled_reason).toBe(`every delivery has failed since ${since}`);
    expect(await webhookOf()).toMatchObject({ is_active: true, disabled_reason: null });
    expect(textsOf('/hook').slice(length).toSorted()).toEqual(['First', 'Last']);
  });

  it('count failures anew after one arrived', async () => {
    receiver.react(fail);
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    await outbox.add('One');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    receiver.react(accept);
    await settled(webhook_id, minuteMs);
    receiver.react(fail);
    outbox.pass(6 * dayMs);
    await outbox.add('Two');
    await eventually(() => expect(receiver.received).toHaveLength(3));
    await outbox.worker.stop();

    const webhook = await outbox.invoke('get_webhook', { webhook_id }, { caller: owner });
    expect(webhook.is_active).toBe(true);
  });

  it('are not held up by the receiver of another webhook', async () => {
    receiver.react((response, request) =>
      (request.path === '/hook/slow' ? hang : accept)(response, request),
    );
    await outbox.subscribe({ url: `${receiver.url}/slow` });
    const quick = await outbox.subscribe({ url: `${receiver.url}/quick` });
    await Promise.all(Array.from({ length: 30 }, (_, index) => outbox.add(`Fact ${index}`)));

    await eventually(async () =>
      expect(await statusOf(quick.webhook_id)).toEqual(Array(30).fill('DELIVERED')),
    );

    // The slow one takes thirty attempts of 250 ms in a quarter of eight lanes: it is not done yet.
    expect(textsOf('/hook/slow').length).toBeLessThan(30);
  });

  it('are handed back when the process stops, and sent by the next', async () => {
    const sender = createWebhookSender({
      allow_http: true,
      allow_private: true,
      timeout_ms: 20_000,
    });
    const worker = createDeliveryWorker({ ...outbox.deps, sender }, workerOptions);
    await outbox.worker.stop();
    receiver.react(hang);
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    await outbox.add('Likes tea');
    worker.wake();
    await eventually(() => expect(receiver.received).toHaveLength(1));

    await worker.stop();
    receiver.react(accept);
    const next = createDeliveryWorker(
      { ...outbox.deps, sender },
      { ...workerOptions, owner: 'next' },
    );
    await eventually(async () => expect(await statusOf(webhook_id)).toEqual(['DELIVERED']));

    const [first, second] = receiver.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    await next.stop();
    await sender.close();
  });

  it('are taken over from a process that died', async () => {
    await outbox.worker.stop();
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    await outbox.add('Likes tea');
    const now = outbox.clock.now();
    const until = new Date(Date.parse(now) + 30_000).toISOString();
    const claimed = await outbox.store.deliveries.claim({ owner: 'dead', now, until, limit: 9 });

    const next = createDeliveryWorker(outbox.deps, { ...workerOptions, owner: 'next' });
    await eventually(async () => {
      outbox.clock.advance(10_000);
      next.wake();
      expect(await statusOf(webhook_id)).toEqual(['DELIVERED']);
    });

    expect(claimed).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
    await next.stop();
  });

  it('of a webhook that is deleted are dropped', async () => {
    receiver.react(fail);
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    await outbox.add('Likes tea');
    await eventually(() => expect(receiver.received).toHaveLength(1));
    await outbox.invoke('delete_webhook', { webhook_id }, { caller: owner });

    outbox.pass(dayMs);
    await outbox.worker.stop();

    expect(receiver.received).toHaveLength(1);
  });
});
