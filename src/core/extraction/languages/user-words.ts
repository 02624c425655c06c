import { allRules } from './all-languages.ts';

const userWord = new RegExp(
  `^(?:${allRules.map(({ forgetting }) => forgetting.user).join('|')})$`,
  'iu',
);

/** How notes name the user: "User's", "Nutzerin". */
export function isUserWord(word: string): boolean {
  return userWord.test(word);
}
