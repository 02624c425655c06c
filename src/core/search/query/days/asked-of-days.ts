import { type AskedOfDays, type DatesAsked, foldMarks, type QueryDate } from './query-dates.ts';

/** A date about which a question asks for everything. */
export type AskedDays = { date: QueryDate; of: AskedOfDays };

/** Words of questions for everything that happened on a day, or everything said on it. */
type WordsForAll = { asking: string; saying: string; spaceless?: boolean };

const english: WordsForAll = {
  asking: `what whats s which did do done does doing was were is are am i we you my me us our happen happened
    happens happening go went going gone on in at of from for about the a an any anything everything
    something all there that tell show list give recall remember know memories memory notes note events
    plans plan day new up to with have had has been be get got and how night morning evening afternoon
    noon around during please else whole it so far back happenings`,
  saying: 'say said tell told talk talked speak spoke discuss discussed mention mentioned',
};

/** Null where a question asks for more than one date, or for something else as well. */
export function onlyDaysOf(
  { dates, remainder }: { dates: readonly QueryDate[]; remainder: string },
  { sure, others }: Pick<DatesAsked, 'sure' | 'others'>,
): AskedDays | null {
  const [date, more] = dates;
  if (date === undefined || more !== undefined || remainder.length > askedMaxChars) return null;
  const of = askedBy(remainder, english) ?? others?.askedOfDays(remainder, sure) ?? null;
  return of === null ? null : { date, of };
}

/** A longer question asks for something else as well. */
const askedMaxChars = 100;

/** What a question asks, from its words without the date; null if it has other words as well. */
export function askedBy(remainder: string, words: WordsForAll): AskedOfDays | null {
  const askingWords = listOf(words.asking);
  const sayingWords = listOf(words.saying);
  const text = foldMarks(remainder.toLowerCase());
  const questionWords = words.spaceless
    ? cutWords(text, [...sayingWords, ...askingWords])
    : wordsIn(text);
  if (questionWords.some((word) => !askingWords.includes(word) && !sayingWords.includes(word)))
    return null;
  return questionWords.some((word) => sayingWords.includes(word)) ? 'said' : 'happened';
}

function listOf(words: string): string[] {
  return foldMarks(words).split(/\s{1,20}/);
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}]{1,100}/gu) ?? [];
}

/** Cuts a text without spaces: each word is the longest known one. */
function cutWords(text: string, vocabulary: readonly string[]): string[] {
  const longest = vocabulary.toSorted((one, other) => other.length - one.length);
  const words: string[] = [];
  for (let remainder = wordsIn(text).join(''); remainder !== ''; ) {
    const word = longest.find((one) => remainder.startsWith(one)) ?? remainder;
    words.push(word);
    remainder = remainder.slice(word.length);
  }
  return words;
}
