/**
 * The part of a text that has most of what a question says, of about `room` characters, with "…"
 * where something was cut. Cut at words, and never within a sign that people see as one. A text
 * that fits is whole; one that holds no word of the question, or only what it holds everywhere,
 * gives its beginning. Here, not in the engine, because results from afar are cut as well.
 */
export function passageOf(text: string, question: string | null, room: number): string {
  return passagesOf(text, question)(room);
}

/** The longest passage that costs at most `budget`; null where not even a few words do. */
export function fitPassage(
  text: string,
  question: string | null,
  { budget, costOf }: { budget: number; costOf: (passage: string) => number },
): string | null {
  const passage = passagesOf(text, question);
  let room = Math.min(text.length, Math.floor(budget * charsPerToken));
  while (room >= charsMin) {
    const candidate = passage(room);
    const cost = costOf(candidate);
    if (cost <= budget) return candidate;
    room = Math.floor(room * Math.min(0.95, budget / cost));
  }
  return null;
}

/** No text has more. */
const charsPerToken = 7;
const charsMin = 8;

/** A word of the question in the text, exactly or by its beginning. */
type AskedPlace = { start: number; end: number; key: string };

/**
 * How much of what is left of a list's budget one shortened text may take, so that it hides none
 * after it.
 */
export function passageBudget(left: number, isLast: boolean): number {
  return isLast ? left : Math.max(left / 2, Math.min(left, 100));
}

/** Less says nothing, unless there is nothing else. */
export const shortTokensMin = 30;

/** The words are looked for once, for passages of any length. */
function passagesOf(text: string, question: string | null): (room: number) => string {
  let matches: AskedPlace[] | undefined;
  return (room) => {
    if (text.length <= room) return text;
    if (room < 1) return '';
    matches ??= question === null ? [] : matchesIn(text, question);
    const middle = densestPlace(text, matches, Math.min(passageChars, room));
    const start = Math.round(middle - room / 2);
    return cutText(text, Math.max(0, Math.min(start, text.length - room)), room);
  };
}

/** As long as a turn or two: what is asked stands together. */
const passageChars = 250;

/** The place with the rarest words of the question close together; the beginning if none match. */
function densestPlace(text: string, matches: readonly AskedPlace[], length: number): number {
  const weights = weighKeys(matches, text.length / passageChars);
  const inside = new Map<string, number>();
  let best = { first: 0, next: 0, weight: 0 };
  let weight = 0;
  let first = 0;
  for (const [index, { key, end }] of matches.entries()) {
    const count = inside.get(key) ?? 0;
    if (count === 0) weight += weights.get(key) ?? 0;
    inside.set(key, count + 1);
    for (let out = matches[first]; out && end - out.start > length; out = matches[first]) {
      const left = (inside.get(out.key) ?? 0) - 1;
      inside.set(out.key, left);
      if (left === 0) weight -= weights.get(out.key) ?? 0;
      first += 1;
    }
    if (weight > best.weight + rounding) best = { first, next: index + 1, weight };
  }
  return middleOf(matches.slice(best.first, best.next), weights);
}

const rounding = 1e-9;

/** The rarer a word is, the nearer. */
function middleOf(matches: readonly AskedPlace[], weights: ReadonlyMap<string, number>): number {
  let [sum, total] = [0, 0];
  for (const { key, start, end } of matches) {
    const weight = (weights.get(key) ?? 0) ** 2;
    sum += (weight * (start + end)) / 2;
    total += weight;
  }
  return total === 0 ? 0 : sum / total;
}

/** A word that is in every passage distinguishes none: "the", or the name of the subject. */
function weighKeys(matches: readonly AskedPlace[], passages: number): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { key } of matches) weights.set(key, (weights.get(key) ?? 0) + 1);
  for (const [key, count] of weights) {
    const share = key.startsWith(exactly) ? 0.4 : 0.6;
    weights.set(key, count > passages && count > 1 ? 0 : share * Math.log(1 + passages / count));
  }
  return weights;
}

