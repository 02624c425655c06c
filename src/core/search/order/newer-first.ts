import { wholeSearchWord } from '../../extraction/languages/search-words.ts';
import { termMaxChars } from '../../language/terms-of-text.ts';
import type { Candidate, Instant } from '../../ports/index.ts';
import type { ParsedQuery } from '../query/query.ts';
import type { CandidateFeatures } from '../rank/features.ts';
import { type ScoredCandidate, scaleScore } from '../rank/scored-candidate.ts';

/** Only the results that a caller is likely to see are compared with each other. */
const comparedMax = 20;

/**
 * If two results say the same with another value ("I live in Leeds", later "I live in Hull"), the
 * newer one takes the rank and the score of the older one. Age alone moves nothing: a result moves
 * only among results that share many of its words. A question about the past is left alone.
 */
export function placeNewerFirst(
  ranked: readonly ScoredCandidate[],
  readings: readonly CandidateFeatures[],
  about: { query: string; question: ParsedQuery },
): readonly ScoredCandidate[] {
  if (ranked.length < 2 || asksForPast(about)) return ranked;
  const statements = toStatements(ranked.slice(0, comparedMax), readings, about.question);
  const order = ranked.slice();
  const grouped = new Set<Statement>();
  for (const first of statements) {
    if (grouped.has(first)) continue;
    const group = statements.filter((one) => {
      return one === first || (!grouped.has(one) && hasOtherValue(first, one));
    });
    for (const one of group) grouped.add(one);
    const ranks = group.map(({ rank }) => rank);
    for (const [index, { rank }] of group.sort(newestFirst).entries())
      moveResult(ranked, order, { from: rank, to: ranks[index] ?? rank });
  }
  return order;
}

/**
 * The share of its score that a fact keeps when it has ceased to be true; facts that still hold
 * usually score more.
 */
const endedShare = 0.5;

/**
 * Ranks facts that have ended below facts that still hold; a question about the past is left alone.
 */
export function placeEndedLast(
  ranked: readonly ScoredCandidate[],
  readings: readonly CandidateFeatures[],
  about: { query: string; question: ParsedQuery; now: Instant },
): readonly ScoredCandidate[] {
  const isOver = ({ memory: { valid_until } }: CandidateFeatures) =>
    valid_until !== null && valid_until <= about.now;
  const ended = new Set(readings.filter(isOver).map(({ memory }) => memory.id));
  if (ended.size === 0 || asksForPast(about)) return ranked;
  return ranked
    .map((one) => (ended.has(one.id) ? scaleScore(one, endedShare) : one))
    .sort((one, other) => other.score - one.score);
}

export function asksForPast({
  query,
  question,
}: {
  query: string;
  question: ParsedQuery;
}): boolean {
  return question.dates.length > 0 || pastWords.test(query);
}

const pastWords = new RegExp(wholeSearchWord('past'), 'iu');

/** A short memory: one that states little else than the value that may have changed. */
type Statement = {
  memory: Candidate;
  /** Its index among the results. */
  rank: number;
  score: number;
  words: readonly string[];
  /** For each term of the question, whether the memory has it. */
  hasTerms: readonly boolean[];
};

/** "The budget for the campaign was cut to 28,000 euros" has 10. Longer texts say more. */
const statementWordsMax = 15;
/** Each word is followed by a space. */
const statementCharsMax = statementWordsMax * (termMaxChars + 1);

function toStatements(
  ranked: readonly ScoredCandidate[],
  readings: readonly CandidateFeatures[],
  { terms }: ParsedQuery,
): Statement[] {
  const readingsById = new Map(readings.map((reading) => [reading.memory.id, reading]));
  return ranked.flatMap(({ id, score }, rank) => {
    const reading = readingsById.get(id);
    // Checked before the words are split, because a memory may be long.
    if (reading === undefined || reading.memory.terms.length > statementCharsMax) return [];
    const words = reading.memory.terms.split(' ');
    if (words.length > statementWordsMax) return [];
    const hasTerms = terms.map((_, term) =>
      reading.passages.some(({ counts }) => counts[term] ?? 0),
    );
    return { memory: reading.memory, rank, score, words, hasTerms };
  });
}

/**
 * The first of the two answers the question no better than the other, and they differ in few words.
 * The limits did best on pairs of facts that disagree (test/search/changed); a result that lacks a
 * word of the question which the first has, such as "sister", is about something else.
 */
function hasOtherValue(first: Statement, other: Statement): boolean {
  if (!hasSameSource(first.memory, other.memory)) return false;
  if (other.score < scoreRatioMin * first.score) return false;
  if (first.hasTerms.some((isHeld, term) => isHeld && !other.hasTerms[term])) return false;
  return first.hasTerms.includes(true)
    ? sharedWords(first.words, other.words) >= sharedWordsMin
    : sharedFrame(first.words, other.words) >= sharedFrameMin;
}

const scoreRatioMin = 0.6;
const sharedWordsMin = 0.35;
const sharedFrameMin = 0.6;

/** One conversation is understood as a whole: what is said later in it does not replace a turn. */
function hasSameSource(one: Candidate, other: Candidate): boolean {
  const isOneRun = one.run_id !== null && one.run_id === other.run_id;
  // Two things said at the same time are not an older and a newer version.
  if (isOneRun || one.created_at === other.created_at) return false;
  return sourceFields.every((field) => one[field] === other[field]);
}

const sourceFields = ['user_id', 'agent_id', 'app_id', 'role', 'speaker_terms'] as const;

/** The share of their words that the two have in common (Dice). */
function sharedWords(words: readonly string[], others: readonly string[]): number {
  const [some, more] = [new Set(words), new Set(others)];
  const common = [...some].filter((word) => more.has(word)).length;
  return (2 * common) / (some.size + more.size);
}

/** The share of the longer statement that surrounds the one place where the two differ. */
function sharedFrame(words: readonly string[], others: readonly string[]): number {
  const shorter = Math.min(words.length, others.length);
  let start = 0;
  while (start < shorter && words[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && words.at(-1 - end) === others.at(-1 - end)) end += 1;
  return (start + end) / Math.max(words.length, others.length);
}

function newestFirst({ memory: one }: Statement, { memory: other }: Statement): number {
  if (one.created_at === other.created_at) return other.position - one.position;
  return one.created_at < other.created_at ? 1 : -1;
}

function moveResult(
  ranked: readonly ScoredCandidate[],
  order: ScoredCandidate[],
  { from, to }: { from: number; to: number },
): void {
  const [result, target] = [ranked[from], ranked[to]];
  if (result === undefined || target === undefined) return;
  order[to] = { ...target, id: result.id };
}
