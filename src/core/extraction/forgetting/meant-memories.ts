import type { QueryLanguages } from '../../language/resolve-languages.ts';
import { analyze, analyzeQuery } from '../../language/terms-of-text.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import type { ComparedMemory } from '../known-memories.ts';
import { anyLanguage } from '../languages/all-languages.ts';
import { listed } from '../languages/calendar-words.ts';
import { isUserWord } from '../languages/user-words.ts';
import { person, personsIn } from '../persons.ts';
import { saysOneThing } from '../single-fact.ts';
import { negationMark, signatureOf } from '../text-similarity.ts';
import { type ForgetObject, type TellingWord, termsOf, withoutElisions } from './forget-object.ts';
import { capitalizesNouns, listsFor, namesKind } from './request-words.ts';
import { callsSo } from './same-names.ts';
import { isDoneToUser, isTopicOfSpaceless, spacelessScript } from './spaceless-requests.ts';

/** Whether a memory is meant: as a whole, with more than that, perhaps, or not. */
export type Meant = 'whole' | 'more' | 'mentions' | 'no';

/**
 * A memory is meant if it has every word that tells what is, says it of the same person, and says
 * it or denies it as the request does. A likeness of meaning never decides.
 */
export function isMeant(memory: ComparedMemory, object: ForgetObject): Meant {
  const compared = readMemory(memory, object);
  const [word, ...others] = object.words;
  if (!object.words.every((one) => holds(compared, one))) {
    const isLike = others.length === 0 && word !== undefined && sharesIdeograph(compared, word);
    return isLike ? 'mentions' : 'no';
  }
  if (object.isAll && !isAmongAll(compared)) return 'mentions';
  if (!object.isAll) {
    if (!isSameSaying(compared, object)) return mayBeName(compared) ? 'mentions' : 'no';
    if (!keepsOrder(compared) || !isTopic(compared, object)) return 'mentions';
  }
  // A day or a number beside what is named adds no other fact.
  const namesAll = compared.content.every((one) => isNamed(compared, one) || dayOrNumber.test(one));
  return namesAll || saysOneThing(memory.memory) ? 'whole' : 'more';
}

/** "Everything about my dog" names what is of no other person, in the number of the request. */
function isAmongAll(compared: ReadMemory): boolean {
  const { text, words, object } = compared;
  if (!namesPersons(compared)) return false;
  const isThere = ({ written, terms }: TellingWord) => {
    if (spacelessScript.test(written)) {
      return [...written].length > 1 || isTopicOfSpaceless(text, written);
    }
    if (!isLatin.test(written) || terms.length === 0) return true;
    return words.some((word) => isNamed(compared, word) && isPlural(word) === isPlural(written));
  };
  return object.words.every(isThere);
}

const isLatin = /^\p{Script=Latin}/u;

function isPlural(word: string): boolean {
  return /[^s]s$/.test(word);
}

/** "User's cat is called Olga": of "forget Olga", she may be meant too. */
function mayBeName({ text, words, object }: ReadMemory): boolean {
  const [word, ...others] = object.words;
  if (word === undefined || others.length > 0 || object.isClause || !object.isBare) return false;
  return word.terms.length === 0 || words[0] === word.written || isNameIn(text, word.written);
}

const dayOrNumber = new RegExp(
  `^(?:\\d+|${anyLanguage(({ calendar }) => listed(calendar.weekdays))})$`,
  'iu',
);

/** One sign may stand for the whole: "sister" in "second sister". */
function sharesIdeograph({ text }: ReadMemory, { written }: TellingWord): boolean {
  const signs = [...written];
  return (
    signs.length <= 2 && signs.some((sign) => spacelessScript.test(sign) && text.includes(sign))
  );
}

type ReadMemory = {
  memory: ComparedMemory;
  text: string;
  words: readonly string[];
  /** The words that say what the memory is about. */
  content: readonly string[];
  terms: ReadonlySet<string>;
  /** The terms that the request names. */
  requestTerms: ReadonlySet<string>;
  object: ForgetObject;
};

function readMemory(memory: ComparedMemory, object: ForgetObject): ReadMemory {
  const { reading } = object;
  const text = withoutElisions(memory.memory.slice(0, readCharsMax)).normalize('NFKC');
  const words = wordsOf(text);
  const content = reading.withoutFunctionWords(words).filter((word) => !isUserWord(word));
  const terms = new Set(analyze(text, reading.stems));
  const requestTerms = new Set(object.words.flatMap((word) => word.terms.flat()));
  return { memory, text, words, content, terms, requestTerms, object };
}

/** A longer memory is never forgotten by a request, so the rest of it is not read. */
const readCharsMax = 1000;

function holds(compared: ReadMemory, { written, terms: own }: TellingWord): boolean {
  const { memory, text, words, terms } = compared;
  if (own.length === 0) return text.toLowerCase().includes(written);
  // Stems take "hijo" and "hija" for one.
  if (isLatinPerson(written)) return words.some((word) => bareForm(word) === bareForm(written));
  const isThere = own.every((forms) => forms.some((form) => terms.has(form)));
  return isThere || namesKind(foldWord(written), memory.slot);
}

/**
 * "Paul lent Lisa the bike" has the words of "Lisa lent Paul the bike", but says something else. A
 * verb may stand elsewhere: last, where a clause of German ends.
 */
