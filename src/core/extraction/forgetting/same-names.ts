import type { ComparedMemory } from '../known-memories.ts';
import { type ForgetObject, type TellingWord, termsOf } from './forget-object.ts';
import { nameAfter, person } from './request-words.ts';

/**
 * Whether a name of a request stands for two in what was found: "sister Anna" and "colleague Anna",
 * "sister Anna" and "Anna Berg", or two sisters where a sister is asked for.
 */
export function namesTwo(found: readonly ComparedMemory[], object: ForgetObject): boolean {
  const texts = found.slice(0, comparedMax).map(({ memory }) => memory.slice(0, readCharsMax));
  return object.words.some((word) => areTwo(texts.map((text) => whoIs(word, text, object))));
}

const comparedMax = 100;
const readCharsMax = 1000;

/** How one is told apart in a text; `isNamed` if as one of that name, who may be another. */
type Who = { marks: ReadonlySet<string>; isNamed: boolean };

function areTwo(those: readonly Who[]): boolean {
  const [first, ...others] = those.filter(({ marks }) => marks.size > 0);
  if (first === undefined) return false;
  if (others.some(({ marks }) => [...marks].every((mark) => !first.marks.has(mark)))) return true;
  return those.some(({ isNamed }) => isNamed) && those.some(({ marks }) => marks.size === 0);
}

/** The relation or surname of one who is named, and the names of a relation. */
function whoIs(word: TellingWord, text: string, object: ForgetObject): Who {
  const asked = (one: string) => object.words.some((other) => isForm(one, other, object));
  const marks = new Set<string>();
  let isNamed = false;
  for (const { 0: found, index } of text.matchAll(person)) {
    const end = text.slice(index + found.length);
    const name = nameAfter.exec(end.slice(0, nameChars))?.[1];
    const isAsked = asked(found.toLowerCase());
    if (isAsked && name !== undefined && isForm(found, word, object) && !asked(name)) {
      marks.add(name.toLowerCase());
    }
    if (isAsked) continue;
    marks.add(found.toLowerCase().slice(0, stemChars));
    isNamed ||= name !== undefined && isForm(name, word, object);
  }
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const at = words.findIndex((one, index) => index > 0 && isName(one) && isForm(one, word, object));
  const surname = words[at + 1] ?? '';
  if (at > 0 && isName(surname)) marks.add(surname.toLowerCase());
  return { marks, isNamed };
}

const nameChars = 60;
const stemChars = 4;

function isName(word: string): boolean {
  return /^\p{Lu}\p{Ll}/u.test(word);
}

function isForm(one: string, { written, terms }: TellingWord, { reading }: ForgetObject): boolean {
  if (terms.length === 0) return written === one;
  const own = new Set(terms.flat());
  return termsOf(one.toLowerCase(), reading)
    .flat()
    .some((term) => own.has(term));
}
