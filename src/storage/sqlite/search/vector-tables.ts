import { type Generated, type Kysely, sql } from 'kysely';
import type { Database, VectorQuery } from '../../sql/dialect.ts';
import type { DatabaseSchema } from '../../sql/schema.ts';

type SqliteVectorTables = {
  vectors: {
    key: Generated<number>;
    position: number;
    project_key: number;
    space_key: number;
    vector: Uint8Array;
  };
  /** `dead` counts the vectors that are gone since; `data` is what `encodeSegment` makes. */
  vector_segments: {
    key: Generated<number>;
    project_key: number;
    space_key: number;
    first_key: number;
    last_key: number;
    count: number;
    dead: number;
    data: Uint8Array;
  };
};
export type VectorDatabase = Kysely<DatabaseSchema & SqliteVectorTables>;

export function withVectorTables(db: Database): VectorDatabase {
  return db.withTables<SqliteVectorTables>();
}

export async function createSqliteVectorTables(db: Database): Promise<void> {
  const place = `project_key integer not null references projects (key),
    space_key integer not null`;
  for (const statement of [
    `create table vectors (key integer primary key autoincrement,
      position integer not null, ${place}, vector blob not null,
      unique (position, space_key)) strict`,
    'create index vectors_by_space on vectors (space_key, project_key)',
    `create table vector_segments (key integer primary key autoincrement, ${place},
      first_key integer not null, last_key integer not null, count integer not null,
      dead integer not null, data blob not null) strict`,
    'create index vector_segments_by_project on vector_segments (project_key, space_key, last_key)',
  ]) {
    await sql.raw(statement).execute(db);
  }
}

/** Vectors are a project's, and of one model's space. */
export type ModelInProject = Pick<VectorQuery, 'project' | 'space'>;

/** Vectors that no segment holds yet, oldest first. */
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
    .where('vectors.space_key', '=', space);
}

export function segmentsOf(db: VectorDatabase, { project, space }: ModelInProject) {
  return db
    .selectFrom('vector_segments')
    .where('project_key', '=', project.key)
    .where('space_key', '=', space);
}