function keepsOrder({ text, words, object }: ReadMemory): boolean {
  const { reading, isClause, words: telling } = object;
  const end = isClause && userBeforeVerb(reading) !== undefined ? -1 : undefined;
  const placeOf = ({ written, terms }: TellingWord) => {
    if (terms.length === 0) return text.toLowerCase().indexOf(written);
    const wordTerms = new Set(terms.flat());
    return words.findIndex((word) =>
      termsOf(word, reading)
        .flat()
        .some((one) => wordTerms.has(one)),
    );
  };
  const objectWords = object.text.split(' ').slice(0, end);
  const shared = objectWords.filter((word) => isOnceIn(objectWords, word) && isOnceIn(words, word));
  return (
    isAscending(telling.slice(0, end).map(placeOf)) &&
    isAscending(shared.map((word) => words.indexOf(word)))
  );
}

/** Where the verb of a clause comes last, what the user is called at its beginning. */
function userBeforeVerb(reading: QueryLanguages): string | undefined {
  return listsFor(reading).find(({ verbLastAfter }) => verbLastAfter)?.verbLastAfter;
}

function isOnceIn(words: readonly string[], word: string): boolean {
  return words.indexOf(word) === words.lastIndexOf(word);
}

/** Ignores -1, which stands for a word that was not found. */
function isAscending(places: readonly number[]): boolean {
  const positions = places.filter((place) => place >= 0);
  return positions.every((place, index) => place >= (positions[index - 1] ?? 0));
}

function isLatinPerson(word: string): boolean {
  return /^\p{Script=Latin}/u.test(word) && word.replace(/['’]s?$/, '').replace(person, '') === '';
}

function bareForm(word: string): string {
  return foldWord(word).replace(/['’]?s?$|['’]$/, '');
}

function isNamed({ requestTerms, object }: ReadMemory, word: string): boolean {
  if (spacelessScript.test(word)) return object.text.includes(word);
  const terms = termsOf(word, object.reading);
  return terms.every((forms) => forms.some((form) => requestTerms.has(form)));
}

function isSameSaying(compared: ReadMemory, { text }: ForgetObject): boolean {
  const isDenied = compared.memory.signature.salientTerms.has(negationMark);
  if (isDenied !== signatureOf(text, 'User').terms.has(negationMark)) return false;
  return namesPersons(compared) && namesSubject(compared);
}

/** A person whose name the request gives need not be called "nephew" as well. */
function namesPersons(compared: ReadMemory): boolean {
  const persons = personsIn(compared.text);
  if (persons.length > personsMax) return false;
  const { text, object } = compared;
  return persons.every((one) => {
    if (isNamed(compared, one.kin)) return true;
    if (one.name !== undefined && isNamed(compared, one.name.toLowerCase())) return true;
    return !object.isClause && callsSo(text, one, object);
  });
}

/** A text about more persons says more than one thing. */
const personsMax = 5;

/** "User's dentist plays tennis", "Leo plays tennis": somebody else does. */
function namesSubject(compared: ReadMemory): boolean {
  const { text, words, content, object } = compared;
  const [subject = ''] = content;
  if (spacelessScript.test(text)) return isDoneToUser(text) === isDoneToUser(object.text);
  if (subject === '') return true;
  const [first = ''] = words;
  const isOfUser = /^user['’]s$/.test(first);
  const isNamedFirst = /^\p{Lu}/u.test(text) && subject === first;
  const isPerson = subject.replace(/['’]s?$/, '').replace(person, '') === '';
  const isOther = isOfUser || isNamedFirst || isPerson;
  if (!(object.isClause || isOther)) return true;
  // "Wife Ana" is one of two names.
  const possibleNames = [subject, ...content.slice(1, 3).filter((word) => isNameIn(text, word))];
  const names = isOther ? (object.isClause ? possibleNames : content.slice(0, 3)) : [subject];
  if (!object.isClause) return names.some((word) => isNamed(compared, word));
  const user = userBeforeVerb(object.reading);
  if (!isOther && user !== undefined) return object.text.startsWith(`${user} `);
  const terms = new Set(object.words[0]?.terms.flat());
  return names.some((word) =>
    termsOf(word, object.reading)
      .flat()
      .some((one) => terms.has(one)),
  );
}

/**
 * Whether a memory is about the one word of a request; more words tell what is meant. "User is
 * afraid of dogs" has the word of "my dog", but is about something else.
 */
function isTopic(
  compared: ReadMemory,
  { words: [topic, ...others], isClause, reading }: ForgetObject,
) {
  const { text, words, content, memory } = compared;
  if (topic === undefined || others.length > 0) return topic !== undefined;
  if (spacelessScript.test(text)) return isTopicOfSpaceless(text, topic.written);
  const at = words.findIndex((word) => content.includes(word) && isNamed(compared, word));
  if (at < 0) return memory.slot !== null;
  const word = words[at] ?? '';
  if (isJoined(compared, at)) return false;
  if (content[0] === word) return true;
  return !isClause && !capitalizesNouns(reading) && isNameIn(text, word);
}

/** "User's weight goal is" speaks of a goal. */
function isJoined({ text, words, content, object }: ReadMemory, at: number): boolean {
  const next = words[at + 1] ?? '';
  const isAfter = listsFor(object.reading).some(({ joinedBefore = '' }) =>
    joinedBefore.split(' ').includes(words[at + 2] ?? ''),
  );
  return isAfter && content.includes(next) && !isNameIn(text, next);
}

function isNameIn(text: string, word: string): boolean {
  const names = text.match(/(?<=\S )\p{Lu}[\p{L}\p{M}\p{N}]*/gu) ?? [];
  return names.some((name) => analyzeQuery(name).join() === analyzeQuery(word).join());
}
