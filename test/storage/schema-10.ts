import { decodeVector } from '../../src/storage/sql/vector-codec.ts';
import { loadSqlite, type SqliteDatabase } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from '../support/database.ts';

/** What schemas 11 to 18 changed is taken back, and the number of the schema is set back. */
export async function takeBackToSchema10(folder: string): Promise<void> {
  if (isPostgres) {
    await inDatabase(folder, (client) =>
      client.query(`drop index mneme.memories_pinned, mneme.memories_pinned_by_user,
          mneme.memories_instructions, mneme.memories_instructions_by_user;
        drop table mneme.memory_versions, mneme.recalls, mneme.audit_chains, mneme.sessions;
        alter table mneme.memories drop column pinned, drop column valid_from,
          drop column valid_until, drop column recorded_from, drop column recorded_by,
          drop column may_replace;
        alter table mneme.events drop column key_id;
        alter table mneme.exports drop column as_of, drop column valid_at;
        update mneme.meta set value = '10' where key = 'schema'`),
    );
    return;
  }
  const DatabaseSync = await loadSqlite();
  const sqlite = DatabaseSync(storePath(folder));
  sqlite.exec(`drop index memories_pinned; drop index memories_pinned_by_user;
    drop index memories_instructions; drop index memories_instructions_by_user; alter table memories drop column pinned;
    alter table memories drop column valid_from; alter table memories drop column valid_until;
    alter table memories drop column recorded_from; alter table memories drop column recorded_by;
    alter table memories drop column may_replace;
    drop table memory_versions; drop table recalls; drop table audit_chains;
    drop table sessions;
    alter table exports drop column as_of; alter table exports drop column valid_at;
    alter table events drop column key_id;
    pragma user_version = 10`);
  takeBackVectors(sqlite);
  sqlite.close();
}

/**
 * Back to schema 14, which had floats of 32 bits, and segments. Without a prepared statement, which
 * would keep the file open until it is collected.
 */
export function takeBackVectors(sqlite: SqliteDatabase): void {
  const toFloats = (vector: unknown) =>
    vector instanceof Uint8Array ? new Uint8Array(decodeVector(vector).buffer) : null;
  sqlite.function('to_floats', { deterministic: true }, toFloats);
  sqlite.exec(`update vectors set vector = to_floats(vector);
    create table vector_segments (key integer primary key autoincrement, data blob)`);
}

/** Back to schema 15, which had an exponent and numbers of 16 bits. */
export function takeBackVectorsTo15(sqlite: SqliteDatabase): void {
  const toShorts = (vector: unknown) => {
    if (!(vector instanceof Uint8Array)) return null;
    const shorts = decodeVector(vector).map((value) => Math.round(value * 2 ** 15));
    return new Uint8Array(Int16Array.of(-15, ...shorts).buffer);
  };
  sqlite.function('to_shorts', { deterministic: true }, toShorts);
  sqlite.exec(`update vectors set vector = to_shorts(vector);
    create table vector_segments (key integer primary key autoincrement, data blob)`);
}
