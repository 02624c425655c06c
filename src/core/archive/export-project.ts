import type { ArchiveKind } from '../../contract/archive/archive-line.ts';
import { archiveVersion } from '../../contract/archive/archive-version.ts';
import { type EntityIds, entityIdField, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type {
  Deps,
  MemoryVersion,
  PastTime,
  RowRange,
  Selection,
  StoredMemory,
  StoredProject,
} from '../ports/index.ts';

export type ExportProjectOptions = {
  project: StoredProject;
  /** Only memories of these entities, with their history and feedback. */
  ids: Partial<EntityIds>;
  /** The memories of this time instead, as they were and without what came of them. */
  past?: PastTime | null;
};

type ExportLine = { kind: ArchiveKind } & Record<string, unknown>;
type ExportSource = Pick<Deps, 'store'> & StrictOmit<ExportProjectOptions, 'past'>;

/**
 * Everything that a project holds, line by line in the order in which it came: a header, the
 * project, its entities, each memory with its versions, history and feedback, what is left of
 * memories that are gone, and an end. What changes meanwhile may or may not be in it. Of an
 * earlier time it holds the entities and the memories of then.
 */
export async function* exportProject(
  deps: Pick<Deps, 'store' | 'clock'>,
  { project, ids, past = null }: ExportProjectOptions,
): AsyncGenerator<object> {
  const source = { store: deps.store, project, ids };
  const counts: Record<string, number> = {};
  const created_at = deps.clock.now();
  yield { mneme: 'export', version: archiveVersion, created_at, ...ids, ...past };
  for await (const line of past === null ? linesOf(source) : linesAsOf(source, past)) {
    counts[line.kind] = (counts[line.kind] ?? 0) + 1;
    yield line;
  }
  yield { kind: 'end', lines: counts };
}

/** What is not known of the past is left out: what the project was set to. */
async function* linesAsOf(source: ExportSource, past: PastTime): AsyncGenerator<ExportLine> {
  for await (const entity of entityLines(source)) {
    if (String(entity.created_at) <= past.as_of) yield entity;
  }
  const { store, project } = source;
  const { pastRelations } = await import('../versions/past-relations.ts'); // few ask the past
  const listRelations = pastRelations(store, { project, ...past });
  for await (const memories of memoriesAsOf(source, past)) {
    const ids = memories.map(({ id }) => id);
    const relations = groupByMemory(await listRelations(project, ids));
    for (const { position: _, ...memory } of memories) {
      yield memoryLine(memory, relations.get(memory.id));
    }
  }
}

/** Each once, also what changes meanwhile: the first scan may have read it, and the second does. */
async function* memoriesAsOf({ store, project, ids }: ExportSource, past: PastTime) {
  const selection = selectEntities(ids);
  const seen = new Set<string>();
  for (const hasChanged of [false, true]) {
    for await (const page of readPages((at) =>
      store.archive.listMemoriesAsOf(project, selection, { ...past, ...at, hasChanged }),
    )) {
      yield page.filter(({ id }) => !seen.has(id));
      for (const { id } of page) seen.add(id);
    }
  }
}

/** Rows that are read at once. */
const rowsPerRead = 500;

async function* linesOf(source: ExportSource): AsyncGenerator<ExportLine> {
  const { org_id, project_id, name, description, settings, updated_at } = source.project;
  yield { kind: 'project', org_id, project_id, name, description, settings, updated_at };
  yield* entityLines(source);
  yield* memoryLines(source);
  yield* orphanLines(source);
}

async function* entityLines({ store, project, ids }: ExportSource): AsyncGenerator<ExportLine> {
  const all = entityIdFields.every((field) => ids[field] === undefined);
  for await (const entity of readAllRows((at) => store.archive.listEntities(project, at))) {
    const { position: _, total_memories: __, ...kept } = entity;
    if (all || ids[entityIdField(kept.type)] === kept.id) yield { kind: 'entity', ...kept };
  }
}

async function* memoryLines({ store, project, ids }: ExportSource): AsyncGenerator<ExportLine> {
  const selection = selectEntities(ids);
  for await (const memories of readPages((at) =>
    store.archive.listMemories(project, selection, at),
  )) {
    yield* linesOfMemories({ store, project, ids }, memories);
  }
}

async function* linesOfMemories(
  { store, project }: ExportSource,
  memories: readonly StoredMemory[],
): AsyncGenerator<ExportLine> {
  const ids = memories.map(({ id }) => id);
  const history = groupByMemory(await store.archive.listHistory(project, ids));
  const feedback = groupByMemory(await store.archive.listFeedback(project, ids));
  const relations = groupByMemory(await store.relations.list(project, ids));
  const versions = groupVersions(await store.versions.listVersions(project, ids));
  for (const { position: _, ...memory } of memories) {
    const all = versions.get(memory.id) ?? [];
    const recorded_from = all.find(({ recorded_until }) => recorded_until === null)?.recorded_from;
    const line = { ...memory, ...(recorded_from !== undefined && { recorded_from }) };
    yield memoryLine(line, relations.get(memory.id));
    for (const version of all) yield* versionLine(version);
    for (const entry of history.get(memory.id) ?? []) yield { kind: 'history', ...entry };
    for (const rating of feedback.get(memory.id) ?? []) yield { kind: 'feedback', ...rating };
  }
}

type ExportedMemory = StrictOmit<StoredMemory, 'position'> &
  Partial<Pick<MemoryVersion, 'recorded_from'>>;

function memoryLine(memory: ExportedMemory, relations: readonly Relation[] = []): ExportLine {
  const own = relations.map(({ memory_id: _, ...relation }) => relation);
  return { kind: 'memory', ...fieldsToExport(memory), ...(own.length > 0 && { relations: own }) };
}

/** Without an empty list, so that versions before that field read the file. */
function fieldsToExport<M extends Pick<StoredMemory, 'may_replace'>>({
  may_replace,
  ...memory
}: M) {
  return { ...memory, ...(may_replace.length > 0 && { may_replace }) };
}

async function* orphanLines({ store, project, ids }: ExportSource): AsyncGenerator<ExportLine> {
  for await (const version of readAllRows((at) =>
    store.archive.listOrphanedVersions(project, ids, at),
  )) {
    yield* versionLine(version);
  }
  for await (const entry of readAllRows((at) =>
    store.archive.listOrphanedHistory(project, ids, at),
  )) {
    const { position: _, ...kept } = entry;
    yield { kind: 'history', ...kept };
  }
}

/** The current version is the memory itself. */
function* versionLine(version: MemoryVersion): Generator<ExportLine> {
  const { recorded_from, recorded_until, superseded_at, superseded_in_part } = version;
  const { position: _, hash: __, ...memory } = version.memory;
  if (recorded_until === null) return;
  const times = { recorded_from, recorded_until, superseded_at, superseded_in_part };
  yield { kind: 'version', ...fieldsToExport(memory), ...times };
}

async function* readAllRows<T extends { position: number }>(
  read: (at: RowRange) => Promise<T[]>,
): AsyncGenerator<T> {
  for await (const rows of readPages(read)) yield* rows;
}

/** Reads a table to its end, some rows at a time. */
async function* readPages<T extends { position: number }>(
  read: (at: RowRange) => Promise<T[]>,
): AsyncGenerator<T[]> {
  let after = 0;
  for (;;) {
    const rows = await read({ after, limit: rowsPerRead });
    yield rows;
    if (rows.length < rowsPerRead) return;
    after = rows.at(-1)?.position ?? after;
  }
}

/** Hidden ones too: merged into another, and expired. */
function selectEntities(ids: Partial<EntityIds>): Selection {
  const conditions = entityIdFields.flatMap((field) => {
    const value = ids[field];
    return value === undefined ? [] : [{ field, path: [], operator: 'eq' as const, value }];
  });
  return { filter: { all: conditions }, latest_only: false, not_expired_on: null, status: 'any' };
}

function groupVersions(versions: readonly MemoryVersion[]): Map<string, MemoryVersion[]> {
  const items = versions.map((version) => ({ memory_id: version.memory.id, version }));
  const groups = [...groupByMemory(items)];
  return new Map(groups.map(([id, group]) => [id, group.map(({ version }) => version)]));
}

function groupByMemory<T extends { memory_id: string }>(rows: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(row.memory_id);
    if (group === undefined) groups.set(row.memory_id, [row]);
    else group.push(row);
  }
  return groups;
}
