import type { ComparedMemory } from '../known-memories.ts';
import { anyLanguage, spacedRules, spacelessRules } from '../languages/all-languages.ts';
import { type NamedPerson, personsIn } from '../persons.ts';
import { type ForgetObject, type TellingWord, termsOf } from './forget-object.ts';

/**
 * Whether a name of a request stands for two in what was found: "sister Anna" and "colleague Anna",
 * "sister Anna" and "Anna Berg", or two sisters where a sister is asked for.
 */
export function namesTwo(memories: readonly ComparedMemory[], object: ForgetObject): boolean {
  const texts = memories.slice(0, comparedMax).map(({ memory }) => memory.slice(0, readCharsMax));
  return object.words.some((word) => {
    const [first, ...others] = texts
      .map((text) => marksOf(word, text, object))
      .filter((marks) => marks.size > 0);
    return others.some((marks) => [...marks].every((mark) => first?.has(mark) === false));
  });
}

const comparedMax = 100;
const readCharsMax = 1000;

/** What distinguishes people of one name: their relation, their surname, the name of a relation. */
function marksOf(word: TellingWord, text: string, object: ForgetObject): Set<string> {
  const isRequested = (one: string) => object.words.some((other) => isForm(one, other, object));
  const marks = new Set<string>();
  for (const { kin, name } of personsIn(text)) {
    if (!isRequested(kin)) marks.add(kin.slice(0, stemChars));
    else if (name !== undefined && isForm(kin, word, object) && !isRequested(name)) {
      marks.add(name.toLowerCase());
    }
  }
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const at = words.findIndex((one, index) => index > 0 && isName(one) && isForm(one, word, object));
  const surname = words[at + 1] ?? '';
  if (at > 0 && isName(surname)) marks.add(surname.toLowerCase());
  return marks;
}

const nameChars = 60;
const stemChars = 4;

function isName(word: string): boolean {
  return /^\p{Lu}\p{Ll}/u.test(word);
}

function isForm(one: string, { written, terms }: TellingWord, { reading }: ForgetObject): boolean {
  if (terms.length === 0) return written === one;
  const wordTerms = new Set(terms.flat());
  return termsOf(one.toLowerCase(), reading)
    .flat()
    .some((term) => wordTerms.has(term));
}

/** Whether a relation, which stands there in a text, is said to have the name that is asked for. */
export function callsSo(text: string, { at, end }: NamedPerson, object: ForgetObject): boolean {
  const before = text.slice(Math.max(0, at - nameChars), at);
  const after = text.slice(end, end + nameChars);
  const isAsked = (name?: string) =>
    name !== undefined && object.words.some((word) => isForm(name, word, object));
  if (isAsked(calledAfter.exec(after)?.[1])) return true;
  if (!/^['’]/.test(after) && isAsked(isPredicate.exec(before)?.[1])) return true;
  const { 0: calling = '' } = calledSpaceless.exec(after) ?? [];
  const rest = after.slice(calling.length);
  const isNext = (word: TellingWord) => word.terms.length === 0 && rest.startsWith(word.written);
  return calling !== '' && object.words.some(isNext);
}

const users = anyLanguage(({ forgetting }) => forgetting.user);
const called = (among: typeof spacedRules) =>
  anyLanguage(({ forgetting }) => forgetting.naming.called, among);
const copula = anyLanguage(({ forgetting }) => forgetting.naming.is, spacedRules);

/** "User's cat is called Olga", and with the user behind it. */
const calledAfter = new RegExp(
  `^[-\\p{L}]{0,20}(?: \\p{L}{2,4})?(?: (?:${users}))? (?:${called(spacedRules)}) ` +
    '(\\p{Lu}\\p{L}{0,30})',
  'u',
);

/** "Olga is User's cat" */
const isPredicate = new RegExp(
  `^(\\p{Lu}\\p{L}{0,30}) (?:${copula}) (?:[\\p{L}'’]{1,12} ){0,2}[-\\p{L}]{0,8}$`,
  'u',
);

const calledSpaceless = new RegExp(`^[妹姐弟哥子友]?(?:${called(spacelessRules)})`, 'u');
