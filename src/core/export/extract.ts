import { analyze } from '../memory/analyze.ts';
import type { Choice, Field, Scalar } from './shape.ts';
import { holdsAll, type Source } from './source.ts';
import { isOfAnother, toneBefore, valueAt, valuesAt } from './statement.ts';
import { datesIn, dateTimesIn, emailsIn, numbersIn, phonesIn, urlsIn } from './written.ts';

type Value = string | number | boolean;
type Text = Extract<Scalar, { kind: 'text' }>;

/** What is asked of a memory. `alone`: it is the only one, so that a date in it is the date. */
export type Question = { field: Field; alone: boolean };

/** The value that one memory states for a field; null when no rule reads one from it. */
export function extract(question: Question, shape: Scalar, source: Source): Value | null {
  switch (shape.kind) {
    case 'text': {
      const text = extractText(question, shape, source);
      return text === null || text.length > shape.max_chars ? null : text;
    }
    case 'number': {
      const number = extractNumber(question, source);
      return number === null || !shape.accepts(number) ? null : number;
    }
    case 'boolean':
      return extractBoolean(question, source);
    case 'choice':
      return isAbout(question, source) ? only(choicesIn(shape.choices, source)) : null;
  }
}

/** Those of the choices that a memory states plainly. */
export function choicesIn(choices: readonly Choice[], source: Source): Choice['value'][] {
  return choices
    .filter(({ words }) => {
      const position = source.text.search(words);
      return position !== -1 && isPlain(source, position);
    })
    .map(({ value }) => value);
}

/** True when the memory holds the telling words of the field's name, or can mean nothing else. */
function isAbout({ field: { terms }, alone }: Question, source: Source): boolean {
  return terms.length === 0 ? alone : holdsAll(source, terms);
}

function extractText(question: Question, { format }: Text, source: Source): string | null {
  const { text } = source;
  const { words } = question.field;
  const named = (...names: string[]) =>
    format === null && words.some((word) => names.includes(word));
  if (format === 'email' || named('email', 'mail')) return only(emailsIn(text));
  if (format === 'uri' || format === 'url' || named('url', 'website')) return only(urlsIn(text));
  if (format === 'phone' || named('phone', 'telephone')) return only(phonesIn(text));
  if (format === 'date-time') return isAbout(question, source) ? only(dateTimesIn(text)) : null;
  if (format === 'date' || named('date', 'birthday', 'birthdate', 'dob')) {
    return isAboutDate(question, source) ? only(datesIn(text)) : null;
  }
  return format === null ? stated(question, source) : null;
}

function isAboutDate(question: Question, source: Source): boolean {
  const isBirth = /birth|^dob$/i.test(question.field.name);
  const position = source.text.search(/\b(?:born|birth\s?da(?:y|te))\b/i);
  if (isBirth && position !== -1) return isPlain(source, position);
  return isAbout(question, source) && isPlain(source, positionOf(question, source));
}

/** What follows a cue of the field, if the sentence is a plain one about the right person. */
function stated({ field: { cues } }: Question, source: Source): string | null {
  for (const { words, read } of cues) {
    for (const end of plainEnds(words, source)) {
      const value = read(source.text, end);
      if (value !== null) return value;
    }
  }
  return null;
}

/** All that a memory states for a field that asks for several. */
export function statedList({ cues }: Field, source: Source): string[] {
  const values = cues.flatMap(({ words, read }) =>
    plainEnds(words, source).flatMap((end) => {
      if (read === valueAt) return valuesAt(source.text, end);
      return read(source.text, end) ?? [];
    }),
  );
  return [...new Set(values)];
}

/** Where the words of a cue end, each time that they begin a plain statement. */
function plainEnds(words: RegExp, source: Source): number[] {
  return [...source.text.matchAll(words)]
    .filter(({ index }) => isPlain(source, index))
    .map(({ 0: found, index }) => index + found.length);
}

function isPlain(source: Source, position: number): boolean {
  return toneBefore(source.text, position) === 'plain' && !isOfAnother(source, position);
}

const age = /\b(\d{1,3})[\s-]years?[\s-]old\b|\b(?:aged?(?: is)?|turned) (\d{1,3})\b/i;

/** The number that the name's words state ("budget is 500"), else the only one beside them. */
function extractNumber(question: Question, source: Source): number | null {
  const { text } = source;
  if (question.field.words.at(-1) === 'age' && question.field.terms.length === 1) {
    const found = age.exec(text);
    return found !== null && isPlain(source, found.index) ? Number(found[1] ?? found[2]) : null;
  }
  if (!isAbout(question, source)) return null;
  const position = positionOf(question, source);
  if (!isPlain(source, position)) return null;
  const numbers = numbersIn(text);
  const after = /\b(?:is|are|of|at|to)\s+(?:about |around |approximately |[$€£¥]\s*)*$|[:=]\s*$/i;
  const named = numbers.find(({ at }) => at > position && after.test(text.slice(position, at)));
  return named?.value ?? only(numbers.map(({ value }) => value));
}

/** Stated or denied; what was, may be or shall be is neither. */
function extractBoolean(question: Question, source: Source): boolean | null {
  if (question.field.terms.length === 0 || !isAbout(question, source)) return null;
  const position = positionOf(question, source);
  const tone = toneBefore(source.text, position);
  if (tone === 'doubtful' || isOfAnother(source, position)) return null;
  return tone === 'plain';
}

/** Where the first of the field's telling words stands. */
function positionOf({ field: { terms } }: Question, { text }: Source): number {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}'’]+/gu)) {
    if (analyze(word).some((term) => terms.includes(term))) return index;
  }
  return 0;
}

function only<T>(values: readonly T[]): T | null {
  const [first, ...others] = new Set(values);
  return first === undefined || others.length > 0 ? null : first;
}
