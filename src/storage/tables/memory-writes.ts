import { sql } from 'kysely';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { MemoryPatch, NewMemory, Project } from '../../core/ports.ts';
import type { At } from './at.ts';
import { countIn, countOut, type EntityKeys } from './counters.ts';
import { entitiesOf, findEntityKeys } from './entity-keys.ts';
import { toRow, toRowPatch } from './memory-row.ts';
import { scopeTokens } from './memory-search.ts';
import { wantVectors } from './vectors.ts';

/** Memories in one statement. */
const chunkSize = 100;

export async function insertMemories(
  at: At,
  project: Project,
  memories: readonly NewMemory[],
): Promise<void> {
  if (memories.length === 0) return;
  const keyOf = await countIn(at, project, memories);
  await insertCounted(at, project, { memories, keyOf });
}

/** Inserts memories that are counted to their entities already. */
export async function insertCounted(
  at: At,
  project: Project,
  { memories, keyOf }: { memories: readonly NewMemory[]; keyOf: EntityKeys },
): Promise<void> {
  const positions = await insertRows(at, project, memories);
  const entries = memories.map((memory) => ({
    position: positionOf(positions, memory.id),
    scope: scopeTokens(project, entitiesOf(memory).map(keyOf)),
    terms: memory.terms,
    speaker_terms: memory.speaker_terms,
  }));
  await at.dialect.index.insert(at.db, entries);
}

async function insertRows(
  { db }: At,
  project: Project,
  memories: readonly NewMemory[],
): Promise<Map<string, number>> {
  const positions = new Map<string, number>();
  for (let start = 0; start < memories.length; start += chunkSize) {
    const chunk = memories.slice(start, start + chunkSize);
    const rows = await db
      .insertInto('memories')
      .values(chunk.map((memory) => toRow(project, memory)))
      .returning(['id', 'position'])
      .execute();
    for (const row of rows) positions.set(row.id, row.position);
  }
  return positions;
}

function positionOf(positions: ReadonlyMap<string, number>, id: string): number {
  const position = positions.get(id);
  if (position === undefined) throw new Error('an inserted memory was not returned');
  return position;
}

export async function updateMemory(
  at: At,
  project: Project,
  { id, patch }: { id: string; patch: MemoryPatch },
): Promise<void> {
  const row = await at.db
    .updateTable('memories')
    .set(toRowPatch(patch))
    .where('project_key', '=', project.key)
    .where('id', '=', id)
    .returning(['position', 'user_id', 'agent_id', 'app_id', 'run_id', 'terms', 'speaker_terms'])
    .executeTakeFirst();
  if (row === undefined || patch.terms === undefined) return;
  const { position, terms, speaker_terms } = row;
  const scope = scopeTokens(project, await keysOf(at, project, row));
  await at.dialect.index.replace(at.db, { position, scope, terms, speaker_terms });
  await at.dialect.vectors.delete(at.db, [position]);
  await wantVectors(at, [position]);
}

async function keysOf(at: At, project: Project, ids: EntityIds): Promise<number[]> {
  const keys: number[] = [];
  for (const { type, id } of entitiesOf(ids)) {
    keys.push(...(await findEntityKeys(at, project, { type, ids: [id] })));
  }
  return keys;
}

export async function deleteMemories(
  at: At,
  project: Project,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await at.db
    .deleteFrom('memories')
    .where('project_key', '=', project.key)
    .where(at.dialect.filter.isIn(sql.ref('memories.id'), ids))
    .returning(['position', 'user_id', 'agent_id', 'app_id', 'run_id'])
    .execute();
  if (rows.length === 0) return;
  const positions = rows.map(({ position }) => position);
  await at.dialect.index.delete(at.db, positions);
  await at.dialect.vectors.delete(at.db, positions);
  await countOut(at, project, rows);
}
