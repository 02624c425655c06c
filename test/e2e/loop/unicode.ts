/** What this Node knows of Unicode: found by asking it, so that a later version brings its own. */

const small = 'abcdefghijklmnopqrstuvwxyz';

/** Every assigned character, except for halves of surrogate pairs and those of private use. */
const everyCharacter: readonly string[] = allAssigned();

/** By the four-letter name (ISO 15924) of each script: its characters. */
const byScript = divided(namesOf('sc', [small.toUpperCase(), small, small, small]));

export const scripts: readonly string[] = [...byScript.keys()];

/** The two-letter names of all general categories, such as `Mn`, of which there is a character. */
export const categories: readonly string[] = namesOf('gc', [small.toUpperCase(), small]).filter(
  (name) => !['Cs', 'Cn', 'Co'].includes(name),
);

const byCategory = new Map<string, readonly string[]>();

/** All characters of a general category, such as `Mn` or `M`. */
export function charactersOf(category: string): readonly string[] {
  const known = byCategory.get(category);
  if (known !== undefined) return known;
  const pattern = new RegExp(`\\p{gc=${category}}`, 'u');
  const found = everyCharacter.filter((character) => pattern.test(character));
  byCategory.set(category, found);
  return found;
}

/** Characters of the script that words are written with, or all of those that have none. */
export function lettersOf(script: string): readonly string[] {
  const all = byScript.get(script) ?? [];
  const letters = all.filter((character) => /[\p{L}\p{M}]/u.test(character));
  return letters.length > 0 ? letters : all;
}

/** Each character that becomes longer under NFKC, and how many times; the most come first. */
export function growing(): { character: string; times: number }[] {
  return everyCharacter
    .map((character) => ({
      character,
      times: character.normalize('NFKC').length / character.length,
    }))
    .filter(({ times }) => times > 1)
    .sort((one, other) => other.times - one.times);
}

function allAssigned(): string[] {
  const found: string[] = [];
  for (let point = 0; point <= 0x10_ff_ff; point += 1) {
    const character = String.fromCodePoint(point);
    if (!/[\p{Cs}\p{Cn}\p{Co}]/u.test(character)) found.push(character);
  }
  return found;
}

/** Each character has one script; a script that has none, or a second name, is left out. */
function divided(names: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  let rest = everyCharacter;
  for (const name of names) {
    const pattern = new RegExp(`\\p{sc=${name}}`, 'u');
    const [of, others]: [string[], string[]] = [[], []];
    for (const character of rest) (pattern.test(character) ? of : others).push(character);
    if (of.length > 0) found.set(name, of);
    rest = others;
  }
  if (rest.length > 0) throw new Error(`of no script: ${rest.slice(0, 20).join(' ')}`);
  return found;
}

/** The names, of one letter of each alphabet, that are values of the property. */
function namesOf(property: string, alphabets: readonly string[]): string[] {
  let names = [''];
  for (const alphabet of alphabets)
    names = names.flatMap((start) => [...alphabet].map((letter) => start + letter));
  return names.filter((name) => isValue(property, name));
}

function isValue(property: string, name: string): boolean {
  try {
    return new RegExp(`\\p{${property}=${name}}`, 'u') !== null;
  } catch {
    return false;
  }
}
