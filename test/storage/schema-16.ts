import { loadSqlite, type SqliteDatabase } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from '../support/database.ts';

/** What schemas 17 and 18 changed is taken back, and the number of the schema is set back. */
export async function takeBackToSchema16(folder: string): Promise<void> {
  if (isPostgres) {
    await inDatabase(folder, (client) =>
      client.query(`alter table mneme.memories drop column may_replace;
        alter table mneme.memory_versions drop column may_replace;
        drop table mneme.sessions;
        update mneme.meta set value = '16' where key = 'schema'`),
    );
    return;
  }
  const DatabaseSync = await loadSqlite();
  const sqlite = DatabaseSync(storePath(folder));
  takeBackMayReplace(sqlite, 16);
  sqlite.close();
}

/** What schema 18 added is taken away, and the number of the schema is set back. */
export async function takeBackToSchema17(folder: string): Promise<void> {
  if (isPostgres) {
    await inDatabase(folder, (client) =>
      client.query(`drop table mneme.sessions;
        update mneme.meta set value = '17' where key = 'schema'`),
    );
    return;
  }
  const DatabaseSync = await loadSqlite();
  const sqlite = DatabaseSync(storePath(folder));
  sqlite.exec('drop table sessions; pragma user_version = 17');
  sqlite.close();
}

/** And the sessions, of a file of schema 11 or later, as the version from 11 to 16 that is given. */
export function takeBackMayReplace(sqlite: SqliteDatabase, version: number): void {
  sqlite.exec(`alter table memories drop column may_replace;
    alter table memory_versions drop column may_replace; drop table sessions; pragma user_version = ${version}`);
}
