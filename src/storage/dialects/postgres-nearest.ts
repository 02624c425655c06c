import { sql } from 'kysely';
import type { Neighbour } from '../../core/ports.ts';
import type { Database, VectorQuery } from './dialect.ts';
import { type GraphType, graphNames } from './postgres-near-index.ts';

/** Nearest first: by the graph of a whole project where there is one, else by comparing all. */
export async function nearest(db: Database, query: VectorQuery): Promise<Neighbour[]> {
  const type = query.size < searchedMin ? null : await findGraph(db, query);
  return (type === null ? null : await byGraph(db, query, type)) ?? byComparing(db, query);
}

/** From so many memories on it is worth asking for a graph: comparing them takes about 10 ms. */
const searchedMin = 10_000;

/** A selection of less than this share of a project finds too few of its own in the graph. */
const shareMin = 1 / 4;

/**
 * Neighbours that the graph is asked for, and how many it keeps in mind meanwhile, which is how
 * many it can find (`hnsw.ef_search`, at most 1,000). The nearest 10 of clustered and of isotropic
 * vectors are then found to 99% and more, see test/bench/README.md; 50 are wanted, so that of those
 * found an eighth has to pass the filter.
 */
const listMax = 400;

/** Null where this selection is better compared one by one. */
async function findGraph(db: Database, query: VectorQuery): Promise<GraphType | null> {
  const { project, space, size, limit } = query;
  if (limit > listMax) return null;
  const names = graphNames({ project_key: project.key, space_key: space });
  const { rows } = await sql<{ name: string; total: number }>`
    select relname as name, total_memories as total,
      set_config('hnsw.ef_search', ${String(listMax)}, true)
    from pg_class join pg_index on indexrelid = pg_class.oid and indisvalid
      cross join projects
    where relnamespace = 'mneme'::regnamespace and relname in (${names.halfvec}, ${names.vector})
      and projects.key = ${project.key}`.execute(db);
  const [found] = rows;
  if (found === undefined || size < found.total * shareMin) return null;
  return found.name === names.halfvec ? 'halfvec' : 'vector';
}

/**
 * What passes the filter among the nearest of the whole project: none that is nearer is missed but
 * what the graph misses. Null where too few pass. What the graph holds in half precision is
 * compared again as it is.
 */
async function byGraph(
  db: Database,
  { project, space, vector, where, limit }: VectorQuery,
  type: GraphType,
): Promise<Neighbour[] | null> {
  const text = textOf(vector);
  // As literals: the index is one of those vectors only of which the planner knows this.
  const [projectKey, spaceKey] = [sql.lit(project.key), sql.lit(space)];
  const asIndexed = sql.raw(`${type}(${vector.length})`);
  const { rows } = await sql<Neighbour>`
    with near as materialized (
      select position, vector <#> ${text}::vector as distance from vectors
      where project_key = ${projectKey} and space_key = ${spaceKey}
      order by (vector::${asIndexed}) <#> ${text}::${asIndexed}
      limit ${listMax})
    select memories.id, memories.position, -distance as similarity
    from near join memories on memories.project_key = ${projectKey}
      and memories.position = near.position
    where ${where}
    order by distance, memories.position
    limit ${limit}`.execute(db);
  return rows.length < limit ? null : rows.map(toNeighbour);
}

/**
 * Steps that the planner must not reorder: it knows little of how many rows two partitioned tables
 * have in common, and would sort all vectors before it looks whose they are. Few memories are
 * looked up first, by the index of their scope; many are joined in whatever way is best, by several
 * processes of the server where it has them.
 */
async function byComparing(
  db: Database,
  { project, space, vector, where, size, limit }: VectorQuery,
): Promise<Neighbour[]> {
  const first = sql.raw(size < searchedMin ? 'materialized' : 'not materialized');
  const { rows } = await sql<Neighbour>`
    with scope as ${first} (
      select memories.id, memories.position from memories
      where memories.project_key = ${project.key} and ${where}),
    near as materialized (
      select scope.id, scope.position, vector <#> ${textOf(vector)}::vector as distance
      from scope join vectors on vectors.position = scope.position
        and project_key = ${project.key} and space_key = ${space})
    select id, position, -distance as similarity from near
    order by distance, position
    limit ${limit}`.execute(db);
  return rows.map(toNeighbour);
}

function toNeighbour({ id, position, similarity }: Neighbour): Neighbour {
  return { id, position, similarity };
}

export function textOf(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
