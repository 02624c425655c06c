import { bucketsOf, classifierTokens, gramsOf } from './hashing.ts';

/** A power of two. */
export const sentenceBuckets = 1 << 16;

/** The context of a user's sentence. */
export type SentenceContext = {
  /** The assistant's message before it; null if there is none. */
  answered: string | null;
  /** The sentences beside it in the same message; empty if there is none. */
  previous: string;
  next: string;
  /** The share of it that stands between quotation marks, from 0 to 1. */
  quoted: number;
};

/**
 * The features of a sentence that a user says to an assistant: its words, how it begins and ends,
 * and what it answers.
 */
export function sentenceFeatures(
  sentence: string,
  { answered, previous, next, quoted }: SentenceContext,
): Set<number> {
  const tokens = tokensOf(sentence);
  const names = gramsOf(tokens, 3).map((gram) => `says ${gram}`);
  const add = (name: string) => names.push(name);
  const words = tokens.filter((token) => /[\p{L}#]/u.test(token));
  const length = Math.round(Math.log2(1 + words.length));
  add(`first ${words[0] ?? ''}`);
  add(`start ${words.slice(0, 2).join(' ')}`);
  add(`end ${tokens.at(-1) ?? ''}`);
  add(`length ${Math.min(longest, length)}`);
  const isAnswer = isQuestion(answered);
  const answers = answered === null ? 'nothing' : isAnswer ? 'a question' : 'a statement';
  add(`answers ${answers}`);
  add(`answers ${answers}, length ${Math.min(longest - 2, length)}`);
  add(`opens ${previous === ''} ${answered === null}`);
  const [before, after] = [tokensOf(previous), tokensOf(next)];
  add(`previous ${before[0] ?? ''}`);
  add(`previous end ${before.at(-1) ?? ''}`);
  add(`next ${after[0] ?? ''}`);
  add(`next ${after.slice(0, 2).join(' ')}`);
  add(`next end ${after.at(-1) ?? ''}`);
  add(`quoted ${Math.round(quoted * 2)}`);
  // Forms of one word begin alike.
  for (const token of tokens)
    if (token.length > stemChars) add(`begins ${token.slice(0, stemChars)}`);
  const questionEnd = tokensOf((answered ?? '').slice(-questionChars)).slice(-questionTokens);
  for (const token of questionEnd) add(`${isAnswer ? 'asked' : 'told'} ${token}`);
  return bucketsOf(names, sentenceBuckets);
}

/** The text to embed: one or two words mean little without the question that they answer. */
export function textToEmbed(sentence: string, { answered }: SentenceContext): string {
  if (answered === null || !isQuestion(answered) || tokensOf(sentence).length > shortTokens) {
    return sentence;
  }
  return `${answered.slice(-questionChars)} ${sentence}`;
}

const stemChars = 4;
const shortTokens = 5;
const questionChars = 120;

/** The largest binary logarithm of a number of words: longer sentences count as this long. */
const longest = 6;

/** A question stands at the end of an assistant's message. */
const questionTokens = 12;

function isQuestion(message: string | null): message is string {
  return message !== null && /[?？]["'”’)\]]*\s*$/.test(message.slice(-20));
}

function tokensOf(text: string): string[] {
  return classifierTokens(text).map(({ token }) => token);
}
