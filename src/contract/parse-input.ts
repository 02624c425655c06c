import type * as z from 'zod';
import { ApiError, type FieldErrors } from './errors.ts';
import { isObject } from './is-object.ts';
import type { Operation } from './operation.ts';

/**
 * Parses a raw input with an operation's schema: resolves aliases, rewrites shapes of shipped
 * clients, fills in defaults. Throws `invalid` that names every wrong field.
 */
export function parseInput<I extends z.ZodObject>(
  record: Pick<Operation<I>, 'input' | 'aliases' | 'normalize' | 'errorMessages'>,
  raw: unknown,
): z.output<I> {
  if (!isObject(raw)) throw new ApiError('invalid', 'the input must be a JSON object');
  const input = withoutNulls(normalizeInput(record, raw), record.input);
  const parsed = record.input.safeParse(input, { error: (issue) => describeIssue(issue) });
  if (parsed.success) return parsed.data;
  throw invalidFieldsError(parsed.error.issues, record.errorMessages?.invalid);
}

/** The input with the names and shapes that the schema knows; a second time changes nothing. */
export function normalizeInput(
  { aliases = {}, normalize }: Pick<Operation, 'aliases' | 'normalize'>,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const renamed = renameAliases(raw, aliases);
  return normalize?.(renamed) ?? renamed;
}

function renameAliases(
  raw: Readonly<Record<string, unknown>>,
  aliases: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  let renamed = raw;
  for (const [alias, name] of Object.entries(aliases)) {
    if (renamed[alias] === undefined || renamed[name] !== undefined) continue;
    renamed = { ...renamed, [name]: renamed[alias] };
  }
  return renamed;
}

/** Some clients send null for absent fields; null is dropped unless the schema allows it. */
function withoutNulls(raw: Readonly<Record<string, unknown>>, input: z.ZodObject) {
  if (!Object.values(raw).includes(null)) return raw;
  const entries = Object.entries(raw).filter(([name, value]) => {
    const field = Object.hasOwn(input.shape, name) ? input.shape[name] : undefined;
    return value !== null || field === undefined || field.safeParse(null).success;
  });
  return Object.fromEntries(entries);
}

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** Says what a value must be, if the schema has no message of its own. */
function describeIssue(issue: RawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      if (input === undefined) return `is required: ${withArticle(issue.expected)}`;
      return `must be ${withArticle(issue.expected)}, not ${withArticle(typeName(input))}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitSuffix(issue.origin)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitSuffix(issue.origin)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'date' ? 'must be a date: YYYY-MM-DD' : undefined;
    default:
      return undefined;
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function withArticle(type: string): string {
  if (type === 'null') return 'null';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function unitSuffix(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' items long' : '';
}

function invalidFieldsError(issues: readonly z.core.$ZodIssue[], prefix?: string): ApiError {
  const fields: FieldErrors = {};
  for (const { path, message } of issues) {
    const name = path.join('.') || 'input';
    fields[name] = [...(fields[name] ?? []), message];
  }
  const lines = Object.entries(fields).map(([name, [first = '']]) =>
    first.startsWith(`${name} `) ? first : `${name}: ${first}`,
  );
  const firstLines = lines.slice(0, problemsShownMax);
  const more =
    lines.length > firstLines.length ? `; and ${lines.length - firstLines.length} more` : '';
  const problems = firstLines.join('; ') + more;
  const message = prefix === undefined ? problems : `${prefix}: ${problems}`;
  return new ApiError('invalid', message, { fields });
}

/** Enough to correct a call, and short enough for a model to read. */
const problemsShownMax = 5;
