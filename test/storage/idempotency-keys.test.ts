import { describe, expect, it } from 'vitest';
import { later, now } from './memory.ts';
import { makeAnswer } from './records.ts';
import { makeStore } from './support.ts';

const complete = { status: 201, output: '{"id":"ü"}' };

describe('a response', () => {
  it('is reserved by one of several concurrent requests', async () => {
    const { store } = await makeStore();
    const answers = ['first', 'second', 'third'].map((request) =>
      makeAnswer({ id: 'a', request_hash: request }),
    );

    const before = await Promise.all(
      answers.map((answer) => store.idempotencyKeys.reserve(answer)),
    );

    const first = answers[before.indexOf(null)];
    const others = before.filter((answer) => answer !== null);
    expect(others).toEqual([first, first]);
  });

  it('of the first request is returned to later ones', async () => {
    const { store } = await makeStore();
    const answer = makeAnswer();
    await store.idempotencyKeys.reserve(answer);

    await store.idempotencyKeys.complete(answer.id, complete);

    const later_ = await store.idempotencyKeys.reserve(
      makeAnswer({ id: answer.id, request_hash: 'another' }),
    );
    expect(later_).toStrictEqual({ ...answer, ...complete });
  });

  it('that was released can be reserved again', async () => {
    const { store } = await makeStore();
    const answer = makeAnswer();
    await store.idempotencyKeys.reserve(answer);

    await store.idempotencyKeys.release(answer);

    expect(await store.idempotencyKeys.reserve(answer)).toBeNull();
  });

  it('that has changed in the meantime is not released', async () => {
    const { store } = await makeStore();
    const answer = makeAnswer();
    await store.idempotencyKeys.reserve(answer);
    await store.idempotencyKeys.complete(answer.id, complete);

    expect(await store.idempotencyKeys.release(answer)).toBe(false);
    expect(
      await store.idempotencyKeys.release({ ...answer, ...complete, created_at: later(1) }),
    ).toBe(false);
    expect(await store.idempotencyKeys.release({ ...answer, ...complete })).toBe(true);
  });

  it('is stored with the first transaction of its request', async () => {
    const { store } = await makeStore();
    const [reserved, other] = [makeAnswer(), makeAnswer()];
    for (const answer of [reserved, other]) await store.idempotencyKeys.reserve(answer);
    const enter = () => store.transaction((tx) => tx.idempotencyKeys.deleteBefore(now));

    await store.runIdempotent({ reserved, placeholder: complete }, async () => {
      expect(await store.idempotencyKeys.reserve(reserved)).toStrictEqual(reserved);
      await enter();
      expect(await store.idempotencyKeys.reserve(reserved)).toStrictEqual({
        ...reserved,
        ...complete,
      });
      await store.idempotencyKeys.complete(reserved.id, { ...complete, status: 200 });
      await enter();
    });
    await enter();

    expect(await store.idempotencyKeys.reserve(reserved)).toMatchObject({ status: 200 });
    expect(await store.idempotencyKeys.reserve(other)).toStrictEqual(other);
  });

  it('is not stored with a transaction that fails', async () => {
    const { store } = await makeStore();
    const reserved = makeAnswer();
    await store.idempotencyKeys.reserve(reserved);

    const failing = store.runIdempotent({ reserved, placeholder: complete }, () =>
      store.transaction(async () => {
        throw new Error('crash');
      }),
    );

    await expect(failing).rejects.toThrow('crash');
    expect(await store.idempotencyKeys.release(reserved)).toBe(true);
  });

  it('that is stored is returned without a lock', async () => {
    const { store } = await makeStore();
    const answer = makeAnswer();
    await store.idempotencyKeys.reserve(answer);

    const known = await store.transaction(() => store.idempotencyKeys.reserve(answer));

    expect(known).toStrictEqual(answer);
  });

  it('may be part of a larger transaction', async () => {
    const { store } = await makeStore();
    const answer = makeAnswer();

    const failing = store.transaction(async (tx) => {
      expect(await tx.idempotencyKeys.reserve(answer)).toBeNull();
      expect(await tx.idempotencyKeys.reserve(answer)).toStrictEqual(answer);
      throw new Error('crash');
    });

    await expect(failing).rejects.toThrow('crash');
    expect(await store.idempotencyKeys.reserve(answer)).toBeNull();
  });

  it('is deleted when it is old', async () => {
    const { store } = await makeStore();
    const [old, young] = [makeAnswer(), makeAnswer({ created_at: later(10) })];
    await store.idempotencyKeys.reserve(old);
    await store.idempotencyKeys.reserve(young);

    const forgotten = await store.transaction((tx) => tx.idempotencyKeys.deleteBefore(later(10)));

    expect(forgotten).toBe(1);
    expect(await store.idempotencyKeys.reserve(old)).toBeNull();
    expect(await store.idempotencyKeys.reserve(young)).toStrictEqual(young);
  });
});
