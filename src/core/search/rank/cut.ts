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
 * `share` is the part of the best score that a result needs, `best` the score that the best result
 * needs for any result to be sure: few questions about another conversation reach it
 * (docs/search.md, "The score"). What each cut keeps is in test/bench/README.md, "Contexts".
 */
const limitsOfCut: Record<Cut, { share: number; best: number }> = {
  off: { share: 0, best: 0 },
  relaxed: { share: 0.5, best: 0 },
  strict: { share: 0.9, best: 0.55 },
};

/** The results that the cut keeps, best first, the memories it leaves out, and the score needed. */
export function cutResults(
  ranked: readonly ScoredCandidate[],
  cut: Cut,
): { results: ScoredCandidate[]; cutMemories: CutMemory[]; scoreNeeded: number } {
  const { share, best } = limitsOfCut[cut];
  const first = ranked[0]?.score ?? 0;
  const isUnsure = first < best;
  const limit = isUnsure ? Number.POSITIVE_INFINITY : first * share;
  const results = ranked.filter(({ score }) => score >= limit);
  const others = ranked.filter(({ score }) => score < limit);
  const scoreNeeded = isUnsure ? best : limit;
  return {
    results,
    cutMemories: others.map(({ id }) => ({ id, reason: 'below_cut' })),
    scoreNeeded,
  };
}

/**
 * Keeps only the first of memories that say nearly the same about the same time. Each is compared
 * with the first `comparedMax` that stay.
 */
export async function withoutDuplicates(
  memories: readonly StoredMemory[],
): Promise<{ distinct: StoredMemory[]; duplicates: CutMemory[] }> {
  const signatures: HitSignature[] = [];
  const duplicates: CutMemory[] = [];
  const yieldTurn = createTurns();
  for (const memory of memories) {
    await yieldTurn();
    const signature = toHitSignature(memory);
    const isKnown = signatures.slice(0, comparedMax).some((one) => isRepeated(signature, one));
    if (isKnown) duplicates.push({ id: memory.id, reason: 'duplicate' });
    else signatures.push(signature);
  }
  return { distinct: signatures.map(({ memory }) => memory), duplicates };
}

/** A memory to compare. Few comparisons need its signature, which is made once. */
type HitSignature = {
  memory: StoredMemory;
  beginnings: ReadonlySet<string>;
  signature(): TextSignature;
};

function toHitSignature(memory: StoredMemory): HitSignature {
  const text = memory.memory.slice(0, comparedChars);
  let cache: TextSignature | undefined;
  const signature = () => {
    cache ??= signatureOf(text, '');
    return cache;
  };
  return { memory, beginnings: wordBeginnings(text), signature };
}

function isRepeated(one: HitSignature, other: HitSignature): boolean {
  if (one.memory.occurred_at !== other.memory.occurred_at) return false;
  if (!mayRepeat(one.beginnings, other.beginnings)) return false;
  const relation = compareSignatures(one.signature(), other.signature());
  return relation === 'same' || relation === 'less';
}

const comparedMax = 50;
/** Only this many characters are read: two texts that agree for so long count as the same. */
const comparedChars = 2000;
