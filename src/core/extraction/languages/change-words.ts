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

/**
 * The words of a language for each of them, in lower case. A bar separates the beginnings of words;
 * a space at the end of one stands for the end of the word.
 */
export type ChangeWords = Record<(typeof changeConcepts)[number], string>;
