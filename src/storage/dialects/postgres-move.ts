import { sql } from 'kysely';
import type pg from 'pg';
import { ApiError } from '../../contract/errors.ts';
import { schemaVersion } from '../migrations/migrate.ts';
import { behind, inBatches, names } from '../move/batches.ts';
import type { Enter, Insert, MovedRow, MoveReader, MoveWriter, Walk } from '../move/sides.ts';
import type { MovedTable } from '../move/tables.ts';
import type { At } from '../tables/at.ts';
import type { Session } from './dialect.ts';
import { dialect } from './postgres.ts';
import { createSession } from './postgres-connection.ts';
import { translateError } from './postgres-errors.ts';
import { bringUpToDate, findState, hasTable } from './postgres-migrate.ts';
import { createPostgres } from './postgres-pool.ts';
import { appRole, lockOfMove, queueRole, schemaName, searchPath } from './postgres-scope.ts';
import { ensureVectors } from './postgres-vectors.ts';

/** One connection, with what may be told of where it leads. */
type Link = { client: pg.Client; session: Session; shown: string; close(): Promise<void> };

async function connect(url: string): Promise<Link> {
  const limits = { pool_size: 1, statement_timeout_ms: 0, busy_timeout_ms: connectMs };
  const { connect, shown, end } = createPostgres({ ...limits, url, log: () => {} });
  const client = connect();
  client.on('error', () => {}); // the statement that is under way, or the next one, hears of it
  try {
    await client.connect();
    // It is no server: others are told apart by this name.
    await client.query(`set application_name to '${ownName}'`);
  } catch (error) {
    throw translateError(error, shown);
  }
  const close = async () => {
    await client.end().catch(() => {});
    await end();
  };
  const { db, run } = createSession(client);
  return { client, session: { db, run }, shown, close };
}

const connectMs = 10_000;
const ownName = 'mneme migrate';

/** Reads a database in one transaction, which changes nothing and sees one moment. */
export async function openPostgresReader(url: string): Promise<MoveReader> {
  const link = await connect(url);
  const { client, shown } = link;
  try {
    const { version, isMoving } = await findState(client);
    checkSource({ version, isMoving, shown });
    return readerOf(link, await hasTable(client, 'vectors'));
  } catch (error) {
    await link.close();
    throw translateError(error, shown);
  }
}

function checkSource(source: { version: number; isMoving: boolean; shown: string }): void {
  const { version, isMoving, shown } = source;
  const where = `the database ${shown}`;
  if (version === 0) throw new ApiError('not_found', `${where} holds no store`);
  if (isMoving) {
    throw new ApiError('unavailable', `${where} holds a move that has not ended: end it first`);
  }
  if (version > schemaVersion) {
    throw new ApiError(
      'unavailable',
      `${where} was written by a newer mneme (schema ${version}; this one knows up to ` +
        `${schemaVersion}); nothing was changed: update mneme`,
    );
  }
  if (version < schemaVersion) {
    throw new ApiError(
      'unavailable',
      `${where} was written by an older mneme (schema ${version}; this one writes ` +
        `${schemaVersion})`,
      { next: 'Start this version on it once, which brings it up to date; then move it.' },
    );
  }
}

function readerOf(link: Link, hasVectors: boolean): MoveReader {
  const { client, session, shown } = link;
  const { db } = session;
  const shownError = <T>(run: () => Promise<T>) =>
    run().catch((error: unknown) => {
      throw translateError(error, shown);
    });
  return {
    shown,
    hasVectors,
    look: () =>
      shownError(async () => {
        await client.query('rollback');
        await client.query(`begin isolation level repeatable read read only; ${roleSql(appRole)}`);
      }),
    isIntact: () => true,
    isInUse: () => shownError(() => isInUse(client)),
    columnsOf: (table) =>
      shownError(async () => {
        const { rows } = await sql<{ name: string }>`
          select attname as name from pg_attribute
          where attrelid = ${`${schemaName}.${table}`}::regclass and attnum > 0
            and not attisdropped
          order by attnum`.execute(db);
        return rows.map(({ name }) => name);
      }),
    walk: (table, walk) => walkOver(link, table, walk),
    counterOf: ({ name, counts }) => shownError(() => counterOf(link, name, counts)),
    close: link.close,
  };
}

