import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from '../support/database.ts';

/** What schema 11 added is removed, and the number of the schema is set back. */
export async function takeBackToSchema10(folder: string): Promise<void> {
  if (isPostgres) {
    await inDatabase(folder, (client) =>
      client.query(`drop index mneme.memories_pinned, mneme.memories_pinned_by_user;
        drop table mneme.memory_versions;
        alter table mneme.memories drop column pinned, drop column recorded_from,
          drop column recorded_by;
        update mneme.meta set value = '10' where key = 'schema'`),
    );
    return;
  }
  const DatabaseSync = await loadSqlite();
  const sqlite = DatabaseSync(storePath(folder));
  sqlite.exec(`drop index memories_pinned; drop index memories_pinned_by_user; alter table memories drop column pinned;
    alter table memories drop column recorded_from; alter table memories drop column recorded_by;
    drop table memory_versions;
    pragma user_version = 10`);
  sqlite.close();
}
