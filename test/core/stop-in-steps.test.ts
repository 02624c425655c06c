import { expect, it } from 'vitest';
import { stopInSteps } from '../../src/app/stop-in-steps.ts';

it('stops all parts in order, also after one of them failed, and then throws the failure', async () => {
  const stopped: string[] = [];
  const stop = stopInSteps([
    [() => stopped.push('worker'), () => Promise.reject(new Error('sweeper'))],
    [
      undefined,
      () => {
        throw new Error('sender');
      },
    ],
    [() => stopped.push('store')],
  ]);

  await expect(stop()).rejects.toThrow('sweeper');

  expect(stopped).toEqual(['worker', 'store']);
});
