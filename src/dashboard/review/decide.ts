import type { Sent } from '../../client/operations.ts';
import { ApiError } from '../../client.ts';
import { formatCount } from '../../contract/format-count.ts';
import type { Output } from '../../contract.ts';
import { client } from '../parts/session.ts';

export type WaitingReview = Output<'list_reviews'>['results'][number];

/** A decision about a waiting memory. */
export type ReviewChoice = Pick<Sent<'review_memory'>, 'decision' | 'text' | 'replaces'>;

/** The last decisions, which can be undone. */
export type Decided = {
  words: string;
  reviews: readonly { memory_id: string; event_id: string | null; isBarred: boolean }[];
};

/** Whether it may be an injection; another reason to review it may come first. */
export function isFlagged({ review_reason, metadata }: WaitingReview): boolean {
  return review_reason === 'flagged' || metadata.flagged !== undefined;
}

const verbs = { accept: 'Accepted', decline: 'Declined', never: 'Declined and blocked' };

export async function decideOne(memory: WaitingReview, choice: ReviewChoice): Promise<Decided> {
  const memory_id = memory.id;
  const { event_id } = await client.reviewMemory({ memory_id, ...choice });
  const words = `${verbs[choice.decision]}: ${choice.text ?? memory.memory}`;
  return { words, reviews: [{ memory_id, event_id, isBarred: choice.decision === 'never' }] };
}

/** Accepts a memory. It replaces the one it supersedes; others that it may contradict stay. */
export function acceptAsMeant({ supersedes, may_replace = [] }: WaitingReview): ReviewChoice {
  const isBeside = supersedes === null && may_replace.length > 0;
  return { decision: 'accept', ...(isBeside && { replaces: null }) };
}

/** Accepts memories one after the other; refused ones go on waiting, and are returned as errors. */
export async function acceptAll(
  memories: readonly WaitingReview[],
): Promise<{ decision: Decided; refusals: string[] }> {
  const reviews: Decided['reviews'][number][] = [];
  const refusals: string[] = [];
  for (const memory of memories) {
    const memory_id = memory.id;
    try {
      const choice = acceptAsMeant(memory);
      const { event_id } = await client.reviewMemory({ memory_id, ...choice });
      reviews.push({ memory_id, event_id, isBarred: false });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
      refusals.push(error.message);
    }
  }
  const words = `Accepted ${formatCount(reviews.length, 'memory', 'memories')}`;
  return { decision: { words, reviews }, refusals };
}

/** Undoes decisions, the last one first. */
export async function takeBackReviews({ reviews }: Decided): Promise<void> {
  for (const { memory_id, event_id, isBarred } of reviews.toReversed()) {
    if (isBarred) await letLikeBeStored(memory_id);
    if (event_id !== null) await client.undoChanges({ event_id });
  }
}

async function letLikeBeStored(memory_id: string): Promise<void> {
  try {
    await client.reviewMemory({ memory_id, decision: 'decline' });
  } catch (error) {
    // The project has already forgotten that it blocks this text.
    if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
  }
}
