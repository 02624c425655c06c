import type { PieceReader } from './word-pieces.ts';

/**
 * The words of a text by their numbers, the pieces of its English words and numbers, and the
 * share of its words that has either, from 0 to 1.
 */
export type TextWords = { words: number[]; pieces: number[]; knownShare: number };

export type WordReader = (text: string, english: PieceReader) => TextWords;

/**
 * Finds the words of a text in an ordered list. Words are compared in lower case and without
 * accents; one that is not in the list counts as the word that begins like it (`arbeitete`,
 * `arbeitet`), or is cut in two (`Haustürschlüssel`). Chinese and Japanese are cut into the
 * longest words from the left.
 */
export function createWordReader(words: readonly string[]): WordReader {
  let list: WordList | null = null;

  return (text, english) => {
    // With the first text: a table is also read to check it.
    list ??= indexWords(words);
    const result: TextWords = { words: [], pieces: [], knownShare: 0 };
    let [all, listed] = [0, 0];
    for (const [run] of foldText(text).matchAll(runs)) {
      if (startsUnspaced.test(run)) {
        const cut = cutRun(list, run);
        result.words.push(...cut.words);
        all += cut.parts;
        listed += cut.words.length;
        continue;
      }
      const { words: own, pieces } = readWord(list, run, english);
      result.words.push(...own);
      result.pieces.push(...pieces);
      all += 1;
      if (own.length + pieces.length > 0) listed += 1;
    }
    return { ...result, knownShare: all === 0 ? 0 : listed / all };
  };
}

type WordList = {
  words: readonly string[];
  numbers: ReadonlyMap<string, number>;
  /** The length of the longest word that begins with a letter, of those written without spaces. */
  longest: ReadonlyMap<string, number>;
};

function indexWords(words: readonly string[]): WordList {
  const numbers = new Map(words.map((word, number) => [word, number]));
  const longest = new Map<string, number>();
  for (const word of words.filter((one) => startsUnspaced.test(one))) {
    const first = word.charAt(0);
    longest.set(first, Math.max(longest.get(first) ?? 1, word.length));
  }
  return { words, numbers, longest };
}

/** As `fold` in `tools/embedding/reader.py`. */
function foldText(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase().replaceAll('ß', 'ss');
  return plain
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFC');
}

function cutRun({ numbers, longest }: WordList, run: string): { words: number[]; parts: number } {
  const words: number[] = [];
  let parts = 0;
  for (let from = 0; from < run.length; parts += 1) {
    let end = Math.min(run.length, from + (longest.get(run.charAt(from)) ?? 0));
    while (end > from && !numbers.has(run.slice(from, end))) end -= 1;
    const number = numbers.get(run.slice(from, end));
    if (number !== undefined) words.push(number);
    from = Math.max(end, from + 1);
  }
  return { words, parts };
}

type ReadWord = { words: number[]; pieces: number[] };

function readWord(list: WordList, word: string, english: PieceReader): ReadWord {
  if (word.length > wordMaxChars) return { words: [], pieces: [] };
  const number = list.numbers.get(word);
  if (number !== undefined) return { words: [number], pieces: [] };
  const { pieces, knownShare } = english(word);
  if (knownShare === 1 || !allLetters.test(word)) return { words: [], pieces };
  return { words: word.length < derivedMinChars ? [] : readDerived(list, word), pieces: [] };
}

/** The words that an unknown one is a form of, or made of. */
function readDerived(list: WordList, word: string): number[] {
  const near = findNearest(list, word);
  const length = near.word.length;
  if (near.common >= Math.max(4, word.length - 3, length - 3)) return [near.number];
  const parts = splitCompound(list, word);
  if (parts.length > 0) return parts;
  return near.common >= Math.max(5, 0.6 * Math.max(word.length, length)) ? [near.number] : [];
}

/** The longest word at the beginning, and the rest, with or without what joins them. */
function splitCompound(list: WordList, word: string): number[] {
  for (let length = word.length - 4; length > 3; length -= 1) {
    const first = list.numbers.get(word.slice(0, length));
    if (first === undefined) continue;
    const rest = word.slice(length);
    for (const part of /^[sn]/.test(rest) ? [rest, rest.slice(1)] : [rest]) {
      const second = part.length < 4 ? undefined : list.numbers.get(part);
      if (second !== undefined) return [first, second];
      if (part.length < derivedMinChars) continue;
      const near = findNearest(list, part);
      if (near.common >= Math.max(4, part.length - 3, near.word.length - 2))
        return [first, near.number];
    }
  }
  return [];
}

type NearWord = { number: number; word: string; common: number };

/** The word that shares the longest beginning: it stands next to where this one would. */
function findNearest({ words }: WordList, word: string): NearWord {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [low - 1, low].map((number) => {
    const near = words[number] ?? '';
    return { number, word: near, common: countCommon(near, word) };
  }) as [NearWord, NearWord]; // of two numbers
  return after.common > before.common ? after : before;
}

function countCommon(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** Letters of Chinese and Japanese, which are written without spaces. */
const unspaced = '\\u3005\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff';
const startsUnspaced = new RegExp(`^[${unspaced}]`);
const runs = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`, 'gu');

const allLetters = /^\p{L}+$/u;

/** Shorter ones share their beginnings by chance. */
const derivedMinChars = 5;

/** Longer ones are not words. It also bounds the work for each word. */
const wordMaxChars = 100;
