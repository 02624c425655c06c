import { analyze } from '../../language/analyze.ts';
import type { Candidate } from '../../ports/index.ts';
import { answerTypeWeights } from '../weights.ts';

/**
 * What a statement looks like that answers a kind of question. `own`: only in what a person says,
 * not in what an assistant answers. Known for English; the words are looked for among index terms,
 * so that the text of a memory need not be read.
 */
type AnswerType = { asked: RegExp; unless?: RegExp; held: RegExp; own: boolean; weight: number };

export type AnswerTypes = readonly AnswerType[];

export function detectAnswerTypes(query: string): AnswerTypes {
  return answerTypes.filter(({ asked, unless }) => asked.test(query) && !unless?.test(query));
}

/** By how much a memory counts for how it is put. */
export function answerTypeWeight(memory: Candidate, asked: AnswerTypes): number {
  const isOwn = memory.role !== 'assistant' || memory.speaker_terms !== '';
  let product = 1;
  for (const { own, held, weight } of asked) {
    if ((isOwn || !own) && held.test(memory.terms)) product *= weight;
  }
  return product;
}

/** Any of these words as a term, or a term that is all of the pattern. */
function termsPattern(words: string, pattern = '\\b\\B'): RegExp {
  return new RegExp(`(?:^| )(?:${analyze(words).join('|')}|${pattern})(?: |$)`);
}

/** Without May, which is mostly a verb. */
const timeWords =
  'yesterday today tonight tomorrow ago last next week weekend month year morning recently since ' +
  'monday tuesday wednesday thursday friday saturday sunday january february march april june ' +
  'july august september october november december';

const answerTypes: readonly AnswerType[] = [
  {
    asked: /^/,
    held: termsPattern("i i'm i've my we our"),
    own: true,
    weight: answerTypeWeights.own,
  },
  {
    asked: /\bwhen\b|^\s*(?:what|which) (?:date|day|month|year|time)\b|^\s*how long\b/i,
    held: termsPattern(timeWords, '\\d{4}|\\d+(?:st|nd|rd|th)'),
    own: false,
    weight: answerTypeWeights.time,
  },
  {
    asked: /^(?=.*\b(?:i|i['’]m|me|my|we|our)\b).*\b(?:can|could|should|would|how|what|help)\b/is,
    unless: /\b(?:did|was|were|had|been|have (?:i|you|we))\b/i,
    held: termsPattern('always never prefer'),
    own: true,
    weight: answerTypeWeights.standing,
  },
];
