import type { ArchiveLine, ArchiveLineOf } from '../../contract/archive/archive-line.ts';
import { ApiError } from '../../contract/errors.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { contentHash } from '../memory/content-hash.ts';
import type { UnindexedMemory } from '../memory/index-terms.ts';
import type {
  Instant,
  MemoryPatch,
  ProjectRef,
  StoredEntity,
  StoredFeedback,
  StoredHistoryEntry,
  StoredMemory,
  Tables,
} from '../ports/index.ts';
import {
  createTally,
  type ImportTally,
  type LocatedLine,
  type RefusedLine,
} from './import-report.ts';
import { type ImportTrust, importedOrigin, trustProblemOf } from './imported-origin.ts';
import { type PlannedVersions, planVersions } from './plan-versions.ts';

/** What a batch of lines changes in a project, against what it holds already. */
export type ImportPlan = {
  entities: PlannedRows<StrictOmit<StoredEntity, 'total_memories'>>;
  memories: {
    insert: RecordedMemory[];
    update: Map<string, ImportedPatch>;
    /** The relations of all memories that are inserted or updated. */
    relations: Map<string, Relation[]>;
    tally: ImportTally;
    /** How many memories the file claims more trust for than they get. */
    lowered: number;
  };
  versions: PlannedVersions;
  history: PlannedRows<StoredHistoryEntry>;
  feedback: PlannedRows<StoredFeedback>;
  refused: RefusedLine[];
};
/** With the time since when it is held as it is; without one, it is held from now on. */
export type RecordedMemory = UnindexedMemory & { recorded_from?: Instant | undefined };
/** The text as well: its terms are made when it is stored. */
type ImportedPatch = MemoryPatch & Pick<StoredMemory, 'memory' | 'said'>;
type PlannedRows<T> = { put: T[]; tally: ImportTally };

type LinesByKind = { [K in ArchiveLine['kind']]: LocatedLine<ArchiveLineOf<K>>[] };
type PlanUnitOfWork = ImportTrust & {
  tables: Tables;
  project: ProjectRef;
  /** Nothing is stored between batches: memories of earlier ones are not there yet. */
  dry_run: boolean;
};

/**
 * The same id is the same thing: it is left alone, or brought up to date by a later line. Nothing
 * that another project holds is taken or touched.
 */
export async function planBatch(
  unit: PlanUnitOfWork,
  placed: readonly LocatedLine[],
): Promise<ImportPlan> {
  const lines = groupByKind(placed);
  const refused: RefusedLine[] = [];
  const entities = await planEntities(unit, lines.entity);
  const storedMemories = await findStoredMemories(unit, lines);
  const memories = await planMemories(unit, lines.memory, { known: storedMemories, refused });
  const versions = await planVersionLines(unit, lines.version, {
    known: storedMemories,
    refused,
    memories,
  });
  const history = await planHistory(unit, lines.history, { known: storedMemories, refused });
  const feedback = await planFeedback(unit, lines.feedback, { known: storedMemories, refused });
  return { entities, memories, versions, history, feedback, refused };
}

function groupByKind(placed: readonly LocatedLine[]): LinesByKind {
  const lines: LinesByKind = {
    project: [],
    entity: [],
    memory: [],
    version: [],
    history: [],
    feedback: [],
    end: [],
  };
  // A group holds lines of its own kind only.
  for (const located of placed) (lines[located.line.kind] as LocatedLine[]).push(located);
  return lines;
}

async function planEntities(
  { tables, project }: PlanUnitOfWork,
  lines: readonly LocatedLine<ArchiveLineOf<'entity'>>[],
): Promise<ImportPlan['entities']> {
  const put = new Map<string, StrictOmit<StoredEntity, 'total_memories'>>();
  const tally = createTally();
  for (const { line, isAhead } of lines) {
    const { kind: _, ...entity } = line;
    const name = `${entity.type} ${entity.id}`;
    const stored = put.get(name) ?? (await tables.entities.find(project, entity.type, entity.id));
    if (stored !== null && (isAhead || entity.updated_at <= stored.updated_at)) {
      tally.unchanged += 1;
      continue;
    }
    if (stored === null) tally.added += 1;
    else tally.updated += 1;
    put.set(name, { ...entity, created_at: earlierOf(entity.created_at, stored?.created_at) });
  }
  return { put: [...put.values()], tally };
}