/** Statements may take as long as they need, and so may the other side between two of them. */
function roleSql(role: string): string {
  const settings = {
    role,
    search_path: searchPath,
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    'mneme.project': '',
  };
  const set = Object.entries(settings).map(([name, value]) => {
    return `set_config('${name}', '${value}', true)`;
  });
  return `select ${set.join(', ')}`;
}

async function isInUse(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database()
      and application_name = 'mneme' and pid <> pg_backend_pid()`,
  );
  return rowCount !== 0;
}

/** Project by project: policies of rows let nobody see those of two. */
async function* walkOver(link: Link, table: MovedTable, { columns, after = null, projects }: Walk) {
  const { client, session, shown } = link;
  try {
    if (!table.isProjects) {
      yield* inBatches(table.key, after, (at, limit) =>
        readRows(session, table, { columns, at, limit, project: null }),
      );
      return;
    }
    const [first, ...key] = after ?? [];
    for (const project of await projectsOf(session)) {
      if (projects?.has(project) === false || (first !== undefined && project < Number(first)))
        continue;
      await client.query(`select set_config('mneme.project', $1, true)`, [String(project)]);
      const from = project === first && key.length > 0 ? key : null;
      const read = (at: readonly (string | number)[] | null, limit: number) =>
        readRows(session, table, { columns, at, limit, project });
      for await (const { rows, cursor } of inBatches(table.key, from, read)) {
        yield { rows, cursor: [project, ...cursor] };
      }
    }
  } catch (error) {
    throw translateError(error, shown);
  }
}

async function projectsOf({ db }: Session): Promise<number[]> {
  const rows = await db.selectFrom('projects').select('key').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

type Reading = {
  columns: readonly string[];
  at: readonly (string | number)[] | null;
  limit: number;
  project: number | null;
};

async function readRows(
  { db }: Session,
  table: MovedTable,
  { columns, at, limit, project }: Reading,
): Promise<MovedRow[]> {
  const own = project === null ? sql`true` : sql`project_key = ${project}`;
  const [first = ''] = table.key;
  const stays = table.without
    ? sql`${sql.ref(first)} not in (${sql.join([...table.without])})`
    : sql`true`;
  const { rows } = await sql<MovedRow>`
    select ${names(columns)} from ${sql.table(table.name)}
    where ${own} and ${stays} and ${behind(table.key, at)}
    order by ${names(table.key)} limit ${limit}`.execute(db);
  if (project === null) return rows;
  return rows.map((row) => toMoved(row, project));
}

function toMoved(row: MovedRow, project_key: number): MovedRow {
  const { vector } = row;
  if (typeof vector !== 'string') return { ...row, project_key };
  return { ...row, project_key, vector: Float32Array.from(JSON.parse(vector)) };
}

async function counterOf({ client }: Link, name: string, column: string): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    `select coalesce(pg_sequence_last_value(${sequenceSql}), 0) as last`,
    [name, column],
  );
  return rows[0]?.last ?? 0;
}

/** The sequence of a column, named after it where the column was not made with it. */
const sequenceSql = `coalesce(
  pg_get_serial_sequence('${schemaName}.' || $1, $2),
  '${schemaName}.' || $1 || '_' || $2)::regclass`;

/** Opens a database that is to become a store. Throws `conflict` where it holds one already. */
export async function openPostgresWriter(
  url: string,
  { resume }: { resume: boolean },
): Promise<MoveWriter> {
  const link = await connect(url);
  const { client, shown } = link;
  try {
    await lockMove(link);
    const { version, isMoving } = await findState(client);
    if (isMoving ? !resume : version > 0 && !(await isEmpty(client))) {
      throw isMoving ? unfinished(shown) : taken(shown);
    }
    if (await isInUse(client)) {
      throw new ApiError('conflict', `the database ${shown} is in use by other processes`, {
        next: 'Stop the servers and clients that use it, then move into it.',
      });
    }
    await bringUpToDate(client, { dialect, log: () => {}, shown, forMove: true });
    const hasVectors = await ensureVectors(client);
    await checkOwner(link);
    return await writerOf(link, { url, hasVectors });
  } catch (error) {
    await link.close();
    throw translateError(error, shown);
  }
}

function taken(shown: string): ApiError {
  return new ApiError('conflict', `the database ${shown} holds other data`, {
    next: 'Nothing was changed. Move into an empty database, or drop its schema mneme first.',
  });
}

function unfinished(shown: string): ApiError {
  return new ApiError('conflict', `the database ${shown} holds a move that has not ended`, {
    next: 'Go on with it with --resume, or drop its schema mneme and begin anew.',
  });
}

/** Held until the connection ends, however that happens. */
async function lockMove({ client, shown }: Link): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_lock(${lockOfMove}) as held`,
  );
  if (rows[0]?.held) return;
  throw new ApiError('conflict', `another move into the database ${shown} is at work`);
}

