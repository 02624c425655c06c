import { loadSqlite, type SqliteDatabase } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from '../support/database.ts';

/** What schema 17 changed is taken back, and the number of the schema is set back. */
export async function takeBackToSchema16(folder: string): Promise<void> {
  if (isPostgres) {
    await inDatabase(folder, (client) =>
      client.query(`alter table mneme.memories drop column may_replace;
        alter table mneme.memory_versions drop column may_replace;
        update mneme.meta set value = '16' where key = 'schema'`),
    );
    return;
  }
  const DatabaseSync = await loadSqlite();
  const sqlite = DatabaseSync(storePath(folder));
  takeBackMayReplace(sqlite, 16);
  sqlite.close();
}

/** Of a file of schema 11 or later, as the version from 11 to 16 that is given. */
export function takeBackMayReplace(sqlite: SqliteDatabase, version: number): void {
  sqlite.exec(`alter table memories drop column may_replace;
    alter table memory_versions drop column may_replace; pragma user_version = ${version}`);
}
