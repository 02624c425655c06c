import { sql } from 'kysely';
import { entityIdFields } from '../../../contract/schemas/entity.ts';
import type { RecordKind } from '../../../contract/schemas/record-id.ts';
import type { ProjectRef, ShortIdMatch, ShortIdTable } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const shortIdStatements: StatementsOf<ShortIdTable> = {
  find: { scope: 'project', run: findByShortIds },
};

/** A table of records with short ids; without owners, it has nothing that belongs to an entity. */
type RecordTable = { table: string; id: string; hasOwners: boolean };

const memories: RecordTable = { table: 'memories', id: 'id', hasOwners: true };

const tablesOfKind: Readonly<Record<RecordKind, readonly RecordTable[]>> = {
  memory: [memories],
  // Only entries of deleted memories have a short id.
  history: [memories, { table: 'history', id: 'memory_id', hasOwners: true }],
  event: [{ table: 'events', id: 'id', hasOwners: true }],
  export: [{ table: 'exports', id: 'id', hasOwners: true }],
  webhook: [{ table: 'webhooks', id: 'webhook_id', hasOwners: false }],
  // Only jobs have a short id.
  profile_job: [{ table: 'documents', id: 'id', hasOwners: false }],
  recall: [{ table: 'recalls', id: 'id', hasOwners: true }],
};

type Wanted = Parameters<ShortIdTable['find']>[2];
type MatchRow = { short_id: string; first: string; last: string; total: number };

/** One row for each short id that is known, however many records share it. */
async function findByShortIds(
  at: DbContext,
  project: ProjectRef,
  kind: RecordKind,
  request: Wanted,
): Promise<ShortIdMatch[]> {
  const isOwned = entityIdFields.some((field) => request.ids[field] !== undefined);
  const searched = tablesOfKind[kind].filter(({ hasOwners }) => hasOwners || !isOwned);
  if (searched.length === 0) return [];
  const matches = searched.map(({ table, id }) => {
    const conditions = conditionsOf(at, project, request);
    return sql`select short_id, ${sql.ref(id)} as id from ${sql.table(table)} where ${conditions}`;
  });
  const statement = sql<MatchRow>`
    select short_id, min(id) as first, max(id) as last, count(*) as total
    from (${sql.join(matches, sql` union `)}) as named group by short_id`;
  const rows = await at.run(statement.compile(at.db));
  return rows.map(({ short_id, first, last, total }) => ({
    short_id,
    ids: first === last ? [first] : [first, last],
    total: Number(total),
  }));
}

function conditionsOf({ dialect }: DbContext, project: ProjectRef, { short_ids, ids }: Wanted) {
  const conditions: SqlCondition[] = [
    sql`project_key = ${project.key}`,
    dialect.filter.isIn(sql.ref('short_id'), short_ids),
  ];
  for (const field of entityIdFields) {
    const id = ids[field];
    if (id !== undefined) conditions.push(sql`${sql.ref(field)} = ${id}`);
  }
  return sql.join(conditions, sql` and `);
}
