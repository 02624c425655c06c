import type { Kysely } from 'kysely';
import type { Database } from '../../sql/dialect.ts';
import type { RowOf } from '../../sql/schema/table.ts';
import type { tables } from '../../sql/schema/tables.ts';
import type { DatabaseSchema } from '../../sql/schema.ts';

type SqliteVectorTables = { vectors: RowOf<typeof tables.vectors, 'sqlite'> };
type VectorDatabase = Kysely<DatabaseSchema & SqliteVectorTables>;

export function withVectorTables(db: Database): VectorDatabase {
  return db.withTables<SqliteVectorTables>();
}
