import * as z from 'zod';
import { closestName } from '../contract/did-you-mean.ts';
import type { Option } from './option.ts';

/** The values that an option accepts, in words: for errors, help and the README. */
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

/** The values that an option accepts, in a word or two: for tables. */
export function optionKind({ schema, path }: Pick<Option, 'schema' | 'path'>): string {
  if (path) return 'path';
  if (schema instanceof z.ZodBoolean) return 'true, false';
  if (schema instanceof z.ZodNumber) return `${schema.minValue} to ${schema.maxValue}`;
  if (schema instanceof z.ZodEnum) return schema.options.join(', ');
  if (schema instanceof z.ZodUnion) return 'text, list';
  return schema instanceof z.ZodArray ? 'names' : 'text';
}

/** Parses the text of a variable or a flag. Unreadable text stays text and fails validation. */
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

/** What is wrong with a value and what is allowed; null when the value is valid. */
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
  if (issue?.code === 'invalid_format') return issue.message; // Patterns have their own messages.
  if (typeof value === 'string' && !(schema instanceof z.ZodEnum) && hasOwnMessage(issue?.code)) {
    return issue?.message ?? null;
  }
  return `${JSON.stringify(value)} is not ${describeExpected(option)}`;
}

/** A message about the first name that is not allowed, with a suggestion; null without one. */
export function unknownNameProblem(names: unknown, allowed: readonly string[]): string | null {
  const list = Array.isArray(names) ? names : [];
  const wrong = list.find((name) => !allowed.includes(name));
  if (wrong === undefined) return null;
  const suggestion = closestName(String(wrong), allowed);
  const hint = suggestion === null ? '' : `; did you mean ${JSON.stringify(suggestion)}?`;
  return `${JSON.stringify(wrong)} is unknown${hint} (allowed: ${allowed.join(', ')})`;
}

/** Limits of ids explain themselves; for other types `describeExpected` says more. */
function hasOwnMessage(code: string | undefined): boolean {
  return code === 'too_small' || code === 'too_big' || code === 'custom';
}
