import { type ArchiveKind, archiveVersion } from '../../contract/archive/archive-line.ts';
import { type EntityIds, entityIdField, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Deps, RowRange, Selection, StoredMemory, StoredProject } from '../ports/index.ts';

export type ExportProjectOptions = {
  project: StoredProject;
  /** Only memories of these entities, with their history and feedback. */
  ids: Partial<EntityIds>;
};

type ExportLine = { kind: ArchiveKind } & Record<string, unknown>;
type ExportSource = Pick<Deps, 'store'> & ExportProjectOptions;

/**
 * Everything that a project holds, line by line in the order in which it came: a header, the
 * project, its entities, each memory with its history and feedback, the history of memories that
 * are gone, and an end. What changes meanwhile may or may not be in it.
 */
export async function* exportProject(
  deps: Pick<Deps, 'store' | 'clock'>,
  { project, ids }: ExportProjectOptions,
): AsyncGenerator<object> {
  const source = { store: deps.store, project, ids };
  const counts: Record<string, number> = {};
  yield { mneme: 'export', version: archiveVersion, created_at: deps.clock.now(), ...ids };
  for await (const line of linesOf(source)) {
    counts[line.kind] = (counts[line.kind] ?? 0) + 1;
    yield line;
  }
  yield { kind: 'end', lines: counts };
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
  let after = 0;
  for (;;) {
    const memories = await store.archive.listMemories(project, selection, {
      after,
      limit: rowsPerRead,
    });
    yield* linesOfMemories({ store, project, ids }, memories);
    if (memories.length < rowsPerRead) return;
    after = memories.at(-1)?.position ?? after;
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
  for (const { position: _, ...memory } of memories) {
    const own = relations.get(memory.id)?.map(({ memory_id: _, ...relation }) => relation);
    yield { kind: 'memory', ...memory, ...(own !== undefined && { relations: own }) };
    for (const entry of history.get(memory.id) ?? []) yield { kind: 'history', ...entry };
    for (const rating of feedback.get(memory.id) ?? []) yield { kind: 'feedback', ...rating };
  }
}

async function* orphanLines({ store, project, ids }: ExportSource): AsyncGenerator<ExportLine> {
  for await (const entry of readAllRows((at) =>
    store.archive.listOrphanedHistory(project, ids, at),
  )) {
    const { position: _, ...kept } = entry;
    yield { kind: 'history', ...kept };
  }
}

/** Reads a table to its end, some rows at a time. */
async function* readAllRows<T extends { position: number }>(
  read: (at: RowRange) => Promise<T[]>,
): AsyncGenerator<T> {
  let after = 0;
  for (;;) {
    const rows = await read({ after, limit: rowsPerRead });
    yield* rows;
    if (rows.length < rowsPerRead) return;
    after = rows.at(-1)?.position ?? after;
  }
}

/** Hidden ones too: merged into another, and expired. */
function selectEntities(ids: Partial<EntityIds>): Selection {
  const named = entityIdFields.flatMap((field) => {
    const value = ids[field];
    return value === undefined ? [] : [{ field, path: [], operator: 'eq' as const, value }];
  });
  return { filter: { all: named }, latest_only: false, not_expired_on: null, status: 'any' };
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
