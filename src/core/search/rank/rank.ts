import { mapInTurns, runInTurns } from '../../../turns.ts';
import { bm25, lengthNorm } from '../../bm25.ts';
import type { AskedRole } from '../query/asked-role.ts';
import type { ParsedQuery } from '../query/query.ts';
import { askedRoleBoost, namedSpeakerBoost, sessionShare } from '../weights.ts';
import { positionThreads, spreadTermFrequencies, type ThreadPosition } from './context-window.ts';
import type { CandidateFeatures } from './features.ts';
import { type KeywordRanked, type KeywordScoreParts, roundScore } from './scored-candidate.ts';
import { type TermWeights, weighTerms } from './term-weights.ts';

/**
 * Orders memories by how well they answer the question, best first. They are cut into passages. A
 * passage is scored by the words that it and its neighbours hold (BM25 over weighted fields), by
 * its date and by the best of its session; the memory by its best passage, by who said it and by
 * how it is put. `size` is how many memories the scope holds.
 */
export async function rankByKeywords(
  readings: readonly CandidateFeatures[],
  { question, size }: { question: ParsedQuery; size: number },
): Promise<{ ranked: KeywordRanked[]; whole: number }> {
  const { terms, dates, role } = question;
  const weights = weighTerms(readings, { terms, dates, size });
  const asked = {
    isNaming: readings.some(({ speakerTerms }) => speakerTerms.includes(true)),
    side: role,
  };
  const scoring = { weights, asked, averageLength: averageLengthOf(readings) };

  const threads = positionThreads(readings);
  const scored = await runInTurns(mapInTurns(threads, (seats) => scoreThread(seats, scoring)));
  const ranked = scored
    .flat()
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || newestFirst(one, other))
    .map((scored) => toKeywordRanked(scored, weights.whole));
  return { ranked, whole: weights.whole };
}

type ScoringContext = { weights: TermWeights; asked: SpeakerQuery; averageLength: number };
type WeightedCandidate = { reading: CandidateFeatures; weight: number; best: KeywordScoreParts };

function scoreThread(
  seats: readonly ThreadPosition[],
  scoring: ScoringContext,
): WeightedCandidate[] {
  const own = seats.map(({ passage: { length, counts } }) => {
    const norm = lengthNorm(length, scoring.averageLength, bm25.b);
    return counts.map((count) => count / norm);
  });
  const scored: WeightedCandidate[] = [];
  let session = 0;
  for (const [index, frequencies] of spreadTermFrequencies(seats, own).entries()) {
    const reading = seats[index]?.reading;
    if (reading === undefined) continue;
    const parts = scorePassage(reading, frequencies, scoring);
    const weight = sumScoreParts(parts);
    session = Math.max(session, weight);
    // The passages of a memory follow one another.
    const last = scored.at(-1);
    if (last?.reading !== reading) scored.push({ reading, weight, best: parts });
    else if (last.weight < weight) scored[scored.length - 1] = { reading, weight, best: parts };
  }
  for (const one of scored) {
    const prior = speakerBoost(one.reading, scoring.asked) * one.reading.answerTypeBoost;
    one.weight = (one.weight + sessionShare * session) * prior;
  }
  return scored;
}

/** By how much what a memory says counts for who said it; 1 where that says nothing. */
function speakerBoost(
  { memory, speakerTerms }: CandidateFeatures,
  { isNaming, side }: SpeakerQuery,
): number {
  if (isNaming) return speakerTerms.includes(true) ? 1 : 1 / namedSpeakerBoost;
  const isUnknown = memory.role === null || memory.speaker_terms !== '';
  return isUnknown || memory.role === side ? 1 : 1 / askedRoleBoost;
}

/** `isNaming`: a term of the question is the name of somebody who said something. */
type SpeakerQuery = { isNaming: boolean; side: AskedRole };

function scorePassage(
  { speakerTerms, dateOverlap }: CandidateFeatures,
  frequencies: readonly number[],
  { weights }: ScoringContext,
): KeywordScoreParts {
  let keyword = 0;
  let entity = 0;
  let temporal = 0;
  for (let feature = 0; feature < frequencies.length; feature += 1) {
    const held = frequencies[feature] ?? 0;
    const spoken = speakerTerms[feature] ? bm25.speakerFrequency : 0;
    const frequency = held + spoken;
    if (frequency === 0) continue;
    // `termScore` times k1 + 1, in two parts; frequencies are by length already.
    const score = ((weights.features[feature] ?? 0) * (bm25.k1 + 1)) / (frequency + bm25.k1);
    keyword += score * held;
    entity += score * spoken;
  }
  for (let date = 0; date < dateOverlap.length; date += 1) {
    temporal += (dateOverlap[date] ?? 0) * (weights.dates[date] ?? 0);
  }
  return { keyword, entity, temporal };
}

/**
 * The square root of the share of the question's weight that the memory carries. A memory of usual
 * length that holds each word of the question once has 1.
 */
function toKeywordRanked(
  { reading, weight, best }: WeightedCandidate,
  whole: number,
): KeywordRanked {
  const share = whole === 0 ? 0 : weight / whole / (1 + sessionShare);
  const score = roundScore(Math.min(1, Math.sqrt(share)));
  // What only the session gives is of words.
  const scale = score / (sumScoreParts(best) || 1);
  const [entity, temporal] = [roundScore(best.entity * scale), roundScore(best.temporal * scale)];
  const keyword = roundScore(score - entity - temporal);
  const { id } = reading.memory;
  return { id, score, parts: { keyword, entity, temporal } };
}

function sumScoreParts({ keyword, entity, temporal }: KeywordScoreParts): number {
  return keyword + entity + temporal;
}

function averageLengthOf(readings: readonly CandidateFeatures[]): number {
  const passages = readings.reduce((count, reading) => count + reading.passages.length, 0);
  const length = readings.reduce((sum, { memory }) => sum + memory.terms.length, 0);
  return Math.max(1, length / Math.max(1, passages));
}

function newestFirst(one: WeightedCandidate, other: WeightedCandidate): number {
  return other.reading.memory.position - one.reading.memory.position;
}
