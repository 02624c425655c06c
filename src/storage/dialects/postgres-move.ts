import { sql } from 'kysely';
import type pg from 'pg';
import { ApiError } from '../../contract/errors.ts';
import { names } from '../move/batches.ts';
import type { Enter, Insert, MoveWriter } from '../move/sides.ts';
import type { At } from '../tables/at.ts';
import { dialect } from './postgres.ts';
import { translateError } from './postgres-errors.ts';
import { bringUpToDate, findState, reading } from './postgres-migrate.ts';
import {
  connect,
  isInUse,
  type Link,
  readerOf,
  roleSql,
  sequenceSql,
} from './postgres-move-reader.ts';
import { appRole, lockOfMove, queueRole, schemaName, searchPath } from './postgres-scope.ts';
import { ensureVectors } from './postgres-vectors.ts';

/** Opens a database that is to become a store. Throws `conflict` where it holds one already. */
export async function openPostgresWriter(
  url: string,
  { resume }: { resume: boolean },
): Promise<MoveWriter> {
  const link = await connect(url);
  const { client, shown } = link;
  try {
    await lockMove(link);
    const { version, isMoving } = await reading(client, () => findState(client));
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
