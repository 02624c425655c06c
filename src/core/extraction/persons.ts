import { allRules } from './languages/all-languages.ts';

const kin = (isSpaced: boolean) =>
  allRules
    .filter(({ forgetting }) => (forgetting.words !== null) === isSpaced)
    .map(({ forgetting }) => forgetting.kin)
    .join('|');

/** Words for persons: what one does is not what another does. */
export const person = new RegExp(`(?<!\\p{L})(?:${kin(true)})(?!\\p{L})|${kin(false)}`, 'giu');

/** A person of whom a text speaks: "sister", and the name that follows it, "Eva". */
export type NamedPerson = {
  kin: string;
  name: string | undefined;
  /** Where `kin` begins and ends. */
  at: number;
  end: number;
};

export function personsIn(text: string): NamedPerson[] {
  return [...text.matchAll(person)].map(({ 0: kin, index: at }) => {
    const end = at + kin.length;
    const [, name] = nameAfter.exec(text.slice(end, end + nameReadChars)) ?? [];
    return { kin: kin.toLowerCase(), name, at, end };
  });
}

const nameAfter = /^\s(\p{Lu}[\p{L}\p{M}\p{N}]*)/u;
const nameReadChars = 60;

/**
 * Whether a memory speaks of all these, by the same names: "my sister Eva quit smoking" changes
 * nothing of the user, and nothing of a sister Ana.
 */
export function speaksOf(persons: readonly NamedPerson[], memory: string): boolean {
  if (persons.length === 0) return true;
  const memoryPersons = personsIn(memory);
  return persons.every(({ kin, name }) =>
    memoryPersons.some((one) => one.kin === kin && (!one.name || !name || one.name === name)),
  );
}
