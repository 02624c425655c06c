import { functionWords } from '../../language/function-words.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import { isFiniteVerb } from '../languages/en/verbs.ts';

/**
 * Whether a sentence begins with a word for something that was named before it: alone, it does not
 * say what it is about.
 */
export function opensWithReference(sentence: string): boolean {
  return pronounStart.test(sentence) || unspacedStart.test(sentence);
}

/** Whether it begins with a word for somebody who was named before it. */
export function opensWithPerson(sentence: string): boolean {
  return personStart.test(sentence) || unspacedPerson.test(sentence);
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

const firstPerson =
  /(?<!\p{L})(?:i|i['’]\p{L}+|im|ive|my|we|our|ich|wir|meine?|mon|ma|mes|je|j['’]\p{L}+|nous|notre|yo|mis?|nuestr[oa]|io|mi[oa]|eu|meu|minha|я|у меня|мо[йяёи]|мы)(?!\p{L})|私|僕|俺|我/iu;

const joints = 'and|but|so|also|und|aber|et|mais|y|pero|e|ma|mas|и|а|но';

const people = [
  "(?:he|she|they|him|them|his|her|their)(?:['’](?:s|re|ll|d|ve))?",
  'er|ihn|ihm|ihr(?= )|seine?|ihre?',
  'ils?(?! (?:y a|faut|fait|pleut|neige))|elles?|lui|leur',
  'él|ella|ellos|ellas',
  'lui|lei|loro',
  'ele|ela|eles|elas',
  '(?:у )?(?:он|она|они|его|её|ему|ей|их|им|него|неё|них)',
].join('|');

const things = [
  "(?:it|that|this|these|those|its)(?:['’](?:s|re|ll|d|ve))?",
  'es|das(?= (?:ist|war|wird|hat|geht|macht))|die(?= (?:ist|hat|war)) ',
  "ils?|c['’]est|c['’]était|ça|celui|celle",
  'eso|esa|ese|isso|это',
].join('|');

const startsWith = (words: string) =>
  new RegExp(`^[\\s"“„«(]*(?:(?:${joints})[, ]+)?(?:${words})(?!\\p{L})`, 'iu');

const personStart = startsWith(people);
const pronounStart = startsWith(`${people}|${things}`);

const unspacedStart = /^(?:他|她|它|那|彼女?|それ|あれ)/u;
const unspacedPerson = /^(?:他|她|彼(?:女|は|が|の|も))/u;
