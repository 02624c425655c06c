import { type InTurns, mapInTurns, runAtOnce } from '../../turns.ts';
import { functionWords } from '../language/function-words.ts';
import { foldWord } from '../language/words.ts';
import { anyLanguage } from './languages/all-languages.ts';
import { listed } from './languages/calendar-words.ts';

/**
 * Splits text into sentences. `Intl.Segmenter` proposes boundaries. A boundary counts only before
 * white space or the end, and not after an abbreviation or ordinal number, or inside an address or
 * quotation. Line breaks end sentences too.
 */
export function splitSentences(text: string): string[] {
  return runAtOnce(splitInTurns(text));
}

/** The same, part by part. */
export function* splitInTurns(text: string): InTurns<string[]> {
  const sentences: string[][] = [];
  for (const line of text.split(/\n+/)) {
    const proposed = yield* splitLine(line.replace(listMark, ''));
    const split = yield* mapInTurns(proposed, (one) => splitAtLowerCase(one).flatMap(splitLongRun));
    sentences.push(split.flat());
  }
  return sentences.flat();
}

const listMark = /^\s*(?:[-*•]|\d+[.)])\s+/;

/** Cached, because its rules take longer to load than a whole search takes. */
let segmenter: Intl.Segmenter | undefined;

/** Loads the rules of sentence boundaries. */
export function loadSegmenter(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return segmenter;
}

function* splitLine(line: string): InTurns<string[]> {
  const sentences: string[] = [];
  let open: string[] = [];
  for (const { segment } of loadSegmenter().segment(line)) {
    yield;
    // The end decides; to look at all of it each time would take quadratic time.
    const before = open.slice(-2).join('').slice(-endChars);
    if (open.length > 0 && !isSameSentence(before, segment)) {
      sentences.push(open.join(''));
      open = [];
    }
    open.push(segment);
  }
  return open.length === 0 ? sentences : [...sentences, open.join('')];
}

const endChars = 40;

/** Many people begin sentences in lower case, where `Intl.Segmenter` sees no boundary. */
function splitAtLowerCase(sentence: string): string[] {
  const sentences: string[] = [];
  const isCasual = /^\P{L}*\p{Ll}/u.test(sentence);
  let start = 0;
  for (const { index } of sentence.matchAll(lowerCaseStart)) {
    const before = sentence.slice(Math.max(start, index - endChars), index);
    if (!isCasual && /[^!?]!\s+$/.test(before)) continue;
    if (isOrdinal(before, sentence.slice(index, index + endChars))) continue;
    if (abbreviation.test(before)) continue;
    sentences.push(sentence.slice(start, index));
    start = index;
  }
  return [...sentences, sentence.slice(start)];
}

/** "well... maybe" is one sentence. */
const lowerCaseStart = /(?<=(?:[\p{L}\p{N})"'’][\p{L}\p{N})"'’][.!]|[!?]!)\s{1,3})(?=\p{Ll})/gu;

/** True when the next segment belongs to the same sentence. */
function isSameSentence(before: string, after: string): boolean {
  const spaceless = /[。！？｡]\s*$/u.test(before);
  if (!/\s$/.test(before) && !spaceless) return true;
  // "I work at Yahoo! since 2019."
  if (/^\p{Ll}/u.test(after) && !/(?:\?|!!)\s+$/.test(before)) return true;
  return isOrdinal(before, after) || abbreviation.test(before);
}

/** "3. Mai", "am 12.05.", but not "I'm 34. I'm vegan.": a dot makes some numbers ordinals. */
function isOrdinal(before: string, after: string): boolean {
  if (ordinalDate.test(before)) return true;
  const [next = ''] = after.match(/[\p{Script=Latin}\p{M}]+/u) ?? [];
  if (next === '' || !ordinal.test(before)) return false;
  return month.test(next) || !functionWords.has(foldWord(next));
}

const ordinal = /(?:^|\s)\d{1,2}\.\s*$/u;

const ordinalDate = new RegExp(
  `(?<!\\p{L})(?:${anyLanguage(({ sentences }) => sentences.ordinalAfter)})` +
    ' \\d{1,2}\\.(?:\\d{1,2}\\.)?\\s*$',
  'iu',
);

const month = new RegExp(`^(?:${anyLanguage(({ calendar }) => listed(calendar.months))})$`, 'iu');

/** One letter, or a usual short form, and a dot: "J.", "Dr.", "Dra.", "p.m.", "z.B.", "Av.". */
const abbreviation = new RegExp(
  '(?:^|[\\s(])(?:\\p{L}|\\p{L}\\.\\s?\\p{L}|' +
    `${anyLanguage(({ sentences }) => sentences.abbreviations)})\\.\\s*$`,
  'iu',
);

/** Memories are sentence-sized, so a long run without full stops is split at white space. */
function splitLongRun(sentence: string): string[] {
  return sentence.match(/\S[\s\S]{0,1999}(?=\s|$)|\S{1,2000}/g) ?? [];
}

/** "I'm vegan" is three words; scripts without spaces put a whole clause into one "word". */
export function hasEnoughWords(sentence: string): boolean {
  const words = sentence.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words.length >= factMinWords || /[\u0250-\u{10FFFF}]{4,}/u.test(sentence);
}

const factMinWords = 3;

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Whether a sentence still fits into a memory of a few others. */
export function hasRoom(sentence: string, group: readonly string[]): boolean {
  return group.join(' ').length + sentence.length < groupMaxChars;
}

/** Memories are sentence-sized, so only a few sentences form one. */
const groupMaxChars = 400;
