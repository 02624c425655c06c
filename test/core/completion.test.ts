import { expect, it, vi } from 'vitest';
import { createCompletionSignal } from '../../src/core/queue/completion.ts';

const longMs = 2 ** 31 - 1;

it('tells all who wait for an event that it has ended, and nobody else', async () => {
  const { waitFor, complete } = createCompletionSignal();
  const other = vi.fn();
  void waitFor('other', longMs).then(other);
  const waiting = [waitFor('one', longMs), waitFor('one', longMs)];

  complete('one');
  await Promise.all(waiting);

  expect(other).not.toHaveBeenCalled();
  complete('other');
  await vi.waitFor(() => expect(other).toHaveBeenCalled());
});

it('lets nobody wait longer than was asked for', async () => {
  const { waitFor, complete } = createCompletionSignal();

  await waitFor('one', 1);

  expect(() => complete('one')).not.toThrow();
});
