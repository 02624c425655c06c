import type { Script } from './words.ts';

type LanguageDetails = {
  script: Script;
  /** Letters of its alphabet that not all languages of the script have. */
  letters: string;
  /** A letter, and how it is written where a keyboard lacks it. */
  digraphs?: readonly (readonly [string, string])[];
  /** What joins a word with an apostrophe: "l'école", "Ankara'da". */
  affix?: RegExp;
  /** What reduces words to their stems; null for English, which is always there. */
  load: (() => Promise<{ stemmer: (word: string) => string }>) | null;
};

const elision = /^\p{L}{1,7}['’](?=\p{L}{2})/u;

const languageTable = {
  english: { script: 'latin', letters: '', load: null },
  german: {
    script: 'latin',
    letters: 'äöüß',
    digraphs: [
      ['ä', 'ae'],
      ['ö', 'oe'],
      ['ü', 'ue'],
    ],
    load: () => import('@orama/stemmers/german'),
  },
  french: {
    script: 'latin',
    letters: 'éèêëàâçîïôœùûü',
    affix: elision,
    load: () => import('@orama/stemmers/french'),
  },
  spanish: { script: 'latin', letters: 'áéíóúüñ', load: () => import('@orama/stemmers/spanish') },
  italian: {
    script: 'latin',
    letters: 'àèéìíòóù',
    affix: elision,
    load: () => import('@orama/stemmers/italian'),
  },
  portuguese: {
    script: 'latin',
    letters: 'áâãàçéêíóôõú',
    load: () => import('@orama/stemmers/portuguese'),
  },
  dutch: { script: 'latin', letters: 'ëïéèöü', load: () => import('@orama/stemmers/dutch') },
  swedish: { script: 'latin', letters: 'åäöé', load: () => import('@orama/stemmers/swedish') },
  danish: {
    script: 'latin',
    letters: 'æøåé',
    digraphs: [
      ['å', 'aa'],
      ['ø', 'oe'],
    ],
    load: () => import('@orama/stemmers/danish'),
  },
  norwegian: {
    script: 'latin',
    letters: 'æøåéò',
    digraphs: [
      ['å', 'aa'],
      ['ø', 'oe'],
    ],
    load: () => import('@orama/stemmers/norwegian'),
  },
  finnish: { script: 'latin', letters: 'äöå', load: () => import('@orama/stemmers/finnish') },
  hungarian: {
    script: 'latin',
    letters: 'áéíóöőúüű',
    load: () => import('@orama/stemmers/hungarian'),
  },
  romanian: {
    script: 'latin',
    letters: 'ăâîșşțţ',
    load: () => import('@orama/stemmers/romanian'),
  },
  turkish: {
    script: 'latin',
    letters: 'çğıöşüâ',
    affix: /['’].*$/su,
    load: () => import('@orama/stemmers/turkish'),
  },
  russian: {
    script: 'cyrillic',
    letters: 'ё',
    load: () => import('@orama/stemmers/russian'),
  },
  ukrainian: {
    script: 'cyrillic',
    letters: 'ґєії',
    load: () => import('@orama/stemmers/ukrainian'),
  },
  bulgarian: {
    script: 'cyrillic',
    letters: '',
    load: () => import('@orama/stemmers/bulgarian'),
  },
  greek: { script: 'greek', letters: '', load: () => import('@orama/stemmers/greek') },
  arabic: {
    script: 'arabic',
    letters: '',
    digraphs: [
      ['ة', 'ه'],
      ['ى', 'ي'],
    ],
    load: () => import('@orama/stemmers/arabic'),
  },
  hindi: { script: 'devanagari', letters: '', load: () => import('@orama/stemmers/indian') },
} satisfies Record<string, LanguageDetails>;

/** A language whose words can be reduced to their stems. */
export type Language = keyof typeof languageTable;

export const languages: Readonly<Record<Language, LanguageDetails>> = languageTable;

/** What words are taken for of which nothing tells the language. */
export const defaultLanguageOf: Readonly<Record<Script, Language>> = {
  latin: 'english',
  cyrillic: 'russian',
  greek: 'greek',
  arabic: 'arabic',
  devanagari: 'hindi',
};

export const languageNames = Object.keys(languageTable).filter(isLanguage);

export function isLanguage(name: string): name is Language {
  return Object.hasOwn(languageTable, name);
}
