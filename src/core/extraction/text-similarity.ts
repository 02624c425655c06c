import { functionWords } from '../language/function-words.ts';
import { analyze, analyzeQuery } from '../language/terms-of-text.ts';
import { wholeSearchWord } from './languages/search-words.ts';

/** The terms of a text, and its salient terms: those that change its meaning if absent. */
export type TextSignature = { terms: ReadonlySet<string>; salientTerms: ReadonlySet<string> };

export function signatureOf(text: string, speaker: string): TextSignature {
  const speakerTerms = new Set(analyze(speaker));
  const negated = text.match(negations) ?? [];
  const denying = new Set(analyze(negated.join(' ')));
  const terms = analyzeQuery(text).filter(
    (term) => !speakerTerms.has(term) && !fillerTerms.has(term) && !denying.has(term),
  );
  const names = [...text.matchAll(namePattern)].flatMap(([name]) => analyze(name));
  const decisive = terms.filter((term) => /\d/.test(term) || antonyms.has(term));
  // "No" and "not" are function words of a question, not of a fact.
  const marks = negated.length % 2 === 1 ? [negationMark] : [];
  return {
    terms: new Set([...terms, ...marks]),
    salientTerms: new Set([
      ...decisive,
      ...marks,
      ...names.filter((name) => !speakerTerms.has(name)),
    ]),
  };
}

/** Stands for a negation in any words. */
export const negationMark = 'not';
const negations = new RegExp(wholeSearchWord('negations'), 'giu');
const namePattern = /(?<=[\p{L}\p{N},;] )\p{Lu}\p{L}+/gu;

/** Words that add nothing. */
const fillerTerms = new Set(
  analyze('really actually absolutely also still now pretty quite totally truly definitely'),
);

/** Words that come in pairs of opposites. */
const antonyms = new Set(
  analyze(
    'love hate like dislike enjoy avoid start stop begin end quit buy sell join leave always ' +
      'never first last left right open close win lose accept decline increase decrease ' +
      'morning evening old new',
  ),
);

/**
 * How a text repeats another: the `same` words in any order and form, `less` or `more` of them;
 * null if they differ in a salient term such as a number, a name or a negation.
 */
export function compareSignatures(
  text: TextSignature,
  other: TextSignature,
): 'same' | 'less' | 'more' | null {
  const isShared = (term: string) => text.terms.has(term) === other.terms.has(term);
  // These are few, and tell most texts apart.
  const salient = [...text.salientTerms, ...other.salientTerms];
  if (!salient.every(isShared)) return null;
  let common = 0;
  for (const term of text.terms) if (other.terms.has(term)) common += 1;
  const union = text.terms.size + other.terms.size - common;
  if (common < commonTermsMin || common / union < jaccardMin) return null;
  if (common === text.terms.size) return common === other.terms.size ? 'same' : 'less';
  return common === other.terms.size ? 'more' : null;
}

/** With fewer common terms, short texts share words by chance. */
const commonTermsMin = 3;
const jaccardMin = 0.7;

/** Whether what two texts share comes in one order: "Ann met Ben" is not "Ben met Ann". */
export function sharesOrder(text: TextSignature, memory: TextSignature): boolean {
  const inText = [...text.terms].filter((term) => memory.terms.has(term));
  const inMemory = [...memory.terms].filter((term) => text.terms.has(term));
  return inText.every((term, at) => term === inMemory[at]);
}

/**
 * The beginnings of the words of a text that say what it is about: up to three letters of each,
 * letters without case one by one. They cost a tenth of a signature.
 */
export function wordBeginnings(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(wordOrCharacter) ?? [];
  const telling = words.filter((word) => !functionWords.get(word)?.includes('english'));
  return new Set(telling.map((word) => word.slice(0, beginningLetters)));
}

const beginningLetters = 3;
/** Letters without case are read one by one: most of their scripts have no spaces. */
const wordOrCharacter = /\p{Lo}|[\p{L}\p{N}]+/gu;

/**
 * Whether a text may repeat another, by the beginnings of its words: few pairs do, and only those
 * need signatures. Of turns of LoCoMo and BEAM that repeat another, none has less than three
 * quarters of its beginnings in it; of others, three in a thousand have .6.
 */
export function mayRepeat(text: ReadonlySet<string>, memory: ReadonlySet<string>): boolean {
  let unmatchedLeft = text.size * (1 - commonBeginningsMin);
  for (const beginning of text) {
    if (!memory.has(beginning)) unmatchedLeft -= 1;
    if (unmatchedLeft < 0) return false;
  }
  return true;
}

const commonBeginningsMin = 0.6;

/** The share of a text's terms that another text has as well. */
export function coverage(text: TextSignature, other: TextSignature): number {
  const terms = [...text.terms].filter((term) => term !== negationMark);
  if (terms.length === 0) return 0;
  return terms.filter((term) => other.terms.has(term)).length / terms.length;
}

/** "I play polo" and "I don't play polo": the same words, but for a negation. */
export function denies(one: TextSignature, other: TextSignature): boolean {
  if (one.terms.has(negationMark) === other.terms.has(negationMark)) return false;
  return coverage(one, other) === 1 && coverage(other, one) === 1;
}
