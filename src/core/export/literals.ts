/** Values that are known by how they are written, whatever stands around them. */

export function findEmails(text: string): string[] {
  return text.match(/[\w.+-]{1,64}@[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}/gi) ?? [];
}

export function findUrls(text: string): string[] {
  const urls = text.match(/https?:\/\/[^\s<>"'()]+/gi) ?? [];
  return urls
    .map((url) => url.replace(/(?<![.,;:!?])[.,;:!?]+$/, ''))
    .filter((url) => URL.canParse(url));
}

export function findPhones(text: string): string[] {
  const phones = text.match(/(?<![\w.])\+?\(?\d[\d\s().-]{5,18}\d(?!\w)/g) ?? [];
  return phones.filter((phone) => !/^\d{4}-\d\d-\d\d/.test(phone)).map((phone) => phone.trim());
}

export function findDateTimes(text: string): string[] {
  return text.match(/\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/g) ?? [];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthPattern = `(${months.join('|')})[a-z]*\\.?`;
const ordinalPattern = '(\\d{1,2})(?:st|nd|rd|th)?';
const datePatterns: [RegExp, (parts: string[]) => string][] = [
  [/\b(\d{4})-(\d\d)-(\d\d)(?!\d)/g, ([y = '', m = '', d = '']) => toIsoDate(y, Number(m), d)],
  [
    new RegExp(`\\b${monthPattern} ${ordinalPattern},? (\\d{4})\\b`, 'gi'),
    ([m = '', d = '', y = '']) => toIsoDate(y, monthNumber(m), d),
  ],
  [
    new RegExp(`\\b${ordinalPattern} (?:of )?${monthPattern},? (\\d{4})\\b`, 'gi'),
    ([d = '', m = '', y = '']) => toIsoDate(y, monthNumber(m), d),
  ],
];

/** Whole dates as `YYYY-MM-DD`. What has no year, or may be read in two ways, is none. */
export function findDates(text: string): string[] {
  return datePatterns
    .flatMap(([pattern, read]) => [...text.matchAll(pattern)].map(([, ...parts]) => read(parts)))
    .filter((date) => date !== '');
}

function monthNumber(name: string): number {
  return months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

function toIsoDate(year: string, month: number, day: string): string {
  const date = `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const parsed = Date.parse(`${date}T00:00:00Z`);
  const isReal = !Number.isNaN(parsed) && new Date(parsed).toISOString().startsWith(date);
  return isReal ? date : '';
}

/** Without `one`, which seldom counts. */
const numberWords = 'two three four five six seven eight nine ten eleven twelve'.split(' ');
const digitsPattern = String.raw`(?<![\w.,:/-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w:/-]|[.,]\d)`;
const numberPattern = new RegExp(`${digitsPattern}|\\b(?:${numberWords.join('|')})\\b`, 'gi');

/** Numbers in digits or words, with where they stand; not those of dates, times and names. */
export function findNumbers(text: string): { value: number; at: number }[] {
  const undated = datePatterns.reduce(
    (rest, [pattern]) => rest.replace(pattern, (date) => ' '.repeat(date.length)),
    text,
  );
  return [...undated.matchAll(numberPattern)].map(({ 0: match, index }) => {
    const word = numberWords.indexOf(match.toLowerCase());
    return { value: word === -1 ? Number(match.replaceAll(',', '')) : word + 2, at: index };
  });
}
