import type { ClauseRules, LanguageRules } from './languages/rules.ts';

/**
 * Splits a sentence into statements of which each has a subject and can be read alone: "I teach in
 * Leeds and my wife is a vet" is two. One sentence where that is not certain: behind "if" or "I
 * hope", where a clause speaks of "it", or where a verb may belong to a "not" or "can" before it.
 */
export function splitFacts(sentence: string, { clauses }: LanguageRules): string[] {
  if (sentence.length > sentenceMaxChars) return [sentence];
  const people = clauses.relatives?.(sentence);
  if (people) return people;
  const named = clauses.subject.exec(sentence)?.[0];
  const subject = named ?? (clauses.own.test(sentence) ? '' : null);
  if (subject === null || quoting.test(sentence)) return [sentence];
  const parts = splitClauses(sentence, { subject, clauses });
  const facts = parts.flatMap((part) => splitName(part, clauses));
  return facts.length > 1 ? facts.map(asSentence) : [sentence];
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
  const isReadAlone = (part: string, at: number) => at === 0 || !clauses.reference.test(part);
  return parts.every(isReadAlone) ? parts : [sentence];
}

/** "I'm Nora, 41" gives a name and an age. */
function splitName(part: string, { age }: ClauseRules): string[] {
  const found = nameAndAge.exec(part)?.groups;
  const { name, years } = found ?? {};
  return name === undefined || years === undefined ? [part] : [name, age.replace('#', years)];
}

const nameAndAge = /^(?<name>.{1,40}\p{Lu}\p{L}+)[,，] (?<years>\d{1,3})[.]?$/u;

/** Whoever says more in one sentence tells a story. */
const sentenceMaxChars = 300;

/** What stands in quotation marks or brackets, or behind a dash, is not a clause beside others. */
const quoting = /["“”„«»()[\]–—?]|\s-\s/u;

/** What a clause lacks to be a statement: nothing, or its subject; null if it is none. */
function whatLacks(
  rest: string,
  before: string,
  { own, verb, governing }: ClauseRules,
): 'nothing' | 'subject' | null {
  if (own.test(rest)) return 'nothing';
  const follows = verb?.test(rest) && !governing.test(before);
  return follows ? 'subject' : null;
}

function asSentence(part: string): string {
  const text = part.trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
