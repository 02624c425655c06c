import { sql } from 'kysely';
import type { Relation } from '../../../contract/schemas/relation.ts';
import type { ProjectRef, RelationTable } from '../../../core/ports/index.ts';
import { partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const relationStatements: StatementsOf<RelationTable> = {
  insert: { scope: 'project', run: insertRelations },
  list: { scope: 'project', run: listRelations },
  listNewest: { scope: 'project', run: listNewestRelations },
  deleteByMemories: { scope: 'project', run: deleteRelations },
};

/** Rows per statement. */
const chunkSize = 100;

async function insertRelations(
  { db }: DbContext,
  project: ProjectRef,
  relations: readonly Relation[],
): Promise<void> {
  const counts = new Map<string, number>();
  const rows = relations.map((relation) => {
    const ordinal = counts.get(relation.memory_id) ?? 0;
    counts.set(relation.memory_id, ordinal + 1);
    return { ...relation, project_key: project.key, ordinal };
  });
  for (const values of partsOf(rows, chunkSize))
    await db.insertInto('relations').values(values).execute();
}

async function listRelations(
  { db, dialect }: DbContext,
  project: ProjectRef,
  memory_ids: readonly string[],
): Promise<Relation[]> {
  if (memory_ids.length === 0) return [];
  return db
    .selectFrom('relations')
    .select(['source', 'source_type', 'relationship', 'target', 'target_type', 'memory_id'])
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('relations.memory_id'), memory_ids))
    .orderBy('memory_id')
    .orderBy('ordinal')
    .execute();
}

async function listNewestRelations(
  { db }: DbContext,
  project: ProjectRef,
  { entity, user_id, limit, day }: Parameters<RelationTable['listNewest']>[1],
) {
  let current = db
    .selectFrom('relations as edge')
    .innerJoin('memories', (join) =>
      join
        .onRef('memories.project_key', '=', 'edge.project_key')
        .onRef('memories.id', '=', 'edge.memory_id'),
    )
    .where('edge.project_key', '=', project.key)
    .where('memories.status', '=', 'active')
    .where('memories.replaced_by', 'is', null)
    .where((eb) => eb.or([eb('expiration_date', 'is', null), eb('expiration_date', '>=', day)]));
  if (user_id !== undefined) current = current.where('memories.user_id', '=', user_id);
  if (entity !== undefined) {
    current = current.where((eb) => eb.or([eb('source', '=', entity), eb('target', '=', entity)]));
  }
  const rows = await current
    .select(['source', 'source_type', 'relationship', 'target', 'target_type'])
    .select(['edge.memory_id', 'memories.memory'])
    // Ids grow with time, and the relations are stored by them.
    .orderBy('edge.memory_id', 'desc')
    .orderBy('ordinal')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row }));
}

async function deleteRelations(
  { db, dialect }: DbContext,
  project: ProjectRef,
  memory_ids: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('relations')
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('relations.memory_id'), memory_ids))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
