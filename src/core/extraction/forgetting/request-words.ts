import type { QueryLanguages } from '../../language/resolve-languages.ts';
import { foldWord } from '../../language/words.ts';
import { allRules } from '../languages/all-languages.ts';
import type { ForgettingKind, ForgettingLists } from '../languages/forgetting-words.ts';

const lists = allRules.flatMap(({ forgetting: { words } }) => (words === null ? [] : [words]));

/** The words of one list in all languages, folded. */
function listed(
  name: 'verbs' | 'nouns' | 'polite' | 'free' | 'that' | 'all' | 'determiners',
): ReadonlySet<string> {
  return new Set(lists.flatMap((words) => wordsIn(words[name])));
}

function wordsIn(list: string): string[] {
  return list.split(/\s+/).filter(Boolean).map(foldWord);
}

export const askVerbs = listed('verbs');
export const askNouns = listed('nouns');
export const politeWords = listed('polite');
export const freeWords = listed('free');
export const clauseWords = listed('that');
export const allWords = listed('all');
export const determiners = listed('determiners');

/** The words and grammar of the languages in which a request surely is. */
export function listsFor({ sure }: QueryLanguages): ForgettingLists[] {
  return allRules.flatMap(({ language, forgetting: { words } }) =>
    language !== null && words !== null && sure.includes(language) ? [words] : [],
  );
}

/** Whether all nouns have a capital letter, so that it does not tell names from other words. */
export function capitalizesNouns(reading: QueryLanguages): boolean {
  return listsFor(reading).some((words) => words.capitalizesNouns);
}

const wordsOfKinds = lists.flatMap(({ kinds }) =>
  Object.entries(kinds).map(([kind, words]) => ({ kind, words: new Set(wordsIn(words)) })),
);

/** Whether a word, folded, names the kind of what a slot says: "job". */
export function namesKind(word: string, slot: string | null): boolean {
  return wordsOfKinds.some(({ kind, words }) => words.has(word) && isSlotOf(kind, slot));
}

function isSlotOf(kind: string, slot: string | null): boolean {
  const parts = slot?.split(':') ?? [];
  const job: ForgettingKind = 'job';
  return parts.includes(kind) || (kind === job && parts.includes('works_at'));
}
