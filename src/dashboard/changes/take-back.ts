import type { Sent } from '../../client/operations.ts';
import type { Output } from '../../contract.ts';
import { client } from '../parts/session.ts';
import { readWaitingTotal } from '../parts/waiting.ts';

/** Undoes changes. Accepted memories may then wait for a review again, so they are recounted. */
export async function takeBack(what: Sent<'undo_changes'>): Promise<Output<'undo_changes'>> {
  const answer = await client.undoChanges(what);
  void readWaitingTotal().catch(() => {}); // then the number in the menu stays
  return answer;
}
