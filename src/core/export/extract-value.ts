import { analyze } from '../language/terms-of-text.ts';
import { type AnalyzedMemory, holdsAllTerms } from './analyzed-memory.ts';
import {
  findDates,
  findDateTimes,
  findEmails,
  findNumbers,
  findPhones,
  findUrls,
} from './literals.ts';
import type { ScalarShape, SchemaField, ShapeChoice } from './schema-shape.ts';
import { assertionBefore, isAboutSomeoneElse, valueAt, valuesAt } from './stated-values.ts';

type ScalarValue = string | number | boolean;
type TextShape = Extract<ScalarShape, { kind: 'text' }>;

/** What is asked of a memory. `alone`: it is the only one, so that a date in it is the date. */
export type FieldQuery = { field: SchemaField; alone: boolean };

/** The value that one memory states for a field; null when no rule reads one from it. */
export function extractValue(
  question: FieldQuery,
  shape: ScalarShape,
  source: AnalyzedMemory,
): ScalarValue | null {
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
      return isAbout(question, source) ? onlyValue(findChoices(shape.choices, source)) : null;
  }
}

/** The choices that a memory states plainly. */
export function findChoices(
  choices: readonly ShapeChoice[],
  source: AnalyzedMemory,
): ShapeChoice['value'][] {
  return choices
    .filter(({ words }) => {
      const position = source.text.search(words);
      return position !== -1 && isAsserted(source, position);
    })
    .map(({ value }) => value);
}

/** True when the memory holds the telling words of the field's name, or can mean nothing else. */
function isAbout({ field: { terms }, alone }: FieldQuery, source: AnalyzedMemory): boolean {
  return terms.length === 0 ? alone : holdsAllTerms(source, terms);
}

function extractText(
  question: FieldQuery,
  { format }: TextShape,
  source: AnalyzedMemory,
): string | null {
  const { text } = source;
  const { words } = question.field;
  const isNamed = (...names: string[]) =>
    format === null && words.some((word) => names.includes(word));
  if (format === 'email' || isNamed('email', 'mail')) return onlyValue(findEmails(text));
  if (format === 'uri' || format === 'url' || isNamed('url', 'website'))
    return onlyValue(findUrls(text));
  if (format === 'phone' || isNamed('phone', 'telephone')) return onlyValue(findPhones(text));
  if (format === 'date-time')
    return isAbout(question, source) ? onlyValue(findDateTimes(text)) : null;
  if (format === 'date' || isNamed('date', 'birthday', 'birthdate', 'dob')) {
    return isAboutDate(question, source) ? onlyValue(findDates(text)) : null;
  }
  return format === null ? findStatedText(question, source) : null;
}

function isAboutDate(question: FieldQuery, source: AnalyzedMemory): boolean {
  const isBirth = /birth|^dob$/i.test(question.field.name);
  const position = source.text.search(/\b(?:born|birth\s?da(?:y|te))\b/i);
  if (isBirth && position !== -1) return isAsserted(source, position);
  return isAbout(question, source) && isAsserted(source, positionOf(question, source));
}

/** The text after a cue of the field, if the sentence is a plain one about the right person. */
function findStatedText({ field: { cues } }: FieldQuery, source: AnalyzedMemory): string | null {
  for (const { words, read } of cues) {
    for (const end of findPlainCueEnds(words, source)) {
      const value = read(source.text, end);
      if (value !== null) return value;
    }
  }
  return null;
}

/** All that a memory states for a field that asks for several. */
export function findStatedTexts({ cues }: SchemaField, source: AnalyzedMemory): string[] {
  const values = cues.flatMap(({ words, read }) =>
    findPlainCueEnds(words, source).flatMap((end) => {
      if (read === valueAt) return valuesAt(source.text, end);
      return read(source.text, end) ?? [];
    }),
  );
  return [...new Set(values)];
}

/** The ends of a cue's words, wherever they begin a plain statement. */
function findPlainCueEnds(words: RegExp, source: AnalyzedMemory): number[] {
  return [...source.text.matchAll(words)]
    .filter(({ index }) => isAsserted(source, index))
    .map(({ 0: match, index }) => index + match.length);
}

function isAsserted(source: AnalyzedMemory, position: number): boolean {
  return (
    assertionBefore(source.text, position) === 'plain' && !isAboutSomeoneElse(source, position)
  );
}

const agePattern = /\b(\d{1,3})[\s-]years?[\s-]old\b|\b(?:aged?(?: is)?|turned) (\d{1,3})\b/i;

/** The number that the name's words state ("budget is 500"), else the only one beside them. */
function extractNumber(question: FieldQuery, source: AnalyzedMemory): number | null {
  const { text } = source;
  if (question.field.words.at(-1) === 'age' && question.field.terms.length === 1) {
    const age = agePattern.exec(text);
    return age !== null && isAsserted(source, age.index) ? Number(age[1] ?? age[2]) : null;
  }
  if (!isAbout(question, source)) return null;
  const position = positionOf(question, source);
  if (!isAsserted(source, position)) return null;
  const numbers = findNumbers(text);
  const after = /\b(?:is|are|of|at|to)\s+(?:about |around |approximately |[$€£¥]\s*)*$|[:=]\s*$/i;
  const unitNumber = numbers.find(
    ({ at }) => at > position && after.test(text.slice(position, at)),
  );
  return unitNumber?.value ?? onlyValue(numbers.map(({ value }) => value));
}

/** True if stated, false if denied, null if it only was, will be or may be so. */
function extractBoolean(question: FieldQuery, source: AnalyzedMemory): boolean | null {
  if (question.field.terms.length === 0 || !isAbout(question, source)) return null;
  const position = positionOf(question, source);
  const tone = assertionBefore(source.text, position);
  if (tone === 'doubtful' || isAboutSomeoneElse(source, position)) return null;
  return tone === 'plain';
}

/** The position of the first distinctive word of the field. */
function positionOf({ field: { terms } }: FieldQuery, { text }: AnalyzedMemory): number {
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}\p{M}'’]+/gu)) {
    if (analyze(word).some((term) => terms.includes(term))) return index;
  }
  return 0;
}

function onlyValue<T>(values: readonly T[]): T | null {
  const [first, ...others] = new Set(values);
  return first === undefined || others.length > 0 ? null : first;
}
