import type { ArchiveLine, ArchiveLineOf } from '../../contract/archive.ts';
import { ApiError } from '../../contract/errors.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import { hashOf } from '../memory/hash.ts';
import type { Unindexed } from '../memory/index-terms.ts';
import type {
  MemoryPatch,
  Project,
  StoredChange,
  StoredEntity,
  StoredFeedback,
  StoredMemory,
  Tables,
} from '../ports.ts';
import { emptyTally, type Tally } from './report.ts';

export type Placed<L = ArchiveLine> = { place: string; line: L };
export type Refusal = { place: string; error: ApiError };

/** What a batch of lines changes in a project, against what it holds already. */
export type Plan = {
  entities: Planned<Omit<StoredEntity, 'total_memories'>>;
  memories: {
    insert: Unindexed[];
    update: Map<string, Changed>;
    /** Of all that are inserted or updated. */
    relations: Map<string, Relation[]>;
    tally: Tally;
  };
  history: Planned<StoredChange>;
  feedback: Planned<StoredFeedback>;
  refused: Refusal[];
};
/** The text as well: its terms are made when it is stored. */
type Changed = MemoryPatch & Pick<StoredMemory, 'memory' | 'said'>;
type Planned<T> = { put: T[]; tally: Tally };

type Lines = { [K in ArchiveLine['kind']]: Placed<ArchiveLineOf<K>>[] };
type Unit = {
  tables: Tables;
  project: Project;
  /** Nothing is stored between batches: memories of earlier ones are not there yet. */
  dry_run: boolean;
};

/**
 * The same id is the same thing: it is left alone, or brought up to date by a later line. Nothing
 * that another project holds is taken or touched.
 */
export async function planBatch(unit: Unit, placed: readonly Placed[]): Promise<Plan> {
  const lines = byKind(placed);
  const refused: Refusal[] = [];
  const entities = await planEntities(unit, lines.entity);
  const known = await findKnown(unit, lines);
  const memories = await planMemories(unit, lines.memory, { known, refused });
  const history = await planHistory(unit, lines.history, known);
  const feedback = await planFeedback(unit, lines.feedback, { known, refused });
  return { entities, memories, history, feedback, refused };
}

function byKind(placed: readonly Placed[]): Lines {
  const lines: Lines = { project: [], entity: [], memory: [], history: [], feedback: [], end: [] };
  // A group holds lines of its own kind only.
  for (const found of placed) (lines[found.line.kind] as Placed[]).push(found);
  return lines;
}

async function planEntities(
  { tables, project }: Unit,
  lines: readonly Placed<ArchiveLineOf<'entity'>>[],
): Promise<Plan['entities']> {
  const put = new Map<string, Omit<StoredEntity, 'total_memories'>>();
  const tally = emptyTally();
  for (const { line } of lines) {
    const { kind: _, ...entity } = line;
    const name = `${entity.type} ${entity.id}`;
    const stored = put.get(name) ?? (await tables.entities.find(project, entity.type, entity.id));
    if (stored === null) tally.added += 1;
    else if (entity.updated_at > stored.updated_at) tally.updated += 1;
    else tally.unchanged += 1;
    if (stored !== null && entity.updated_at <= stored.updated_at) continue;
    put.set(name, { ...entity, created_at: earlier(entity.created_at, stored?.created_at) });
  }
  return { put: [...put.values()], tally };
}

type Known = Map<string, Omit<StoredMemory, 'position'>>;

/** The stored memories that lines are about. */
async function findKnown({ tables, project }: Unit, lines: Lines): Promise<Known> {
  const ids = new Set([
    ...lines.memory.map(({ line }) => line.id),
    ...lines.history.map(({ line }) => line.memory_id),
    ...lines.feedback.map(({ line }) => line.memory_id),
  ]);
  const found = await tables.memories.findMany(project, [...ids]);
  return new Map(found.map((memory) => [memory.id, memory]));
}

type Context = { known: Known; refused: Refusal[] };

