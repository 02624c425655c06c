import { sql } from 'kysely';
import type { Neighbour } from '../../core/ports.ts';
import type { Database, VectorQuery } from './dialect.ts';
import { type GraphType, graphNames } from './postgres-near-index.ts';

/** Nearest first: of a small selection by comparing all, else from the nearest of the project. */
export async function nearest(db: Database, query: VectorQuery): Promise<Neighbour[]> {
  const isFew = query.size < searchedMin || query.limit > listMax;
  const project = isFew ? null : await lookAt(db, query);
  const isMost = project !== null && query.size >= project.total * shareMin;
  return (isMost ? await ofNearest(db, query, project.graph) : null) ?? byComparing(db, query);
}

/** From so many memories on it is worth asking for a graph. */
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

type Look = { total: number; graph: GraphType | null };

/** How many memories the project has, and what its graph is made of; null where it has none. */
async function lookAt(db: Database, { project, space }: VectorQuery): Promise<Look | null> {
  const names = graphNames({ project_key: project.key, space_key: space });
  const { rows } = await sql<{ total: number; graph: string | null }>`
    select total_memories as total, set_config('hnsw.ef_search', ${String(listMax)}, true), (
        select relname from pg_class join pg_index on indexrelid = pg_class.oid and indisvalid
        where relnamespace = 'mneme'::regnamespace
          and relname in (${names.halfvec}, ${names.vector}) limit 1
      ) as graph
    from projects where key = ${project.key}`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const type = found.graph === names.halfvec ? 'halfvec' : 'vector';
  return { total: found.total, graph: found.graph === null ? null : type };
}

/**
 * What passes the filter among the nearest of the whole project: none that is nearer is missed but
 * what the graph misses; without one, nothing. Null where too few pass. What the graph holds in
 * half precision is compared again as it is.
 */
async function ofNearest(
  db: Database,
  { project, space, vector, where, limit }: VectorQuery,
  graph: GraphType | null,
): Promise<Neighbour[] | null> {
  const text = textOf(vector);
  // As literals: the index is one of those vectors only of which the planner knows this.
  const [projectKey, spaceKey] = [sql.lit(project.key), sql.lit(space)];
  const asIndexed = sql.raw(graph === null ? 'vector' : `${graph}(${vector.length})`);
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