type StoredById = Map<string, StrictOmit<StoredMemory, 'position'>>;

/** The stored memories that lines are about. */
async function findStoredMemories(
  { tables, project }: PlanUnitOfWork,
  lines: LinesByKind,
): Promise<StoredById> {
  const ids = new Set([
    ...lines.memory.map(({ line }) => line.id),
    ...lines.version.map(({ line }) => line.id),
    ...lines.history.map(({ line }) => line.memory_id),
    ...lines.feedback.map(({ line }) => line.memory_id),
  ]);
  const memories = await tables.memories.findMany(project, [...ids]);
  return new Map(memories.map((memory) => [memory.id, memory]));
}

type PlanState = { known: StoredById; refused: RefusedLine[] };

async function planMemories(
  unit: PlanUnitOfWork,
  lines: readonly LocatedLine<ArchiveLineOf<'memory'>>[],
  { known, refused }: PlanState,
): Promise<ImportPlan['memories']> {
  const { tables, project } = unit;
  const unknown = lines.map(({ line }) => line.id).filter((id) => !known.has(id));
  const elsewhere = new Set(await tables.archive.listForeignIds(project, unknown));
  const insert = new Map<string, RecordedMemory>();
  const update = new Map<string, ImportedPatch>();
  const relations = new Map<string, Relation[]>();
  const tally = createTally();
  let lowered = 0;
  for (const { place, line, isAhead } of lines) {
    const stored = known.get(line.id);
    const problem = conflictOf(line, stored, elsewhere);
    if (problem !== null) {
      refused.push({ place, error: new ApiError('conflict', problem) });
      continue;
    }
    if (stored !== undefined && (isAhead || line.updated_at <= stored.updated_at)) {
      tally.unchanged += 1;
      continue;
    }
    const untrusted = trustProblemOf(stored, unit);
    if (untrusted !== null) {
      refused.push({ place, error: new ApiError('conflict', untrusted) });
      continue;
    }
    const memory = toUnindexedMemory(line, unit);
    if (isLowered(line, memory)) lowered += 1;
    known.set(line.id, memory);
    relations.set(line.id, relationsOf(line));
    const { recorded_from } = line;
    if (stored === undefined || insert.has(line.id))
      insert.set(line.id, { ...memory, recorded_from });
    else update.set(line.id, toImportedPatch(memory));
    if (stored === undefined) tally.added += 1;
    else tally.updated += 1;
  }
  return { insert: [...insert.values()], update, relations, tally, lowered };
}

function isLowered(
  { source_class: told }: ArchiveLineOf<'memory'>,
  { source_class }: UnindexedMemory,
): boolean {
  return told !== undefined && told !== source_class;
}

function relationsOf({ id, relations }: ArchiveLineOf<'memory'>): Relation[] {
  return relations.map((relation) => ({ ...relation, memory_id: id }));
}

function conflictOf(
  line: ArchiveLineOf<'memory'>,
  stored: StrictOmit<StoredMemory, 'position'> | undefined,
  elsewhere: ReadonlySet<string>,
): string | null {
  if (elsewhere.has(line.id)) return `memory ${line.id} is in another project of this store`;
  if (stored === undefined) return null;
  if (stored.immutable && line.memory !== stored.memory) return `memory ${line.id} is immutable`;
  const field = entityIdFields.find((name) => line[name] !== stored[name]);
  return field === undefined ? null : `memory ${line.id} is stored with another ${field}`;
}

function toUnindexedMemory(
  { kind: _, relations: __, recorded_from: ___, ...line }: ArchiveLineOf<'memory'>,
  unit: ImportTrust,
): UnindexedMemory {
  return { ...line, hash: contentHash(line.memory), ...importedOrigin(line, unit) };
}

