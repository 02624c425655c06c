/** What a text may say of a change, or of what may change. */
export const changeConcepts = [
  'ended',
  'died',
  'sold',
  'moved',
  'rehomed',
  'changed',
  'now',
  'again',
  'parted',
  'other',
  'once',
  'also',
  'likes',
  'dislikes',
  'not',
  'lives',
  'works',
  'has',
  'uses',
  'plans',
] as const;

/** Those of which a statement must have one to contradict what it does not name as an attribute. */
export const changeSigns = [
  'ended',
  'died',
  'sold',
  'moved',
  'rehomed',
  'changed',
  'now',
  'again',
  'parted',
  'dislikes',
  // Put right or put off; what is learned from pairs knows nothing of it.
  'revised',
] as const;

/**
 * The words of a language for each of them, in lower case. A bar separates the beginnings of words;
 * a space at the end of one stands for the end of the word.
 */
export type ChangeWords = Record<(typeof changeConcepts)[number] | 'revised', string> & {
  /** Whole words; two texts that share only such a one are about two things. */
  polite: string;
};
