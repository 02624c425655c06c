import { expect, it, vi } from 'vitest';
import { createCompletionSignal } from '../../src/core/queue/completion.ts';

const longMs = 2 ** 31 - 1;

it('tells all who wait for an event that it has ended, and nobody else', async () => {
  const { waitFor: next, complete: ended } = createCompletionSignal();
  const other = vi.fn();
  void next('other', longMs).then(other);
  const waiting = [next('one', longMs), next('one', longMs)];

  ended('one');
  await Promise.all(waiting);

  expect(other).not.toHaveBeenCalled();
  ended('other');
  await vi.waitFor(() => expect(other).toHaveBeenCalled());
});

it('lets nobody wait longer than was asked for', async () => {
  const { waitFor: next, complete: ended } = createCompletionSignal();

  await next('one', 1);

  expect(() => ended('one')).not.toThrow();
});
