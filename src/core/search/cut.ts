import type { Cut } from '../../contract/schemas/search.ts';
import { compareSignatures, signatureOf, type TextSignature } from '../language/text-similarity.ts';
import type { StoredMemory } from '../ports/index.ts';
import type { ScoredCandidate } from './scored-candidate.ts';

/** Why a memory that a search found is not among its results. */
export type CutReason = 'below_cut' | 'duplicate';
export type CutMemory = { id: string; reason: CutReason };

/**
 * `share` is the part of the best score that a result needs, `best` the score without which nothing
 * is sure: a best turn of .6 answers a question of another conversation in 6 of 100 cases
 * (docs/search.md, "The score"). What each cut keeps is in test/bench/README.md, "Contexts".
 */
const limitsOfCut: Record<Cut, { share: number; best: number }> = {
  off: { share: 0, best: 0 },
  relaxed: { share: 0.5, best: 0 },
  strict: { share: 0.85, best: 0.6 },
};

/** The results that the cut keeps, best first, the ids of the others, and the score needed. */
export function cutResults(
  ranked: readonly ScoredCandidate[],
  cut: Cut,
): { kept: ScoredCandidate[]; dropped: CutMemory[]; needed: number } {
  const { share, best } = limitsOfCut[cut];
  const first = ranked[0]?.score ?? 0;
  const isUnsure = first < best;
  const least = isUnsure ? Number.POSITIVE_INFINITY : first * share;
  const kept = ranked.filter(({ score }) => score >= least);
  const dropped = ranked.filter(({ score }) => score < least);
  const needed = isUnsure ? best : least;
  return { kept, dropped: dropped.map(({ id }) => ({ id, reason: 'below_cut' })), needed };
}

/**
 * Of memories that say nearly the same of the same time, only the first. Each is compared with the
 * first `comparedMax` that stay.
 */
export function withoutDuplicates(memories: readonly StoredMemory[]): {
  kept: StoredMemory[];
  dropped: CutMemory[];
} {
  const kept: { memory: StoredMemory; signature: TextSignature }[] = [];
  const dropped: CutMemory[] = [];
  for (const memory of memories) {
    const signature = signatureOf(memory.memory.slice(0, comparedChars), '');
    const isKnown = kept.slice(0, comparedMax).some((one) => {
      const isOfOneTime = one.memory.occurred_at === memory.occurred_at;
      const relation = compareSignatures(signature, one.signature);
      return isOfOneTime && (relation === 'same' || relation === 'less');
    });
    if (isKnown) dropped.push({ id: memory.id, reason: 'duplicate' });
    else kept.push({ memory, signature });
  }
  return { kept: kept.map(({ memory }) => memory), dropped };
}

const comparedMax = 50;
/** Two texts that begin alike for so long are told apart by nothing that is read here. */
const comparedChars = 2000;
