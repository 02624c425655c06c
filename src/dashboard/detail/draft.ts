import type { Sent } from '../../client/operations.ts';
import type { Memory } from '../../contract/schemas/memory.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';

/** The fields of a memory that a person may edit. */
export type MemoryDraft = Pick<Memory, 'memory' | 'categories' | 'expiration_date' | 'metadata'>;

/** The changed fields, as input of an update. */
export type MemoryChanges = StrictOmit<Sent<'update_memory'>, 'memory_id'>;

const draftFields = ['memory', 'categories', 'expiration_date', 'metadata'] as const;
export type DraftField = (typeof draftFields)[number];

export const fieldLabels = {
  memory: 'Text',
  categories: 'Categories',
  expiration_date: 'Expires',
  metadata: 'Metadata',
} as const satisfies Record<DraftField, string>;

/** The fields that differ. */
export function changedIn(before: MemoryDraft, after: MemoryDraft): DraftField[] {
  return draftFields.filter((field) => !isSame(before[field], after[field]));
}

/** The fields that both this person and somebody else changed, to different values. */
export function clashOf(base: MemoryDraft, theirs: MemoryDraft, mine: MemoryDraft): DraftField[] {
  const both = new Set(changedIn(base, theirs));
  const clash = changedIn(base, mine).filter((field) => both.has(field));
  return clash.filter((field) => !isSame(theirs[field], mine[field]));
}

/** Only what was changed is sent: an untouched field stays as somebody else may have set it. */
export function changesOf(base: MemoryDraft, mine: MemoryDraft): MemoryChanges {
  const { memory: text, ...others } = mine;
  const all = { text, ...others };
  const names = changedIn(base, mine).map((field) => (field === 'memory' ? 'text' : field));
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** A value of a field in words. */
export function fieldText(field: DraftField, { [field]: value }: MemoryDraft): string {
  if (field === 'expiration_date') return typeof value === 'string' ? value : 'never';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
