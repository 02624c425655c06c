import { describe, expect, it } from 'vitest';
import { makeMemory } from '../storage/memory.ts';
import { makeAnswer } from '../storage/records.ts';
import { isPostgres } from '../support/database.ts';
import { type Break, openThroughProxy } from './proxy.ts';

const placeholder = { status: 409, output: '' };

describe.skipIf(!isPostgres)('a commit whose connection breaks', () => {
  it.each<Break>(['during', 'after'])(
    'is known to have succeeded if the request reserved its response: %s it',
    async (when) => {
      const { store, project, breakNext } = await openThroughProxy();
      const reserved = makeAnswer();
      await store.idempotencyKeys.reserve(reserved);

      const result = await store.runIdempotent({ reserved, placeholder }, () =>
        store.transaction(async (tx) => {
          await tx.memories.insert(project, [makeMemory({ id: 'm' })]);
          breakNext(when);
          return 'stored';
        }),
      );

      expect(result).toBe('stored');
      expect(await store.memories.find(project, 'm')).toMatchObject({ id: 'm' });
      expect(await store.idempotencyKeys.release(reserved)).toBe(false);
      expect(await store.idempotencyKeys.reserve(reserved)).toStrictEqual({
        ...reserved,
        ...placeholder,
      });
    },
  );

  it('that the database never got leaves the key free', async () => {
    const { store, project, breakNext } = await openThroughProxy();
    const reserved = makeAnswer();
    await store.idempotencyKeys.reserve(reserved);

    const failing = store.runIdempotent({ reserved, placeholder }, () =>
      store.transaction(async (tx) => {
        await tx.memories.insert(project, [makeMemory({ id: 'm' })]);
        breakNext('before');
      }),
    );

    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.memories.find(project, 'm')).toBeNull();
    expect(await store.idempotencyKeys.reserve(reserved)).toBeNull();
  });

  it('is an error without a reserved response', async () => {
    const { store, project, breakNext } = await openThroughProxy();

    const failing = store.transaction(async (tx) => {
      await tx.memories.find(project, 'm');
      breakNext('after');
    });

    await expect(failing).rejects.toMatchObject({ code: 'unavailable' });
  });
});
