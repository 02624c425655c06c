import { detectRuleLanguages, rulesOf } from './languages/all-languages.ts';
import type { ClauseRules, LanguageRules } from './languages/rules.ts';
import { capitalized } from './sentences.ts';

/**
 * Splits a sentence into statements of which each has a subject and can be read alone: "I teach in
 * Leeds and my wife is a vet" is two. One sentence where that is not certain: behind "if" or "I
 * hope", where a clause speaks of "it", or where a verb may belong to a "not" or "can" before it.
 */
export function splitFacts(sentence: string, { clauses }: LanguageRules): string[] {
  if (sentence.length > sentenceMaxChars) return [sentence];
  const people = clauses.relatives?.(sentence);
  if (people) return people;
  const subject = subjectOf(sentence, clauses) ?? (clauses.own.test(sentence) ? '' : null);
  if (subject === null || quoting.test(sentence)) return [sentence];
  const parts = splitClauses(sentence, { subject, clauses });
  const facts = parts.flatMap((part) => splitName(part, clauses));
  return facts.length > 1 ? facts.map((fact) => asSentence(fact, clauses)) : [sentence];
}

function splitClauses(
  sentence: string,
  { subject, clauses }: { subject: string; clauses: ClauseRules },
): string[] {
  const parts: string[] = [];
  let start = 0;
  let prefix = '';
  for (const joint of sentence.matchAll(clauses.joint)) {
    const before = prefix + sentence.slice(start, joint.index);
    const rest = sentence.slice(joint.index + joint[0].length);
    if (clauses.unsure.test(before)) break;
    const lacking = whatLacks(rest, before, clauses);
    if (lacking === null || (lacking === 'subject' && subject === '')) continue;
    parts.push(before);
    start = joint.index + joint[0].length;
    prefix = lacking === 'subject' ? subject : '';
  }
  parts.push(prefix + sentence.slice(start));
  const isReadAlone = (part: string, at: number) =>
    (at === 0 || !clauses.reference.test(part)) && clauses.elliptic?.test(part.trim()) !== true;
  return parts.every(isReadAlone) ? parts : [sentence];
}

/** "I'm Nora, 41" gives a name and an age. */
function splitName(part: string, { age }: ClauseRules): string[] {
  const groups = nameAndAge.exec(part)?.groups;
  const { name, years } = groups ?? {};
  return name === undefined || years === undefined ? [part] : [name, age.replace('#', years)];
}

const nameAndAge = /^(?<name>.{1,40}\p{Lu}\p{L}+)[,，] (?<years>\d{1,3})[.]?$/u;

/** A longer sentence is a story, which is not split. */
const sentenceMaxChars = 300;

/** What stands in quotation marks or brackets, or behind a dash, is not a clause beside others. */
const quoting = /["“”„«»()[\]–—?]|\s-\s/u;

/** What a clause lacks to be a statement: nothing, or its subject; null if it cannot be one. */
function whatLacks(
  rest: string,
  before: string,
  { own, verb, governing }: ClauseRules,
): 'nothing' | 'subject' | null {
  if (own.test(rest)) return 'nothing';
  const follows = verb?.test(rest) && !governing.test(before);
  return follows ? 'subject' : null;
}

function asSentence(part: string, { elided }: ClauseRules): string {
  const text = elided === undefined ? part.trim() : part.trim().replace(elided, "$<letters>'");
  return capitalized(text);
}

/**
 * The facts of a memory, of which one can become untrue without the others: "User's nephew Bram is
 * 11 and plays ice hockey" says two. They are only compared, never shown. At least one, and of very
 * many the first ones.
 */
export function factsOfMemory(memory: string): string[] {
  const text = memory.replace(/(?<![\s.。])[\s.。]+$/u, '');
  const likely = detectRuleLanguages(text).map((language) => rulesOf(language).clauses);
  const clauses = likely.find(({ subject }) => subject.test(text)) ?? likely[0] ?? english;
  const subject = subjectOf(text, clauses) ?? '';
  const [first = '', ...others] = text.split(clauses.joint);
  if (others.some((part) => !/\S\s+\S|^\s*\S{3}/u.test(part))) return [text];
  return [first, ...others.map((part) => subject + part)].slice(0, factsMax);
}

const english = rulesOf('en').clauses;

/** Each is compared with all that is said later; a memory of more is a list, such as of dates. */
const factsMax = 50;

/** The words at the start of a text that say what it is about, as a clause begins with them. */
function subjectOf(text: string, { subject }: ClauseRules): string | null {
  const words = subject.exec(text)?.[0] ?? null;
  // "I'm a nurse and live in Leeds"
  return words !== null && spaced.test(words) ? `${words} ` : words;
}

const spaced = /[\p{Script=Latin}\p{Script=Cyrillic}]$/u;
