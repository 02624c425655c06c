import { bucketOf, classifierTokens } from './hashing.ts';

/** A power of two. */
export const sentenceBuckets = 1 << 15;

/** What stands around a sentence of a user. */
export type SentenceContext = {
  /** The assistant's message before it; null if there is none. */
  answered: string | null;
  /** The sentences beside it in the same message; empty if there is none. */
  previous: string;
  next: string;
};

/**
 * The features of a sentence that a user says to an assistant: its words, how it begins and ends,
 * and what it answers.
 */
export function sentenceFeatures(
  sentence: string,
  { answered, previous, next }: SentenceContext,
): Set<number> {
  const features = new Set<number>();
  const add = (name: string) => features.add(bucketOf(name, sentenceBuckets));
  const tokens = tokensOf(sentence);
  const padded = ['<', ...tokens, '>'];
  for (let size = 1; size <= 3; size += 1) {
    for (let at = 0; at + size <= padded.length; at += 1) {
      add(`says ${padded.slice(at, at + size).join(' ')}`);
    }
  }
  const words = tokens.filter((token) => /[\p{L}#]/u.test(token));
  const length = Math.round(Math.log2(1 + words.length));
  add(`first ${words[0] ?? ''}`);
  add(`start ${words.slice(0, 2).join(' ')}`);
  add(`end ${tokens.at(-1) ?? ''}`);
  add(`length ${Math.min(longest, length)}`);
  const asked = isQuestion(answered);
  const answers = answered === null ? 'nothing' : asked ? 'a question' : 'a statement';
  add(`answers ${answers}`);
  add(`answers ${answers}, length ${Math.min(longest - 2, length)}`);
  add(`opens ${previous === ''} ${answered === null}`);
  const [before, after] = [tokensOf(previous), tokensOf(next)];
  add(`previous ${before[0] ?? ''}`);
  add(`previous end ${before.at(-1) ?? ''}`);
  add(`next ${after[0] ?? ''}`);
  add(`next ${after.slice(0, 2).join(' ')}`);
  add(`next end ${after.at(-1) ?? ''}`);
  if (asked) {
    const question = (answered ?? '').slice(-questionChars);
    for (const token of tokensOf(question).slice(-questionTokens)) add(`asked ${token}`);
  }
  return features;
}

/** What is embedded: a word or two mean little without the question that they answer. */
export function textToEmbed(sentence: string, { answered }: SentenceContext): string {
  if (answered === null || !isQuestion(answered) || tokensOf(sentence).length > shortTokens) {
    return sentence;
  }
  return `${answered.slice(-questionChars)} ${sentence}`;
}

const shortTokens = 5;
const questionChars = 120;

/** Of the binary logarithm of the number of words: beyond it, all are long. */
const longest = 6;

/** A question stands at the end of an assistant's message. */
const questionTokens = 12;

function isQuestion(message: string | null): message is string {
  return message !== null && /[?？]["'”’)\]]*\s*$/.test(message.slice(-20));
}

function tokensOf(text: string): string[] {
  return classifierTokens(text).map(({ token }) => token);
}