function toImportedPatch(memory: UnindexedMemory): ImportedPatch {
  const { hash, metadata, categories, expiration_date, replaced_by } = memory;
  const { type, slot, occurred_at, occurred_granularity, said } = memory;
  const { status, source_class, review_reason, supersedes, may_replace, pinned } = memory;
  const { valid_from, valid_until, created_at, updated_at } = memory;
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
    status,
    source_class,
    review_reason,
    supersedes,
    may_replace,
    pinned,
    valid_from,
    valid_until,
    created_at,
    updated_at,
  };
}

async function planVersionLines(
  unit: PlanUnitOfWork,
  lines: readonly LocatedLine<ArchiveLineOf<'version'>>[],
  { known, refused, memories }: PlanState & Pick<ImportPlan, 'memories'>,
): Promise<PlannedVersions> {
  const { tables, project } = unit;
  const ids = [...new Set(lines.map(({ line }) => line.id))];
  const unknown = ids.filter((id) => !known.has(id));
  const elsewhere = new Set(await tables.archive.listForeignIds(project, unknown));
  const stored = await tables.versions.listVersions(project, ids);
  const heldSince = new Map<string, Instant>();
  for (const { id, recorded_from } of memories.insert) {
    if (recorded_from !== undefined) heldSince.set(id, recorded_from);
  }
  const problemOf = ({ id }: ArchiveLineOf<'version'>) => trustProblemOf(known.get(id), unit);
  const originOf = (line: ArchiveLineOf<'version'>) => importedOrigin(line, unit);
  return planVersions(lines, { stored, heldSince, known, elsewhere, refused, problemOf, originOf });
}

async function planHistory(
  unit: PlanUnitOfWork,
  lines: readonly LocatedLine<ArchiveLineOf<'history'>>[],
  { known, refused }: PlanState,
): Promise<ImportPlan['history']> {
  const { tables, project } = unit;
  const ids = [...new Set(lines.map(({ line }) => line.memory_id))];
  const stored = ids.length === 0 ? [] : await tables.archive.listHistory(project, ids);
  const seen = new Set(stored.map(({ id }) => id));
  const put: StoredHistoryEntry[] = [];
  let unchanged = 0;
  for (const { place, line } of lines) {
    if (seen.has(line.id)) {
      unchanged += 1;
      continue;
    }
    seen.add(line.id);
    const problem = trustProblemOf(known.get(line.memory_id), unit);
    if (problem !== null) {
      refused.push({ place, error: new ApiError('conflict', problem) });
      continue;
    }
    const { kind: _, ...entry } = line;
    // The owners decide what erases an entry: it is erased with its memory.
    const { user_id, agent_id, app_id, run_id } = known.get(entry.memory_id) ?? entry;
    put.push({ ...entry, user_id, agent_id, app_id, run_id });
  }
  return { put, tally: { added: put.length, updated: 0, unchanged } };
}

async function planFeedback(
  { tables, project, dry_run }: PlanUnitOfWork,
  lines: readonly LocatedLine<ArchiveLineOf<'feedback'>>[],
  { known, refused }: PlanState,
): Promise<ImportPlan['feedback']> {
  const ids = [...new Set(lines.map(({ line }) => line.memory_id))];
  const stored = ids.length === 0 ? [] : await tables.archive.listFeedback(project, ids);
  const latest = new Map(stored.map((rating) => [rating.memory_id, rating.created_at]));
  const put: StoredFeedback[] = [];
  const tally = createTally();
  for (const { place, line, isAhead } of lines) {
    const { kind: _, ...rating } = line;
    const before = latest.get(rating.memory_id);
    if (!known.has(rating.memory_id) && !dry_run) {
      const problem = `memory_id: memory ${rating.memory_id} is not stored; its line goes first`;
      refused.push({ place, error: new ApiError('invalid', problem) });
    } else if (before !== undefined && (isAhead || rating.created_at <= before)) {
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

function earlierOf(one: string, other: string | undefined): string {
  return other !== undefined && other < one ? other : one;
}
