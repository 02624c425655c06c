import type { Selectable } from 'kysely';
import { entityIdField } from '../../contract/schemas/entity.ts';
import type { HistoryTable, Project, StoredChange } from '../../core/ports.ts';
import { fromJson, toJson } from '../json.ts';
import type { HistoryRow } from '../schema.ts';
import type { At } from './at.ts';
import type { EntityRef } from './entity-keys.ts';

export function createHistoryTable(at: At): HistoryTable {
  return {
    insert: (project, entries) => insertChanges(at, project, entries),
    list: (project, memory_id) => listChanges(at, project, memory_id),
    deleteByEntity: (project, type, id) => deleteChanges(at, project, { type, id }),
  };
}

/** Entries in one statement. */
const chunkSize = 100;

async function insertChanges(
  { db }: At,
  project: Project,
  entries: readonly StoredChange[],
): Promise<void> {
  for (let start = 0; start < entries.length; start += chunkSize) {
    const rows = entries.slice(start, start + chunkSize).map((entry) => ({
      ...entry,
      project_key: project.key,
      input: toJson(entry.input),
      metadata: entry.metadata === null ? null : toJson(entry.metadata),
      categories: toJson(entry.categories),
    }));
    await db.insertInto('history').values(rows).execute();
  }
}

async function listChanges(
  { db }: At,
  project: Project,
  memory_id: string,
): Promise<StoredChange[]> {
  const rows = await db
    .selectFrom('history')
    .selectAll()
    .where('project_key', '=', project.key)
    .where('memory_id', '=', memory_id)
    .orderBy('position')
    .execute();
  return rows.map(toChange);
}

/** A memory never changes hands, so each of its entries carries the id. */
async function deleteChanges({ db }: At, project: Project, { type, id }: EntityRef): Promise<void> {
  await db
    .deleteFrom('history')
    .where('project_key', '=', project.key)
    .where(entityIdField(type), '=', id)
    .execute();
}

export function toChange(row: Selectable<HistoryRow>): StoredChange {
  const { position: _, project_key: __, ...entry } = row;
  return {
    ...entry,
    input: fromJson<StoredChange['input']>(row.input),
    metadata: row.metadata === null ? null : fromJson<Record<string, unknown>>(row.metadata),
    categories: fromJson<string[]>(row.categories),
  };
}
