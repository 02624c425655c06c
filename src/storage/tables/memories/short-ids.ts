import { sql } from 'kysely';
import { entityIdFields } from '../../../contract/schemas/entity.ts';
import type { OwnerIds, ProjectRef, ShortIdMatch } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';

type Wanted = { short_ids: readonly string[]; ids: OwnerIds };

/** One row per known short id, however many memories share it. */
export async function findByShortIds(
  at: DbContext,
  project: ProjectRef,
  { short_ids, ids }: Wanted,
): Promise<ShortIdMatch[]> {
  let query = at.db
    .selectFrom('memories')
    .select(({ fn }) => [
      'short_id',
      fn.min('id').as('first'),
      fn.max('id').as('last'),
      fn.countAll<number>().as('total'),
    ])
    .where('project_key', '=', project.key)
    .where(at.dialect.filter.isIn(sql.ref('short_id'), short_ids));
  for (const field of entityIdFields) {
    const id = ids[field];
    if (id !== undefined) query = query.where(field, '=', id);
  }
  const rows = await at.run(query.groupBy('short_id').compile());
  return rows.map(({ short_id, first, last, total }) => ({
    short_id,
    memory_ids: first === last ? [first] : [first, last],
    total: Number(total),
  }));
}
