import { signal } from '@preact/signals';
import { client } from './session.ts';

/** How many memories are waiting for review; null while nobody has asked. */
export const waitingTotal = signal<number | null>(null);

export async function readWaitingTotal(): Promise<number> {
  const { total } = await client.listReviews({ page_size: 1 });
  waitingTotal.value = total;
  return total;
}
