import { expect, it, vi } from 'vitest';
import { createMemoryReader } from '../../src/core/extraction/known-memories.ts';
import { unknownMemory } from '../support/language-model.ts';

it('what was read of a stored memory is kept, but not for long', async () => {
  const read = createMemoryReader(50);
  const memory = { ...unknownMemory, id: '1', memory: 'User lives in Ghent' };

  const first = read(memory);
  const again = read(memory);
  expect(again.signature).toBe(first.signature);

  // An erased memory is not read again: what is kept must go without that.
  await vi.waitFor(() => expect(read(memory).signature).not.toBe(first.signature));
});
