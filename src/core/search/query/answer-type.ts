import { analyze } from '../../language/terms-of-text.ts';
import type { Candidate } from '../../ports/index.ts';
import { answerTypeWeights } from '../weights.ts';

/**
 * The words that answers to one kind of question usually contain. `own`: they count only if a
 * person says them, not in an assistant's answer. English only; the words are looked up among the
 * index terms, so the text of a memory need not be read.
 */
type AnswerType = {
  question: RegExp;
  unless?: RegExp;
  answer: RegExp;
  own: boolean;
  weight: number;
};

export type AnswerTypes = readonly AnswerType[];

export function detectAnswerTypes(query: string): AnswerTypes {
  return answerTypes.filter(({ question, unless }) => question.test(query) && !unless?.test(query));
}

/** The factor by which the wording of a memory raises its score. */
export function answerTypeWeight(memory: Candidate, types: AnswerTypes): number {
  const isOwn = memory.role !== 'assistant' || memory.speaker_terms !== '';
  let product = 1;
  for (const { own, answer, weight } of types) {
    if ((isOwn || !own) && answer.test(memory.terms)) product *= weight;
  }
  return product;
}

/** Matches any of these words as a term, or a term that the pattern matches as a whole. */
function termsPattern(words: string, pattern = '\\b\\B'): RegExp {
  return new RegExp(`(?:^| )(?:${analyze(words).join('|')}|${pattern})(?: |$)`);
}

/** May is left out: it is mostly a verb. */
const timeWords =
  'yesterday today tonight tomorrow ago last next week weekend month year morning recently since ' +
  'monday tuesday wednesday thursday friday saturday sunday january february march april june ' +
  'july august september october november december';

const answerTypes: readonly AnswerType[] = [
  {
    question: /^/,
    answer: termsPattern("i i'm i've my we our"),
    own: true,
    weight: answerTypeWeights.own,
  },
  {
    question: /\bwhen\b|^\s*(?:what|which) (?:date|day|month|year|time)\b|^\s*how long\b/i,
    answer: termsPattern(timeWords, '\\d{4}|\\d+(?:st|nd|rd|th)'),
    own: false,
    weight: answerTypeWeights.time,
  },
  {
    question:
      /^(?=.*\b(?:i|i['’]m|me|my|we|our)\b).*\b(?:can|could|should|would|how|what|help)\b/is,
    unless: /\b(?:did|was|were|had|been|have (?:i|you|we))\b/i,
    answer: termsPattern('always never prefer'),
    own: true,
    weight: answerTypeWeights.standing,
  },
];
