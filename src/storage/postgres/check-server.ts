import type { ClientBase } from 'pg';
import { postgresUnavailable } from './connection/errors.ts';

const serverVersionMin = 140_000;

/** Refuses a server that is too old, or whose encoding or collations do not fit. */
export async function checkServer(client: ClientBase, { shown }: { shown: string }): Promise<void> {
  const { rows } = await client.query<{ version: number; encoding: string; has_icu: boolean }>(
    `select current_setting('server_version_num')::integer as version,
      current_setting('server_encoding') as encoding,
      exists (select from pg_collation where collname = 'und-x-icu') as has_icu`,
  );
  const [server] = rows;
  const problem =
    server === undefined || server.version < serverVersionMin
      ? 'is older than PostgreSQL 14; use a newer server'
      : server.encoding !== 'UTF8'
        ? `has the encoding ${server.encoding}; create one with encoding UTF8`
        : server.has_icu
          ? null
          : 'is on a server built without ICU; use one with ICU';
  if (problem !== null) throw postgresUnavailable(shown, problem);
}
