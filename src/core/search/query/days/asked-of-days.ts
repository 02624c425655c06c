import { type AskedOfDays, type DatesAsked, foldMarks, type QueryDate } from './query-dates.ts';

/** A date of which everything is asked for. */
export type AskedDays = { date: QueryDate; of: AskedOfDays };

/** The words of questions for all that was on some day, or all that was said then. */
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
  { dates, rest }: { dates: readonly QueryDate[]; rest: string },
  { sure, others }: Pick<DatesAsked, 'sure' | 'others'>,
): AskedDays | null {
  const [date, more] = dates;
  if (date === undefined || more !== undefined || rest.length > askedMaxChars) return null;
  const of = askedBy(rest, english) ?? others?.askedOfDays(rest, sure) ?? null;
  return of === null ? null : { date, of };
}

/** All that is asked of a day is asked in few words. */
const askedMaxChars = 100;

/** What is asked by the words of a question, without its date; null where there are others. */
export function askedBy(rest: string, words: WordsForAll): AskedOfDays | null {
  const known = listOf(words.asking);
  const saying = listOf(words.saying);
  const text = foldMarks(rest.toLowerCase());
  const found = words.spaceless ? cutWords(text, [...saying, ...known]) : wordsIn(text);
  if (found.some((word) => !known.includes(word) && !saying.includes(word))) return null;
  return found.some((word) => saying.includes(word)) ? 'said' : 'happened';
}

function listOf(words: string): string[] {
  return foldMarks(words).split(/\s{1,20}/);
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}]{1,100}/gu) ?? [];
}

/** Where words have no borders, each is the longest that is known. */
function cutWords(text: string, known: readonly string[]): string[] {
  const longest = known.toSorted((one, other) => other.length - one.length);
  const found: string[] = [];
  for (let rest = wordsIn(text).join(''); rest !== ''; ) {
    const word = longest.find((one) => rest.startsWith(one)) ?? rest;
    found.push(word);
    rest = rest.slice(word.length);
  }
  return found;
}