async function planMemories(
  { tables, project }: Unit,
  lines: readonly Placed<ArchiveLineOf<'memory'>>[],
  { known, refused }: Context,
): Promise<Plan['memories']> {
  const unknown = lines.map(({ line }) => line.id).filter((id) => !known.has(id));
  const elsewhere = new Set(await tables.archive.findElsewhere(project, unknown));
  const insert = new Map<string, Unindexed>();
  const update = new Map<string, Changed>();
  const relations = new Map<string, Relation[]>();
  const tally = emptyTally();
  for (const { place, line } of lines) {
    const stored = known.get(line.id);
    const problem = conflictOf(line, stored, elsewhere);
    if (problem !== null) {
      refused.push({ place, error: new ApiError('conflict', problem) });
      continue;
    }
    if (stored !== undefined && line.updated_at <= stored.updated_at) {
      tally.unchanged += 1;
      continue;
    }
    const memory = toMemory(line);
    known.set(line.id, memory);
    relations.set(line.id, relationsOf(line));
    if (stored === undefined || insert.has(line.id)) insert.set(line.id, memory);
    else update.set(line.id, patchOf(memory));
    if (stored === undefined) tally.added += 1;
    else tally.updated += 1;
  }
  return { insert: [...insert.values()], update, relations, tally };
}

function relationsOf({ id, relations }: ArchiveLineOf<'memory'>): Relation[] {
  return relations.map((relation) => ({ ...relation, memory_id: id }));
}

function conflictOf(
  line: ArchiveLineOf<'memory'>,
  stored: Omit<StoredMemory, 'position'> | undefined,
  elsewhere: ReadonlySet<string>,
): string | null {
  if (elsewhere.has(line.id)) return `memory ${line.id} is in another project of this store`;
  if (stored === undefined) return null;
  const field = entityIdFields.find((name) => line[name] !== stored[name]);
  return field === undefined ? null : `memory ${line.id} is stored with another ${field}`;
}

function toMemory({ kind: _, relations: __, ...line }: ArchiveLineOf<'memory'>): Unindexed {
  return { ...line, hash: hashOf(line.memory) };
}

function patchOf(memory: Unindexed): Changed {
  const { hash, metadata, categories, expiration_date, replaced_by } = memory;
  const { type, slot, occurred_at, occurred_granularity, said, created_at, updated_at } = memory;
  return {
    memory: memory.memory,
    hash,
    metadata,
    categories,
    expiration_date,
    replaced_by,
    type,
    slot,
    occurred_at,
    occurred_granularity,
    said,
    created_at,
    updated_at,
  };
}

async function planHistory(
  { tables, project }: Unit,
  lines: readonly Placed<ArchiveLineOf<'history'>>[],
  known: Known,
): Promise<Plan['history']> {
  const ids = [...new Set(lines.map(({ line }) => line.memory_id))];
  const stored = ids.length === 0 ? [] : await tables.archive.historyOf(project, ids);
  const seen = new Set(stored.map(({ id }) => id));
  const put: StoredChange[] = [];
  for (const { line } of lines) {
    if (seen.has(line.id)) continue;
    seen.add(line.id);
    const { kind: _, ...entry } = line;
    // Whose an entry is decides what erases it: it goes with its memory.
    const { user_id, agent_id, app_id, run_id } = known.get(entry.memory_id) ?? entry;
    put.push({ ...entry, user_id, agent_id, app_id, run_id });
  }
  const tally = { added: put.length, updated: 0, unchanged: lines.length - put.length };
  return { put, tally };
}

async function planFeedback(
  { tables, project, dry_run }: Unit,
  lines: readonly Placed<ArchiveLineOf<'feedback'>>[],
  { known, refused }: Context,
): Promise<Plan['feedback']> {
  const ids = [...new Set(lines.map(({ line }) => line.memory_id))];
  const stored = ids.length === 0 ? [] : await tables.archive.feedbackOf(project, ids);
  const latest = new Map(stored.map((rating) => [rating.memory_id, rating.created_at]));
  const put: StoredFeedback[] = [];
  const tally = emptyTally();
  for (const { place, line } of lines) {
    const { kind: _, ...rating } = line;
    const before = latest.get(rating.memory_id);
    if (!known.has(rating.memory_id) && !dry_run) {
      const problem = `memory_id: memory ${rating.memory_id} is not stored; its line goes first`;
      refused.push({ place, error: new ApiError('invalid', problem) });
    } else if (before !== undefined && rating.created_at <= before) {
      tally.unchanged += 1;
    } else {
      latest.set(rating.memory_id, rating.created_at);
      put.push(rating);
      if (before === undefined) tally.added += 1;
      else tally.updated += 1;
    }
  }
  return { put, tally };
}

function earlier(one: string, other: string | undefined): string {
  return other !== undefined && other < one ? other : one;
}
