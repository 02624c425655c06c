import * as z from 'zod';
import { closestName } from '../contract/did-you-mean.ts';
import type { Option } from './option.ts';

/** What an option takes, in words: for errors, help and the README. */
export function describeExpected({ schema, path }: Pick<Option, 'schema' | 'path'>): string {
  if (path) return 'a path';
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodNumber) {
    return `a whole number from ${schema.minValue} to ${schema.maxValue}`;
  }
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`;
  if (schema instanceof z.ZodArray) return 'a list of names';
  if (schema instanceof z.ZodUnion) return 'text or a list of texts';
  return 'text';
}

/** What an option takes, in a word or two: for tables. */
export function optionKind({ schema, path }: Pick<Option, 'schema' | 'path'>): string {
  if (path) return 'path';
  if (schema instanceof z.ZodBoolean) return 'true, false';
  if (schema instanceof z.ZodNumber) return `${schema.minValue} to ${schema.maxValue}`;
  if (schema instanceof z.ZodEnum) return schema.options.join(', ');
  if (schema instanceof z.ZodUnion) return 'text, list';
  return schema instanceof z.ZodArray ? 'names' : 'text';
}

/** Reads the text of a variable or a flag; what it can't read stays text and fails the check. */
export function parseOptionText({ schema }: Pick<Option, 'schema'>, text: string): unknown {
  const word = text.trim();
  if (schema instanceof z.ZodBoolean) return booleanWords[word.toLowerCase()] ?? text;
  if (schema instanceof z.ZodNumber) return /^-?\d+$/.test(word) ? Number(word) : text;
  if (schema instanceof z.ZodArray) {
    return word.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  }
  return text;
}

const booleanWords: Record<string, boolean> = { true: true, false: false, 1: true, 0: false };

/** What is wrong with a value and what is allowed; null when nothing is. */
export function optionProblem(
  option: Pick<Option, 'schema' | 'path'>,
  value: unknown,
): string | null {
  const { schema } = option;
  const parsed = schema.safeParse(value);
  if (parsed.success) return null;
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum) {
    const unknown = unknownNameProblem(value, schema.element.options.map(String));
    if (unknown !== null) return unknown;
  }
  const [issue] = parsed.error.issues;
  if (issue?.code === 'invalid_format') return issue.message; // Patterns say what they want.
  if (typeof value === 'string' && !(schema instanceof z.ZodEnum) && hasOwnMessage(issue?.code)) {
    return issue?.message ?? null;
  }
  return `${JSON.stringify(value)} is not ${describeExpected(option)}`;
}

/** The first name of a list that is not allowed, and what was meant; null when there is none. */
export function unknownNameProblem(names: unknown, allowed: readonly string[]): string | null {
  const given = Array.isArray(names) ? names : [];
  const wrong = given.find((name) => !allowed.includes(name));
  if (wrong === undefined) return null;
  const near = closestName(String(wrong), allowed);
  const hint = near === null ? '' : `; did you mean ${JSON.stringify(near)}?`;
  return `${JSON.stringify(wrong)} is unknown${hint} (allowed: ${allowed.join(', ')})`;
}

/** Ids have limits whose schema explains itself; for the rest `expectation` says more. */
function hasOwnMessage(code: string | undefined): boolean {
  return code === 'too_small' || code === 'too_big' || code === 'custom';
}
