import { wordsOfName } from './analyzed-memory.ts';
import { properNameAt, valueAt } from './stated-values.ts';

/**
 * A way of stating something: the words before the value, and how the value is read behind them.
 */
export type FieldCue = { words: RegExp; read: (text: string, start: number) => string | null };

/** Words of a field's name that don't change what it asks for. */
const fillerWords = new Set(['current', 'user', 'users', 'primary', 'main', 'latest', 'my', 'the']);

/** How people state what a field of this name asks for. */
export function cuesOf(name: string): FieldCue[] {
  const words = wordsOfName(name).filter((word) => !fillerWords.has(word));
  if (words.length === 0) return [];
  return [...(cuesByFieldName.get(words.join(' ')) ?? []), phraseCue(words)];
}

/** "Favorite color is teal", "favourite color: teal": the name itself, then its value. */
function phraseCue(words: readonly string[]): FieldCue {
  const phrase = words.map(spellingPattern).join('[\\s_-]+');
  const source = `(?<![\\p{L}\\p{N}])${phrase}\\s*(?:(?:is|are)(?!\\p{L})|[:=])\\s*`;
  return { words: new RegExp(source, 'giu'), read: valueAt };
}

function spellingPattern(word: string): string {
  if (/^fav(?:ou?rite)?$/.test(word)) return 'fav(?:ou?rite)?';
  // Words are letters and digits only: nothing in them means something to a pattern.
  return `${word.replace(/s$/, '')}s?`;
}

const personName: FieldCue = { words: /\bname is\b|\bcalled\b|\bgoes by\b/gi, read: properNameAt };
const livesIn: FieldCue = {
  words: /\b(?:lives?|living|resides?|residing|based|located) (?:in|at)\b|\bmoved to\b/gi,
  read: placeAt,
};
const comesFrom: FieldCue = {
  words: /\b(?:am|is|comes?|came|originally) from\b|\b(?:born|grew up) in\b/gi,
  read: placeAt,
};
const worksAt: FieldCue = {
  words: /\b(?:works?|working|employed) (?:at|for|by)\b|\bjoined\b/gi,
  read: properNameAt,
};
const worksAs: FieldCue = { words: /\b(?:works?|working|employed) as\b/gi, read: occupationAt };
const likingVerbs = 'enjoys?|likes?|loves?|interested in|fond of|passionate about';
const enjoys: FieldCue = {
  words: new RegExp(`\\b(?:${likingVerbs}|hobb(?:y|ies) (?:is|are))\\b`, 'gi'),
  read: valueAt,
};
const dislikes: FieldCue = { words: /\b(?:dislikes?|hates?|can['’]t stand)\b/gi, read: valueAt };
const allergicTo: FieldCue = { words: /\ballergic to\b/gi, read: valueAt };
const speaks: FieldCue = { words: /\b(?:speaks?|fluent in)\b/gi, read: valueAt };

/** Names of fields that models of people use again and again. */
const cuesByFieldName = new Map<string, FieldCue[]>(
  Object.entries({
    'name, full name, fullname': [personName],
    'first name, given name': [{ ...personName, read: firstNameAt }],
    'last name, family name, surname': [{ ...personName, read: lastNameAt }],
    'location, residence, home, place of residence': [livesIn],
    'city, town': [{ ...livesIn, read: cityAt }],
    country: [{ ...livesIn, read: countryAt }],
    'hometown, home town, birthplace, place of birth': [comesFrom],
    'company, company name, employer, workplace, organization': [worksAt],
    'job, job title, occupation, profession, role, position, work': [worksAs],
    'hobbies, hobby, interests, interest, likes': [enjoys],
    dislikes: [dislikes],
    'allergies, allergy': [allergicTo],
    'languages, language, spoken languages': [speaks],
  }).flatMap(([names, cues]) =>
    names.split(', ').map((name): [string, FieldCue[]] => [name, cues]),
  ),
);

function placeAt(text: string, start: number): string | null {
  const [city, country] = placePartsAt(text, start);
  return city === undefined ? null : [city, country].filter(Boolean).join(', ');
}

function cityAt(text: string, start: number): string | null {
  return placePartsAt(text, start)[0] ?? null;
}

/** The country after a city. Without one, a name may be of a city or of a country. */
function countryAt(text: string, start: number): string | null {
  return placePartsAt(text, start).at(1) ?? null;
}

function placePartsAt(text: string, start: number): string[] {
  const first = properNameAt(text, start);
  if (first === null) return [];
  const end = text.indexOf(first, start) + first.length;
  const second = text[end] === ',' ? properNameAt(text, end + 1) : null;
  return second === null ? [first] : [first, second];
}

function firstNameAt(text: string, start: number): string | null {
  return properNameAt(text, start)?.split(' ')[0] ?? null;
}

function lastNameAt(text: string, start: number): string | null {
  const words = properNameAt(text, start)?.split(' ') ?? [];
  return words.length > 1 ? (words.at(-1) ?? null) : null;
}

/** Up to where or for whom the work is done. */
function occupationAt(text: string, start: number): string | null {
  return valueAt(text, start)?.replace(/\s(?:at|for|in|with|on)\s.*$/s, '') ?? null;
}
