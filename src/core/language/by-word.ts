import { isLanguage, type Language } from './languages.ts';
import { foldWord } from './words.ts';

/** Turns lists of words into words, folded, with the languages in whose list each is. */
export function indexByWord(
  lists: Readonly<Partial<Record<Language, string>>>,
): ReadonlyMap<string, readonly Language[]> {
  const languages = new Map<string, Language[]>();
  for (const [language, list] of Object.entries(lists)) {
    if (!isLanguage(language)) continue;
    for (const word of new Set(list.trim().split(/\s+/).map(foldWord))) {
      const spoken = languages.get(word);
      if (spoken === undefined) languages.set(word, [language]);
      else spoken.push(language);
    }
  }
  return languages;
}
