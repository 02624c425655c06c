import type { WriteResult } from '../../contract/schemas/change.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import { shortIdOf } from '../../contract/short-id.ts';
import { shownBeginning } from '../language/parts-by-length.ts';
import type {
  Decision,
  Deps,
  Instant,
  MemoryTable,
  ProjectRef,
  StoredMemory,
} from '../ports/index.ts';
import { isExpired } from './add-context.ts';

type ConflictReader = {
  timezone?: string | undefined;
  memories: Pick<MemoryTable, 'findMany'>;
  now: Instant;
};
type NamingMemory = Pick<StoredMemory, 'id' | 'updated_at' | 'may_replace' | keyof EntityIds>;

/** For the id of each memory that may replace others, the ids of those. */
export type Conflicts = ReadonlyMap<string, readonly string[]>;

/**
 * What each of these memories may still replace: only what is recalled as it was when the memory
 * was written, since a later change was a decision about it. One statement, and none if no memory
 * names others or all named ones are among those listed.
 */
export async function resolveConflicts(
  { memories, ...at }: ConflictReader,
  project: ProjectRef,
  listed: readonly StoredMemory[],
): Promise<Conflicts> {
  const naming = listed.filter(({ may_replace }) => may_replace.length > 0);
  if (naming.length === 0) return noConflicts;
  const byId = new Map(listed.map((memory) => [memory.id, memory]));
  const candidateIds = new Set(naming.flatMap(({ may_replace }) => may_replace));
  const unknown = [...candidateIds].filter((id) => !byId.has(id));
  for (const memory of await memories.findMany(project, unknown)) byId.set(memory.id, memory);
  const conflicts = naming.map((memory): [string, string[]] => {
    const left = memory.may_replace.filter((id) => mayReplace(memory, byId.get(id), at));
    return [memory.id, left];
  });
  return new Map(conflicts.filter(([, left]) => left.length > 0));
}

const noConflicts: Conflicts = new Map();

/** The same for an answer with these fields, by default all. */
export async function conflictsOf(
  { store, clock, timezone = 'UTC' }: Pick<Deps, 'store' | 'clock' | 'timezone'>,
  project: ProjectRef,
  { of, fields }: { of: readonly StoredMemory[]; fields?: readonly string[] | undefined },
): Promise<Conflicts> {
  if (fields !== undefined && !fields.includes('may_replace')) return noConflicts;
  const reader = { memories: store.memories, now: clock.now(), timezone };
  return resolveConflicts(reader, project, of);
}

function mayReplace(
  memory: NamingMemory,
  old: StoredMemory | undefined,
  { now, ...zone }: Pick<ConflictReader, 'now' | 'timezone'>,
): boolean {
  return (
    old !== undefined &&
    old.id !== memory.id &&
    old.updated_at <= memory.updated_at &&
    isRecalled(old, now, zone) &&
    isOfOwners(old, memory)
  );
}

/** The memories that a decision may contradict, of those that it names. */
export async function findConflicting(
  { memories, now, ...zone }: ConflictReader,
  project: ProjectRef,
  {
    event,
    may_replace = [],
    owners,
  }: Pick<Decision, 'event' | 'may_replace'> & { owners: EntityIds },
): Promise<StoredMemory[]> {
  if (may_replace.length === 0 || event === 'NOOP' || event === 'DELETE') return [];
  const byId = new Map((await memories.findMany(project, may_replace)).map((one) => [one.id, one]));
  return may_replace.flatMap((id) => {
    const old = byId.get(id);
    return old !== undefined && isRecalled(old, now, zone) && isOfOwners(old, owners) ? [old] : [];
  });
}

/** Says what a stored text may contradict, and who decides. */
export function withConflicts(result: WriteResult, memories: readonly StoredMemory[]): WriteResult {
  const others = memories.filter(({ id }) => id !== result.id);
  if (others.length === 0 || result.event === 'NOOP' || result.event === 'DELETE') return result;
  const texts = others.map(({ id, memory }) => `${shortIdOf(id)}: ${shownBeginning(memory)}`);
  const warning = `may contradict ${texts.join('; ')}; update_memory or delete_memory decides`;
  const reason = result.reason === undefined ? warning : `${result.reason}; ${warning}`;
  return { ...result, reason, may_replace: others.map(({ id }) => id) };
}

export function isRecalled(
  memory: StoredMemory,
  now: Instant,
  zone: Pick<ConflictReader, 'timezone'>,
): boolean {
  const { replaced_by, status } = memory;
  return replaced_by === null && status === 'active' && !isExpired(memory, now, zone);
}

export function isOfOwners(memory: EntityIds, owners: EntityIds): boolean {
  return entityIdFields.every((field) => memory[field] === owners[field]);
}
