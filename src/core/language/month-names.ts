/**
 * Months that are first names as well: "my colleague April". Such a word is a month where it is
 * told as a time: after "in", "since", "last", beside a day, a year or another month, or alone.
 */
const names = 'jan|april|june|august';
const otherMonths =
  'january|feb(?:ruary)?|mar(?:ch)?|apr|may|jun|july?|aug|sept?(?:ember)?|oct(?:ober)?|' +
  'nov(?:ember)?|dec(?:ember)?';
const leads =
  'in|of|last|past|this|next|coming|early|mid|late|since|until|till|by|during|throughout|through|' +
  'around|from|before|after|between|every|each|all|whole|the|my|our|end|' +
  '(?:plan(?:s|ned)?|scheduled|booked|due|set) for|due|deadline:?|' +
  '(?:moved|pushed|postponed|delayed|extended|shifted|back) to';
const leadsAtEnd = 'happen(?:ed|s|ing)?|do|did|done|doing|went|going on|how was|what about';
const joint = '(?: ?[,/–-] ?| (?:and|or|to|till|until|through|&) )';
const months = `(?:${names}|${otherMonths})`;
const first = `(?:(?<![\\p{L}\\p{N}])(?:${leads})[ -]|\\b(?:${otherMonths})${joint})`;
const before =
  `${first}(?:${months}${joint}){0,3}|(?<!\\p{N})\\d{1,4}(?:st|nd|rd|th)?(?: of)?[ -]|` +
  `(?:^[\\s"]{0,3}|(?<![\\p{L}\\p{N}])(?:${leadsAtEnd}) )(?=\\p{L}{3,6}[\\s"?!.]{0,3}$)`;
const after = `\\.?,?(?: of)?[ -]?\\d|${joint}(?:${otherMonths})\\b`;

const personPattern = new RegExp(
  `(?<!${before})(?<![\\p{L}\\p{N}])(?:${names})(?![\\p{L}\\p{N}])(?!${after})`,
  'giu',
);

/** A text with the people in capital letters whose names are months too. */
export function withPeopleApart(text: string): string {
  return text.replace(personPattern, (name) => name.toUpperCase());
}

/** Whether the word at this place may be a month, but reads as the name of a person. */
export function isPersonAt(text: string, index: number): boolean {
  const start = Math.max(0, index - contextChars);
  const near = text.slice(start, index + contextChars);
  return [...near.matchAll(personPattern)].some((match) => start + match.index === index);
}

const contextChars = 60;
