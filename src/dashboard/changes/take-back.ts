import type { UndoChangesInput, UndoChangesOutput } from '../../client.ts';
import { client } from '../parts/session.ts';
import { readWaitingTotal } from '../parts/waiting.ts';

/** Undoes changes; what was accepted may wait for a review again, which the menu counts. */
export async function takeBack(what: UndoChangesInput): Promise<UndoChangesOutput> {
  const undone = await client.undoChanges(what);
  void readWaitingTotal().catch(() => {}); // then the number in the menu stays
  return undone;
}
