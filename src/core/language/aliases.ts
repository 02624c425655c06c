import { foldWord, wordsOf } from './words.ts';

/** A name in a question, and the others that mean the same. */
export type FoundAlias = { name: string; also: string[] };

/** The names of these groups that a question holds, as whole words, whatever their case. */
export function aliasesIn(query: string, groups: readonly (readonly string[])[]): FoundAlias[] {
  if (groups.length === 0) return [];
  const question = ` ${fold(query)} `;
  return groups.flatMap((names) =>
    names
      .filter((name) => question.includes(` ${fold(name)} `))
      .map((name) => ({ name, also: names.filter((other) => fold(other) !== fold(name)) })),
  );
}

/** The names that may stand for each word of those that were found. */
export function aliasNames(aliases: readonly FoundAlias[]): [word: string, names: string[]][] {
  return aliases.flatMap(({ name, also }) =>
    wordsOf(name).map((word): [string, string[]] => [word, also]),
  );
}

function fold(text: string): string {
  return wordsOf(text).map(foldWord).join(' ');
}