/** A store as it is made: nobody has ever written anything into it. */
async function isEmpty(client: pg.Client): Promise<boolean> {
  await client.query(`begin; ${roleSql(queueRole)}`);
  try {
    const { rows } = await client.query<{ made: number; written: number }>(
      `select (select count(*) from accounts) + (select count(*) from organizations)
          + (select count(*) from projects) as made,
        coalesce(pg_sequence_last_value('memories_position'), 0)
          + coalesce(pg_sequence_last_value('history_position'), 0)
          + (select count(*) from keys) + (select count(*) from events)
          + (select count(*) from webhooks) + (select count(*) from projects
            where settings <> '{}' or updated_at <> created_at) as written`,
    );
    return rows[0] !== undefined && rows[0].made <= 3 && rows[0].written === 0;
  } finally {
    await client.query('rollback');
  }
}

/** Counters are set as the owner of the tables. */
async function checkOwner({ client, shown }: Link): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_schema_privilege('${schemaName}', 'usage')
      and has_sequence_privilege('${schemaName}.memories_position', 'update') as may`,
  );
  if (rows[0]?.may) return;
  throw new ApiError('unavailable', `the user of ${shown} does not own its tables`, {
    next: 'Move with the address of the user that makes tables; docs/postgres.md has both.',
  });
}

async function writerOf(
  link: Link,
  { url, hasVectors }: { url: string; hasVectors: boolean },
): Promise<MoveWriter> {
  const { client, session, shown } = link;
  const reader = readerOf(await connect(url), hasVectors);
  const at: At = { ...session, dialect };
  return {
    reader,
    transaction: (run) => inTransaction(link, () => run(enterOn(client, at))),
    insert: insertRows,
    clear: async ({ db }, { name }, project) => {
      const tables = name === 'memories' ? ['memory_index', name] : [name];
      for (const table of tables) {
        await sql`delete from ${sql.table(table)} where project_key = ${project}`.execute(db);
      }
    },
    setCounter: async ({ name, counts }, value) => {
      const set = `select setval(${sequenceSql}, greatest($3::bigint, 1), $3::bigint > 0)`;
      await client.query(set, [name, counts, value]);
    },
    finish: () => finish(link),
    close: async () => {
      await reader.close();
      await link.close();
    },
  };

  async function finish({ client }: Link): Promise<void> {
    try {
      await client.query(`set search_path to ${searchPath}`);
      // Partitioned tables are not looked at unasked, and a plan depends on it.
      for (const table of ['memories', 'memory_index', 'history', 'entities', 'events']) {
        await client.query(`analyze ${table}`);
      }
      if (hasVectors) await client.query('analyze vectors');
    } catch (error) {
      throw translateError(error, shown);
    }
  }
}

async function inTransaction({ client, shown }: Link, run: () => Promise<void>): Promise<void> {
  try {
    await client.query(`begin; ${roleSql(appRole)}`);
    await run();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw translateError(error, shown);
  }
}

function enterOn(client: pg.Client, at: At): Enter {
  let current: number | null = null;
  return async (project) => {
    if (project !== current) {
      const key = project === null ? '' : String(project);
      await client.query(`select set_config('mneme.project', $1, true)`, [key]);
    }
    current = project;
    return at;
  };
}

/** All rows travel as one parameter, however many they are. */
async function insertRows({ db }: At, { table, columns, rows, replace }: Insert): Promise<void> {
  const set = columns.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  const upsert = replace
    ? sql`on conflict (${sql.ref(table.key[0] ?? '')}) do update set ${sql.join(set)}`
    : sql``;
  const name = sql.table(table.name);
  await sql`insert into ${name} (${names(columns)})
    select ${names(columns)}
    from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json) ${upsert}`.execute(
    db,
  );
}
