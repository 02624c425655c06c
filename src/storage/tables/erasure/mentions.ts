import { createHash } from 'node:crypto';
import { entityIdField, entityIdFields } from '../../../contract/schemas/entity.ts';
import { parseIfJson } from '../../../contract/schemas/json.ts';
import type { ErasureSubject } from '../../../core/ports/index.ts';
import { listPackedIds } from '../work/packed-hits.ts';

/** The columns of a row, with JSON and plain text as they are stored. */
export type TextRow = Readonly<Record<string, unknown>>;

/** Whether a row tells of the subject, in one of these columns. */
export function rowMentions(
  row: TextRow,
  columns: readonly string[],
  subject: ErasureSubject,
): boolean {
  return columns.some((column) => {
    const value = parseText(row[column]);
    return valueMentions(value, { subject, key: column, owners: ownersOf(row) });
  });
}

/** Whether the row holds a hit that is an erased memory, packed, in one of these columns. */
export function namesEnds(
  row: TextRow,
  columns: readonly string[],
  erased: ReadonlySet<string>,
): boolean {
  return columns.some((column) => listPackedIds(String(row[column])).some((id) => erased.has(id)));
}

/** The list without the items that tell of the subject. */
export function withoutMentions(list: string, row: TextRow, subject: ErasureSubject): string {
  const items = parseText(list);
  if (!Array.isArray(items)) return '[]';
  const at = { subject, key: '', owners: ownersOf(row) };
  return JSON.stringify(items.filter((item) => !valueMentions(item, at)));
}

/**
 * Names a message by its text and its entities: the same words of somebody else are another
 * message.
 */
export function sourceFingerprint(row: TextRow, content: string): string {
  return createHash('sha256')
    .update(`${ownersOf(row)}\n${content}`)
    .digest('base64');
}

/** Fingerprints of the messages in these columns. */
export function messagesOf(row: TextRow, columns: readonly string[]): string[] {
  return columns
    .flatMap((column) => contentsOf(parseText(row[column])))
    .map((content) => sourceFingerprint(row, content));
}

function contentsOf(value: unknown, key = ''): string[] {
  if (typeof value === 'string') return key === 'content' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => contentsOf(part, name));
}

function ownersOf(row: TextRow): string {
  return JSON.stringify(entityIdFields.map((field) => row[field] ?? null));
}

type MentionPlace = { subject: ErasureSubject; key: string; owners: string };

/** An entity is mentioned where its own field names it: elsewhere the text may be any word. */
function valueMentions(value: unknown, place: MentionPlace): boolean {
  if (typeof value === 'string') return textMentions(value, place);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => valueMentions(item, place));
  return Object.entries(value).some(([key, item]) =>
    // Operators, such as { user_id: { in: [...] } }, keep the field.
    valueMentions(item, { ...place, key: operators.has(key) ? place.key : key }),
  );
}

const operators = new Set(['eq', 'ne', 'in', 'nin', 'contains', 'icontains']);

function textMentions(text: string, { subject, key, owners }: MentionPlace): boolean {
  const { ids, entity, sources } = subject;
  if (ids.has(text)) return true;
  if (entity !== null && text === entity.id && entityKeys(entity.type).includes(key)) return true;
  if (sources.size === 0 || key !== 'content') return false;
  return sources.has(createHash('sha256').update(`${owners}\n${text}`).digest('base64'));
}

function entityKeys(type: NonNullable<ErasureSubject['entity']>['type']): string[] {
  return [entityIdField(type), 'entity_id', 'entity_ids'];
}

/** JSON columns hold objects and lists; anything else is plain text. */
function parseText(value: unknown): unknown {
  return typeof value === 'string' && /^[[{]/.test(value) ? parseIfJson(value) : value;
}
