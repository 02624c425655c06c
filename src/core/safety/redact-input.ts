import { ApiError, type FieldErrors } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import { cleanJson } from '../../contract/schemas/text.ts';
import { type InTurns, runAtOnce, runInTurns } from '../../turns.ts';
import type { SecretPolicy } from '../ports/index.ts';
import { redactInTurns } from './secrets.ts';

/**
 * An input as it may be stored: what looks like a key, a token, a password or a card number is
 * taken out of all of its texts, before anything of it reaches the store, or it is refused. What
 * names something is never changed, so that a secret there is refused. Throws `invalid` naming the
 * field, and of a list each item.
 */
export async function redactInput<T extends object>(
  input: T,
  policy: SecretPolicy = 'redact',
): Promise<T> {
  return policy === 'keep' ? input : runInTurns(redactFields(input, policy));
}

function* redactFields<T extends object>(input: T, policy: SecretPolicy): InTurns<T> {
  const entries: [string, unknown][] = [];
  for (const [field, value] of Object.entries(input)) {
    const isName = namingFields.has(field);
    const kinds = new Set<string>();
    const open = untouchedFields.has(field) ? value : yield* redactValue(value, kinds);
    // Ids that are numbers may look like cards.
    if (isName) kinds.delete('card');
    if (kinds.size > 0 && (isName || policy === 'refuse')) throw yield* secretError(field, value);
    entries.push([field, isName || kinds.size === 0 ? value : open]);
  }
  // The same fields with values of the same shape.
  return Object.fromEntries(entries) as T;
}

/**
 * The question as events keep it, without hidden characters. Nothing is refused, because a question
 * stores nothing.
 */
export function redactQuestion<T extends object>(input: T, policy: SecretPolicy = 'redact'): T {
  return cleanJson(policy === 'keep' ? input : runAtOnce(redactTexts(input)));
}

function* redactTexts<T extends object>(question: T): InTurns<T> {
  const entries: [string, unknown][] = [];
  for (const [field, value] of Object.entries(question)) {
    const isText = field === 'filters' || !namingFields.has(field);
    entries.push([field, isText ? yield* redactValue(value, new Set()) : value]);
  }
  return Object.fromEntries(entries) as T;
}

const namingFields: ReadonlySet<string> = new Set([
  ...entityIdFields,
  'id',
  'memory_id',
  'memory_ids',
  'entity_id',
  'org_id',
  'project_id',
  'webhook_id',
  'email',
  'filters',
  'replaced_by',
  'supersedes',
  'may_replace',
]);

/**
 * The address of a receiver is often a secret of its own, and is needed as it is. Lines of a file
 * are looked at one by one, by their own fields, where they are stored.
 */
const untouchedFields: ReadonlySet<string> = new Set(['url', 'lines']);

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

/** "role", "user": a secret is longer, or stands behind what names it. */
const plainWord = /^[a-z_]{0,8}$/i;

function* redactValue(value: unknown, kinds: Set<string>): InTurns<unknown> {
  if (typeof value === 'string') {
    if (plainWord.test(value)) return value;
    const redaction = yield* redactInTurns(value);
    for (const kind of redaction.kinds) kinds.add(kind);
    return redaction.text;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* redactValue(item, kinds));
    return items;
  }
  if (!isObject(value)) return value;
  const entries: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const name = yield* redactValue(key, kinds);
    entries.push([String(name), yield* redactValue(item, kinds)]);
  }
  return Object.fromEntries(entries);
}
