import { sql } from 'kysely';
import {
  type EntityIds,
  entityIdField,
  entityIdFields,
  entityTypes,
} from '../../../contract/schemas/entity.ts';
import type { Filter } from '../../../contract/schemas/filter.ts';
import type { ProjectRef, Selection } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import { findEntityTotals } from '../entities/entity-totals.ts';
import { countMemories } from '../entities/memory-counters.ts';

/**
 * How many memories match a selection. Counters hold the totals of entities and of the project, so
 * only hidden memories are counted; otherwise most of a large store would be read for one number.
 */
export async function countSelected(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
): Promise<number> {
  const whole = countedScopeOf(selection.filter);
  const hidden = whole === null ? null : await countHidden(at, project, { whole, selection });
  if (whole === null || hidden === null) return countMatches(at, project, selection);
  return (await countScope(at, project, whole)) - hidden;
}

/** All memories of one entity, of all entities of a type, or of the project (neither). */
type CountedScope = { ids: Partial<EntityIds>; of: keyof EntityIds | null };

/** The scope, if the filter selects all of it; otherwise null. */
function countedScopeOf(filter: Filter): CountedScope | null {
  const [part, ...others] = 'all' in filter ? filter.all : [filter];
  if (part === undefined) return { ids: {}, of: null };
  if (others.length > 0 || !('field' in part)) return null;
  const field = entityIdFields.find((name) => name === part.field);
  if (field === undefined) return null;
  if (part.operator === 'exists') return { ids: {}, of: field };
  if (part.operator !== 'eq' || typeof part.value !== 'string') return null;
  return { ids: { [field]: part.value }, of: null };
}

async function countScope(
  at: DbContext,
  project: ProjectRef,
  { ids, of }: CountedScope,
): Promise<number> {
  const type = entityTypes.find((candidate) => entityIdField(candidate) === of);
  if (type === undefined) return countMemories(at, project, ids);
  return (await findEntityTotals(at, project, type)).memories;
}

type HiddenCountQuery = { whole: CountedScope; selection: Selection };

/** Null if so many memories could be hidden that counting them would not pay off. */
async function countHidden(
  at: DbContext,
  project: ProjectRef,
  { whole: { ids, of }, selection }: HiddenCountQuery,
): Promise<number | null> {
  const { latest_only, not_expired_on, status } = selection;
  if (!latest_only && not_expired_on === null && status === 'any') return 0;
  if (status === 'waiting') return null;
  const [counts] = await countHideable(at, {
    project_key: project.key,
    ...noIds,
    ...ids,
    not_expired_on,
    of: of ?? '',
    latest_only: latest_only ? 1 : 0,
    shown_status: status,
  });
  return counts === undefined || counts.seen > hideableMax ? null : counts.hidden;
}

const noIds: EntityIds = { user_id: null, agent_id: null, app_id: null, run_id: null };

/** These can be read in the time that a page of memories takes. */
const hideableMax = 1000;

type HideableParameters = EntityIds & {
  project_key: number;
  /** The type of entity that each must belong to, or nothing. */
  of: keyof EntityIds | '';
  latest_only: 0 | 1;
  not_expired_on: string | null;
  shown_status: Selection['status'];
};

const countHideable = prepareStatement((db, value: StatementParameters<HideableParameters>) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('memories')
        .select([...entityIdFields, 'replaced_by', 'expiration_date', 'status'])
        .where('project_key', '=', value('project_key'))
        // Written like the condition of the index `memories_hideable`, so that it is used.
        .where(
          sql<boolean>`(replaced_by is not null or expiration_date is not null
            or status <> 'active')`,
        )
        .limit(hideableMax + 1)
        .as('hideable'),
    )
    .select((eb) => [
      eb.fn.countAll<number>().as('seen'),
      eb.fn
        .countAll<number>()
        .filterWhere(
          sql<boolean>`((${value('latest_only')} = 1 and replaced_by is not null)
            or expiration_date < ${value('not_expired_on')}
            or (status <> 'active' and ${value('shown_status')} = 'active')
            or (status = 'quarantined' and ${value('shown_status')} = 'not_quarantined'))`,
        )
        .filterWhere(
          eb.and(
            entityIdFields.map(
              (field) =>
                sql<boolean>`((cast(${value(field)} as text) is null
                    or ${eb.ref(field)} = ${value(field)})
                  and (cast(${value('of')} as text) <> ${sql.lit(field)}
                    or ${eb.ref(field)} is not null))`,
            ),
          ),
        )
        .as('hidden'),
    ]),
);

async function countMatches(
  { db, dialect }: DbContext,
  project: ProjectRef,
  selection: Selection,
): Promise<number> {
  const { total } = await db
    .selectFrom('memories')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('project_key', '=', project.key)
    .where(selectionSql(selection, dialect.filter))
    .executeTakeFirstOrThrow();
  return total;
}