const exactly = '=';

/** In the order of the text. Words that begin alike are mostly forms of one word. */
function matchesIn(text: string, question: string): AskedPlace[] {
  const questionWords = new Set(wordsIn(endsOf(question)).map(({ word }) => word));
  const beginnings = new Set(Array.from(questionWords, beginningOf));
  const lengths = new Set(Array.from(beginnings, ({ length }) => length));
  const matches: AskedPlace[] = [];
  for (const { word, start, end } of wordsIn(text)) {
    for (const length of lengths) {
      const key = word.slice(0, length);
      const isAlike = key.length === word.length || length >= beginningMin;
      if (isAlike && beginnings.has(key)) matches.push({ key, start, end });
    }
    if (questionWords.has(word)) matches.push({ key: exactly + word, start, end });
  }
  return matches;
}

const beginningMin = 4;

function beginningOf(word: string): string {
  return word.slice(0, Math.max(beginningMin, Math.ceil(word.length * 0.6)));
}

/** A question is short; what is pasted with it stands before or after it. */
function endsOf(question: string): string {
  const most = 400;
  if (question.length <= 2 * most) return question;
  return `${question.slice(0, most)} ${question.slice(-most)}`;
}

type PlacedWord = { word: string; start: number; end: number };

/** In lower case without accents; where words have no spaces, each pair of characters. */
function wordsIn(text: string): PlacedWord[] {
  const words: PlacedWord[] = [];
  for (const { 0: word, 1: unspaced, index } of text.matchAll(wordPattern)) {
    if (unspaced === undefined || word.length <= 2) {
      words.push({ word: fold(word), start: index, end: index + word.length });
      continue;
    }
    for (let at = 0; at + 2 <= word.length; at += 1) {
      words.push({ word: word.slice(at, at + 2), start: index + at, end: index + at + 2 });
    }
  }
  return words;
}

const unspacedLetter =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}' +
  '\\p{scx=Myanmar}';
const wordPattern = new RegExp(
  `((?:(?=[${unspacedLetter}])[\\p{L}\\p{N}\\p{M}])+)|(?:(?![${unspacedLetter}])[\\p{L}\\p{N}\\p{M}])+`,
  'gu',
);

function fold(word: string): string {
  if (/^[a-z0-9]*$/.test(word)) return word;
  return word
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .toLowerCase();
}

/** So many characters from here on, less what would cut a word or a sign. */
function cutText(text: string, from: number, room: number): string {
  const slack = Math.min(24, Math.floor(room / 4));
  const start = from === 0 ? 0 : startOfWord(text, from, slack);
  const to = from + room;
  const end = to >= text.length ? text.length : Math.max(start, endOfWord(text, to, slack));
  const inside = text.slice(start, end).trim();
  return `${start > 0 ? '…' : ''}${inside}${end < text.length ? '…' : ''}`;
}

function startOfWord(text: string, at: number, slack: number): number {
  const blank = text.slice(at - 1, at + slack).search(/\s/);
  if (blank !== -1) return at + blank;
  const sign = startOfSign(text, at);
  return sign.start === at ? at : sign.end;
}

function endOfWord(text: string, at: number, slack: number): number {
  const near = text.slice(at - slack, at + 1);
  for (let back = near.length - 1; back >= 0; back -= 1) {
    if (/\s/.test(near.charAt(back))) return at - slack + back;
  }
  return startOfSign(text, at).start;
}

/** The sign that holds this place: one letter with its accents, one emoji with its parts. */
function startOfSign(text: string, at: number): { start: number; end: number } {
  signs ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const from = Math.max(0, at - signChars);
  const sign = signs.segment(text.slice(from, at + signChars)).containing(at - from);
  const start = from + (sign?.index ?? at - from);
  return { start, end: start + (sign?.segment.length ?? 0) };
}

/** The longest ones, families of emoji, have a third. */
const signChars = 40;

let signs: Intl.Segmenter | undefined;
