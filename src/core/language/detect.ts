import { defaultLanguageOf, type Language, languageNames, languages } from './languages.ts';
import type { Script } from './words.ts';

/** What a text tells of the languages of its words of one script. */
export type DetectedLanguages = {
  /** The languages that the text may be in. */
  likely: readonly Language[];
  /** The languages whose function words carry no meaning in it. */
  functionWordLanguages: readonly Language[];
  /** The languages that the text certainly is in: one, or two that are much alike, or none. */
  sure: readonly Language[];
};

type DetectionInput = {
  votes: LanguageVotes;
  /** Languages that the project has already. */
  known: readonly Language[];
};

/**
 * By votes: each function word votes for its languages, and each word with letters that not all
 * have for those whose alphabet holds them. One vote alone is believed for a language that the
 * project knows; else it takes two, so that "El Paso" makes no project Spanish.
 */
export function detectLanguages(
  { votes, known }: DetectionInput,
  script: Script,
): DetectedLanguages {
  const candidates = languageNames.filter((name) => languages[name].script === script);
  const most = Math.max(...candidates.map((name) => votes.get(name) ?? 0));
  const isFamiliar = (name: Language) => name === defaultLanguageOf[script] || known.includes(name);
  const familiar = candidates.filter(isFamiliar);
  if (most === 0)
    return { likely: familiar, functionWordLanguages: [defaultLanguageOf[script]], sure: [] };
  const leaders = candidates.filter((name) => votes.get(name) === most);
  const leading = leaders.filter(isFamiliar);
  const isSure = leading.length === 1 || (leaders.length <= similarLanguagesMax && most > 1);
  if (isSure) {
    const sure = leading.length > 0 ? leading : leaders;
    return { likely: sure, functionWordLanguages: sure, sure };
  }
  if (leading.length > 1) return { likely: leading, functionWordLanguages: leading, sure: [] };
  return {
    likely: [...familiar, ...leaders],
    functionWordLanguages: [defaultLanguageOf[script]],
    sure: [],
  };
}

/** Danish and Norwegian are told apart by few words: a text of either may count as both. */
const similarLanguagesMax = 2;

/** How many words of a text speak for each language. */
export type LanguageVotes = ReadonlyMap<Language, number>;

/**
 * A word in lower case, how often a text holds it, and the languages in which it is a function
 * word, or a part of it.
 */
export type VotingWord = { word: string; count: number; spokenIn: ReadonlySet<Language> };

export function countVotes(words: readonly VotingWord[]): LanguageVotes {
  const votes = new Map<Language, number>();
  for (const { word, count, spokenIn } of words) {
    for (const language of [...spokenIn, ...languagesByLetters(word)])
      votes.set(language, (votes.get(language) ?? 0) + count);
  }
  return votes;
}

/** The languages whose own letters a word has, and no others beyond the common ones. */
function languagesByLetters(word: string): Language[] {
  const special = word.replace(/[a-zа-яά-ώ\d'’]/g, '');
  if (special === '') return [];
  return languageNames.filter((name) => {
    const { letters } = languages[name];
    return [...special].every((letter) => letters.includes(letter));
  });
}
