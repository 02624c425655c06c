import { sql } from 'kysely';
import { type EntityIds, entityIdFields } from '../../../contract/schemas/entity.ts';
import type { MemoryTable, ProjectRef } from '../../../core/ports/index.ts';
import { partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database } from '../../sql/dialect.ts';
import {
  type PreparedStatement,
  prepareStatement,
  type StatementParameters,
} from '../../sql/prepared.ts';

type Duplicate = NonNullable<Awaited<ReturnType<MemoryTable['findDuplicate']>>>;
type DuplicateQuery = EntityIds & { project_key: number; hash: string };
type DuplicateSearch = (
  at: DbContext,
  project: ProjectRef,
  ids: EntityIds,
  hash: string,
) => Promise<Duplicate | null>;

export const findActiveDuplicate = searchBy(
  prepareStatement((db, value: StatementParameters<DuplicateQuery>) =>
    duplicatesIn(db, value).where(sql<boolean>`status = 'active'`),
  ),
);

export const findWaitingDuplicate = searchBy(
  prepareStatement((db, value: StatementParameters<DuplicateQuery>) =>
    duplicatesIn(db, value).where('status', '<>', 'active'),
  ),
);

function searchBy(find: PreparedStatement<DuplicateQuery, Duplicate>): DuplicateSearch {
  return async (at, { key: project_key }, ids, hash) => {
    const { user_id, agent_id, app_id, run_id } = ids;
    const [row] = await find(at, { project_key, hash, user_id, agent_id, app_id, run_id });
    return row ?? null;
  };
}

function duplicatesIn(db: Database, value: StatementParameters<DuplicateQuery>) {
  return db
    .selectFrom('memories')
    .select(['id', 'expiration_date'])
    .where('project_key', '=', value('project_key'))
    .where('hash', '=', value('hash'))
    .where('replaced_by', 'is', null)
    .where((eb) =>
      eb.and(entityIdFields.map((field) => eb(field, 'is not distinct from', value(field)))),
    )
    .orderBy('expiration_date', (order) => order.desc().nullsFirst())
    .orderBy('position')
    .limit(1);
}

type Statements = Awaited<ReturnType<MemoryTable['listStatements']>>;

export async function listStatements(
  at: DbContext,
  { key: project_key }: ProjectRef,
  positions: readonly number[],
): Promise<Statements> {
  const statements: Statements = [];
  for (const some of partsOf(positions, positionsAtOnce)) {
    const values: Record<`position${number}`, number> = {};
    for (let index = 0; index < positionsAtOnce; index += 1)
      values[`position${index}`] = some[index] ?? some[0] ?? 0;
    statements.push(...(await readStatements(at, { ...values, project_key })));
  }
  return statements;
}

/** As many as an add compares its text with. */
const positionsAtOnce = 10;

type StatementsQuery = { [position: `position${number}`]: number; project_key: number };

const readStatements = prepareStatement((db, value: StatementParameters<StatementsQuery>) =>
  db
    .selectFrom('memories')
    .select(['position', 'id', 'memory', 'slot', ...entityIdFields])
    // The plus keeps SQLite from reading an index of the project, which takes in all of it.
    .where(sql`+project_key`, '=', value('project_key'))
    .where(
      'position',
      'in',
      Array.from({ length: positionsAtOnce }, (_, index) => value(`position${index}`)),
    ),
);
