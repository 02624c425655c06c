import { ApiError, type FieldErrors } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import type { SecretPolicy } from '../ports/index.ts';
import { type InTurns, runInTurns } from '../queue/pause.ts';
import { redactInTurns } from './secrets.ts';

/**
 * An input as it may be stored: what looks like a key, a token, a password or a card number is
 * taken out of all of its texts, before anything of it reaches the store, or it is refused. Throws
 * `invalid` naming the field, and of a list each item.
 */
export async function redactInput<T extends object>(
  input: T,
  policy: SecretPolicy = 'redact',
  fields: ReadonlySet<string> = redactedFields,
): Promise<T> {
  if (policy === 'keep') return input;
  return runInTurns(redactFields(input, policy, fields));
}

function* redactFields<T extends object>(
  input: T,
  policy: SecretPolicy,
  fields: ReadonlySet<string>,
): InTurns<T> {
  const entries: [string, unknown][] = [];
  for (const [field, value] of Object.entries(input)) {
    const kinds = new Set<string>();
    const open = fields.has(field) ? yield* redactValue(value, kinds) : value;
    if (policy === 'refuse' && kinds.size > 0) throw yield* secretError(field, value);
    entries.push([field, kinds.size === 0 ? value : open]);
  }
  // The same fields with values of the same shape.
  return Object.fromEntries(entries) as T;
}

function* secretError(field: string, value: unknown): InTurns<ApiError> {
  const parts = Array.isArray(value)
    ? value.map((item, index) => [`${field}.${index}`, item] as const)
    : [[field, value] as const];
  const fields: FieldErrors = {};
  for (const [name, part] of parts) {
    const kinds = new Set<string>();
    yield* redactValue(part, kinds);
    if (kinds.size > 0)
      fields[name] = [`holds what looks like a secret (${[...kinds].join(', ')})`];
  }
  const lines = Object.entries(fields).map(([name, problems]) => `${name}: ${problems}`);
  const more =
    lines.length > shownProblemsMax ? `; and ${lines.length - shownProblemsMax} more` : '';
  return new ApiError('invalid', lines.slice(0, shownProblemsMax).join('; ') + more, { fields });
}

/** Enough to mend a call by. */
const shownProblemsMax = 5;

/** What is told; the rest are ids, times and flags. */
const redactedFields = new Set([
  ...['text', 'messages', 'metadata', 'memories'],
  ...['includes', 'excludes', 'custom_instructions', 'custom_categories'],
]);

function* redactValue(value: unknown, kinds: Set<string>): InTurns<unknown> {
  if (typeof value === 'string') {
    const found = yield* redactInTurns(value);
    for (const kind of found.kinds) kinds.add(kind);
    return found.text;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* redactValue(item, kinds));
    return items;
  }
  if (!isObject(value)) return value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    entries.push([key, yield* redactValue(item, kinds)]);
  }
  return Object.fromEntries(entries);
}
