import { limits } from '../../contract/limits.ts';
import { readChars } from '../../contract/schemas/text.ts';
import { anySearchWord, unspacedSearchWord } from '../extraction/languages/search-words.ts';
import { refersBack } from '../search/query/clauses.ts';
import { isUsualQuestion } from './usual-question.ts';

/**
 * What a text asks that may hold a paste, such as a log, a page or a file: the sentences that ask,
 * those at both ends before any between them; where none does, what people wrote at the ends, and
 * the words that the text says least often. At most 2,000 characters, which is what a search reads.
 * A question of usual length stays as it is, and so does a message in plain words up to that limit.
 */
export function questionIn(text: string): string {
  if (isUsualQuestion(text)) return text;
  const isLong = readChars(text) > limits.query_max_chars;
  const parts = partsOf(text);
  if (!isLong && !isMostlyPaste(parts)) return text;
  const asking = askingParts(parts);
  if (asking.length > 0) return searchable(asking.join('\n'));
  // A log is of one day, about which nobody asks.
  return searchable((isLong ? gist(text, parts) : text).replace(logTime, ' '));
}

/** Cuts a text to the length that a search reads, counted in the same way. */
function searchable(text: string): string {
  const { query_max_chars: most } = limits;
  return beginningOf(readChars(text) > most ? text.normalize('NFKC') : text, most);
}

/** A sentence or a line, and whether somebody wrote it, rather than a program. */
type TextPart = { text: string; isProse: boolean };

function partsOf(text: string): TextPart[] {
  return text
    .split(sentenceEnd)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ text: part, isProse: isProse(part) }));
}

const sentenceEnd = /\n|(?<=[.!?؟])\s|(?<=[。？！])/u;

/** Most words are nothing but letters, or the script has no spaces. */
function isProse(text: string): boolean {
  if (logStart.test(text)) return false;
  const start = text.slice(0, proseChars);
  const unspaced = start.match(unspacedLetters)?.length ?? 0;
  if (unspaced >= 4 && unspaced >= start.length / 2) return true;
  const words = start.split(/\s+/);
  const plain = words.filter((word) => plainWord.test(word)).length;
  return words.length >= 3 && plain >= words.length * 0.7;
}

const proseChars = 400;
const unspacedLetters = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/gu;
const plainWord = /^["'“„«(¿¡]?\p{L}[\p{L}\p{M}'’-]{0,40}[.,;:!?؟…"'”»)]{0,3}$/u;

function isMostlyPaste(parts: readonly TextPart[]): boolean {
  let [prose, all] = [0, 0];
  for (const part of parts) {
    all += part.text.length;
    if (part.isProse) prose += part.text.length;
  }
  return prose < all / 2;
}

/** People write what they add to a paste at its start or its end. */
const endParts = 3;

function askingParts(parts: readonly TextPart[]): string[] {
  const places = parts.flatMap((part, index) => (asks(part) ? [index] : []));
  const isAtEnd = (index: number) => index < endParts || index >= parts.length - endParts;
  const atEnds = places.filter(isAtEnd);
  const picks = (atEnds.length > 0 ? atEnds : places).slice(-askingMax);
  const texts = picks.map((index) => endOf(parts[index]?.text ?? '', partChars));
  const [first] = picks;
  if (first === undefined || !refersBack(texts[0] ?? '')) return texts;
  // "Why does it fail?" tells little without what stands beside it.
  const before = parts.slice(0, first).findLast((part) => part.isProse);
  const about = before ?? parts.slice(first + 1).find((part) => part.isProse && !asks(part));
  return about === undefined ? texts : [beginningOf(about.text, partChars), ...texts];
}

const askingMax = 4;
const partChars = 480;

function asks({ text, isProse: isWritten }: TextPart): boolean {
  return endsAsking.test(text.slice(-8)) ? isWritten || isShort(text) : isWritten && opens(text);
}

/** "Ports 8080, 9090?" */
function isShort(text: string): boolean {
  return (
    text.length <= partChars &&
    !logStart.test(text) &&
    !machineStart.test(text) &&
    /\p{L}{2}/u.test(text)
  );
}

const endsAsking = new RegExp(
  `[?？؟]["'”»」』)\\s]{0,4}$|(?:${unspacedSearchWord('asksLast')})。?$`,
  'u',
);

/** A level, a method or the name of an error. */
const logStart =
  /^(?:(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|GET|POST|PUT)\b|at [\w.]{0,60}[(:]|[\w.]{0,60}(?:Error|Exception|Warning):)/;

/** A time, an address or a sign of code. */
const machineStart = /^[[<>{}#$|*/\\\d]/;

function opens(text: string): boolean {
  return text.length <= partChars && questionStart.test(text);
}

const questionStart = new RegExp(`^[¿"'“„«(]{0,2}(?:${anySearchWord('asks')})(?!\\p{L})`, 'iu');

/** What a text without a question is about. */
function gist(text: string, parts: readonly TextPart[]): string {
  const ends = [...parts.slice(0, endParts), ...parts.slice(endParts).slice(-endParts)];
  const prose = ends.filter(({ isProse: isWritten }) => isWritten);
  const excerpts = prose.length > 0 ? prose : [...ends.slice(0, 1), ...ends.slice(1).slice(-1)];
  return [...excerpts.map((part) => beginningOf(part.text, gistChars)), ...rarestWords(text)].join(
    ' ',
  );
}

const logTime =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g;

const gistChars = 240;
const rareWords = 24;

/** The rarest words in the order of the text; longer words first among equally rare ones. */
function rarestWords(text: string): string[] {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/(?<![\p{L}\p{N}_])\p{L}{4,24}(?![\p{L}\p{N}_])/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const rarest = Array.from(counts).toSorted(
    ([word, count], [other, otherCount]) => count - otherCount || other.length - word.length,
  );
  const chosenWords = new Set(rarest.slice(0, rareWords).map(([word]) => word));
  return Array.from(counts.keys()).filter((word) => chosenWords.has(word));
}

function beginningOf(text: string, chars: number): string {
  return text.length <= chars
    ? text
    : text
        .slice(0, chars)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trim();
}

/** The end of a text, without half a character at its start. */
export function endOf(text: string, chars: number): string {
  return text.length <= chars
    ? text
    : text
        .slice(-chars)
        .replace(/^[\uDC00-\uDFFF]/, '')
        .trim();
}
