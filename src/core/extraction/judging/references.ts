import { functionWords } from '../../language/function-words.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import {
  allRules,
  byLanguage,
  isUndetected,
  type RuleLanguage,
  rulesOf,
} from '../languages/all-languages.ts';
import { isFiniteVerb } from '../languages/en/verbs.ts';

/**
 * Whether a sentence begins with a word for something that was named before it: alone, it does not
 * say what it is about.
 */
export function opensWithReference(sentence: string): boolean {
  return opensWithPerson(sentence) || thingStart.test(sentence);
}

/** Whether it begins with a word for somebody who was named before it. */
export function opensWithPerson(sentence: string): boolean {
  return personStart.test(sentence);
}

/**
 * Whether a sentence does not say who or what it is about, as "She's 31", "Comes next Friday" and
 * "1.85 is what we have", in each of the languages that it may be in.
 */
export function lacksSubject(sentence: string, languages: readonly RuleLanguage[]): boolean {
  // Short texts mislead: "il" is "he" in French, but "the" in Italian.
  const likely = isUndetected(languages) ? (['en'] as const) : languages;
  return saysOnlyNumbers(sentence) || likely.every((one) => pointsBack(sentence, one));
}

function pointsBack(sentence: string, language: RuleLanguage): boolean {
  const { sentences, dates } = rulesOf(language);
  const { unnamed, pointing, anybody } = sentences;
  const { person, thing } = starts[language];
  if (unnamed.some((one) => one.test(sentence))) return true;
  if (person.test(sentence)) {
    // "They moved my driving test", "they moved the exam to Monday"
    const isOwn = isOfSpeaker(sentence) || dates.moved.test(sentence);
    return !(isOwn && anybody?.test(sentence));
  }
  return thing.test(sentence) && !isOfSpeaker(sentence) && pointing?.test(sentence) !== true;
}

function saysOnlyNumbers(sentence: string): boolean {
  if (!/^\p{N}/u.test(sentence)) return false;
  const words = sentence.slice(0, numbersMaxChars).match(/[\p{L}\p{N}][\p{L}\p{N}.,]*/gu) ?? [];
  return words.length > 1 && words.every((one) => /^\p{N}/u.test(one) || isFunctionWord(one));
}

const numbersMaxChars = 100;

function isFunctionWord(word: string): boolean {
  return functionWords.has(foldWord(word.replace(/[.,]$/, '')));
}

/** Whether a sentence begins with what somebody does: "Loves whisky", "Lives in Leeds". */
export function lacksPerson(sentence: string): boolean {
  return words.some(({ goesOn }) => goesOn?.test(sentence));
}

/** Whether a sentence of few words does not say who or what it is about: "third one in a year." */
export function isFragment(sentence: string): boolean {
  if (firstPerson.test(sentence)) return false;
  const words = wordsOf(sentence);
  const terms = words.filter((word) => !functionWords.has(foldWord(word)));
  return terms.length <= fewTerms && words.length > 0 && !words.slice(0, 6).some(isFiniteVerb);
}

/** Whether a sentence speaks of the speaker, or of what is theirs. */
export function isOfSpeaker(sentence: string): boolean {
  return firstPerson.test(sentence);
}

const fewTerms = 3;

const words = allRules.map(({ sentences }) => sentences);

const speakers = (ofSpaced: boolean) =>
  words.filter(({ joints }) => (joints !== undefined) === ofSpaced).map(({ speaker }) => speaker);

const firstPerson = new RegExp(
  `(?<!\\p{L})(?:${speakers(true).join('|')})(?!\\p{L})|${speakers(false).join('|')}`,
  'iu',
);

/** Sentences that begin with such words; in scripts with spaces, as whole words. */
function startsWith(starting: string, joints: string | undefined): string {
  if (joints === undefined) return `^(?:${starting})`;
  return `^[\\s"“„«(]*(?:(?:${joints})[, ]+)?(?:${starting})(?!\\p{L})`;
}

const starts = byLanguage(({ sentences: { people, things, joints } }) => ({
  person: new RegExp(startsWith(people, joints), 'iu'),
  thing: new RegExp(startsWith(things, joints), 'iu'),
}));

const inAnyLanguage = (kind: 'person' | 'thing') =>
  new RegExp(
    Object.values(starts)
      .map((one) => one[kind].source)
      .join('|'),
    'iu',
  );

const personStart = inAnyLanguage('person');
const thingStart = inAnyLanguage('thing');
