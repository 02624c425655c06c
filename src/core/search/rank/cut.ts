import type { Cut } from '../../../contract/schemas/search.ts';
import { createTurns } from '../../../turns.ts';
import {
  compareSignatures,
  mayRepeat,
  signatureOf,
  type TextSignature,
  wordBeginnings,
} from '../../extraction/text-similarity.ts';
import type { StoredMemory } from '../../ports/index.ts';
import type { ScoredCandidate } from './scored-candidate.ts';

/** Why a memory that a search found is not among its results. */
export type CutReason = 'below_cut' | 'duplicate';
export type CutMemory = { id: string; reason: CutReason };

/**
 * `share` is the part of the best score that a result needs, `best` the score without which nothing
 * is sure: few questions of another conversation reach it
 * (docs/search.md, "The score"). What each cut keeps is in test/bench/README.md, "Contexts".
 */
const limitsOfCut: Record<Cut, { share: number; best: number }> = {
  off: { share: 0, best: 0 },
  relaxed: { share: 0.5, best: 0 },
  strict: { share: 0.9, best: 0.55 },
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
export async function withoutDuplicates(
  memories: readonly StoredMemory[],
): Promise<{ kept: StoredMemory[]; dropped: CutMemory[] }> {
  const kept: HitSignature[] = [];
  const dropped: CutMemory[] = [];
  const rest = createTurns();
  for (const memory of memories) {
    await rest();
    const compared = toHitSignature(memory);
    const isKnown = kept.slice(0, comparedMax).some((one) => isRepeated(compared, one));
    if (isKnown) dropped.push({ id: memory.id, reason: 'duplicate' });
    else kept.push(compared);
  }
  return { kept: kept.map(({ memory }) => memory), dropped };
}

/** A memory as it is compared: its signature, which few comparisons need, is made once. */
type HitSignature = {
  memory: StoredMemory;
  beginnings: ReadonlySet<string>;
  signature(): TextSignature;
};

function toHitSignature(memory: StoredMemory): HitSignature {
  const text = memory.memory.slice(0, comparedChars);
  let made: TextSignature | undefined;
  const signature = () => {
    made ??= signatureOf(text, '');
    return made;
  };
  return { memory, beginnings: wordBeginnings(text), signature };
}

function isRepeated(one: HitSignature, known: HitSignature): boolean {
  if (one.memory.occurred_at !== known.memory.occurred_at) return false;
  if (!mayRepeat(one.beginnings, known.beginnings)) return false;
  const relation = compareSignatures(one.signature(), known.signature());
  return relation === 'same' || relation === 'less';
}

const comparedMax = 50;
/** Two texts that begin alike for so long are told apart by nothing that is read here. */
const comparedChars = 2000;
