import type { Kysely } from 'kysely';
import type { Database, VectorQuery } from '../../sql/dialect.ts';
import type { RowOf } from '../../sql/schema/table.ts';
import type { tables } from '../../sql/schema/tables.ts';
import type { DatabaseSchema } from '../../sql/schema.ts';

type SqliteVectorTables = {
  vectors: RowOf<typeof tables.vectors, 'sqlite'>;
  vector_segments: RowOf<typeof tables.vector_segments, 'sqlite'>;
};
export type VectorDatabase = Kysely<DatabaseSchema & SqliteVectorTables>;

export function withVectorTables(db: Database): VectorDatabase {
  return db.withTables<SqliteVectorTables>();
}

/** Vectors belong to a project and a model. */
export type ModelInProject = Pick<VectorQuery, 'project' | 'space'>;

/** Vectors that are not in a segment yet, oldest first. */
export function unsegmentedVectors(db: VectorDatabase, { project, space }: ModelInProject) {
  return vectorsOf(db, { project, space })
    .select(['vectors.key', 'vectors.vector'])
    .where('vectors.key', '>', (eb) =>
      eb.fn.coalesce(
        segmentsOf(db, { project, space }).select((one) => one.fn.max<number>('last_key').as('k')),
        eb.lit(0),
      ),
    )
    .orderBy('vectors.key');
}

export function vectorsOf(db: VectorDatabase, { project, space }: ModelInProject) {
  return db
    .selectFrom('vectors')
    .where('vectors.project_key', '=', project.key)
    .where('vectors.model_key', '=', space);
}

export function segmentsOf(db: VectorDatabase, { project, space }: ModelInProject) {
  return db
    .selectFrom('vector_segments')
    .where('project_key', '=', project.key)
    .where('model_key', '=', space);
}
