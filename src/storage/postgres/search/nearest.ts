import { sql } from 'kysely';
import type { NearestVectors, VectorNeighbour } from '../../../core/ports/index.ts';
import type { Database, VectorQuery } from '../../sql/dialect.ts';
import { fromJson } from '../../sql/json.ts';
import { topNeighbours } from '../../sql/top-neighbours.ts';
import { type HnswVectorType, hnswIndexNames, unusedComment } from './hnsw-index.ts';
import { efSearchFor } from './hnsw-recall-check.ts';

/** Nearest first: of a small selection by comparing all, else from the nearest of the project. */
export async function postgresNearest(db: Database, query: VectorQuery): Promise<NearestVectors> {
  if (query.size <= exactAllMax) return exactScanAll(db, query);
  const isFew = query.size < annMinRows || query.limit > annCandidatesMax;
  const project = isFew ? null : await planAnnSearch(db, query);
  const isMost = project !== null && query.size >= project.total * annMinSelectivity;
  const found = isMost ? await annSearch(db, query, project) : null;
  const neighbours = found ?? (await exactScan(db, query));
  const compared = new Map(neighbours.map(({ position, similarity }) => [position, similarity]));
  return { neighbours, compared };
}

/**
 * Of so many it is told how near all are: those that words find need not be compared again then.
 * It takes about 40 bytes for each.
 */
const exactAllMax = 3_000;

/** From so many memories on it is worth asking for a graph. */
const annMinRows = 10_000;

/** A selection of less than this share of a project finds too few of its own in the graph. */
const annMinSelectivity = 1 / 4;

/**
 * Neighbours that are asked for at most: of so many as many have to pass the filter as are wanted,
 * which are 50 mostly. Each is compared again in full precision.
 */
const annCandidatesMax = 1_000;

/** Without a graph all are compared for it, and the list costs little beside. */
const exactCandidatesMax = 400;

type AnnPlan = { total: number; index: HnswVectorType | null };

/**
 * How many memories the project has, and what its graph is made of; null where it has none that
 * finds enough, as a comment on it says.
 */
async function planAnnSearch(
  db: Database,
  { project, space }: VectorQuery,
): Promise<AnnPlan | null> {
  const names = hnswIndexNames({ project_key: project.key, model_key: space });
  const { rows } = await sql<{ total: number; graph: string | null }>`
    select total_memories as total, (
        select relname from pg_class join pg_index on indexrelid = pg_class.oid and indisvalid
        where relnamespace = 'mneme'::regnamespace
          and relname in (${names.halfvec}, ${names.vector})
          and coalesce(obj_description(pg_class.oid, 'pg_class'), '') not like ${`${unusedComment}%`}
        limit 1
      ) as graph
    from projects where key = ${project.key}`.execute(db);
  const [found] = rows;
  if (found === undefined) return null;
  const type = found.graph === names.halfvec ? 'halfvec' : 'vector';
  return { total: found.total, index: found.graph === null ? null : type };
}

/** Of few first: most filters let nearly all pass. Null where too few pass in the end. */
async function annSearch(
  db: Database,
  query: VectorQuery,
  { total, index }: AnnPlan,
): Promise<VectorNeighbour[] | null> {
  const most = index === null ? exactCandidatesMax : efSearchFor(total);
  if (query.limit > most) return null;
  if (index === null) return filterNearest(db, query, { graph: index, count: most });
  await sql`select set_config('hnsw.ef_search', ${String(most)}, true)`.execute(db);
  const few = Math.min(most, 2 * query.limit);
  const found = await filterNearest(db, query, { graph: index, count: few });
  return found ?? (few < most ? filterNearest(db, query, { graph: index, count: most }) : null);
}

/**
 * What passes the filter among the nearest of the whole project: none that is nearer is missed but
 * what the graph misses; without one, nothing. Null where too few pass. What the graph holds in
 * half precision is compared again as it is.
 */
async function filterNearest(
  db: Database,
  { project, space, vector, where, limit }: VectorQuery,
  { graph, count }: { graph: HnswVectorType | null; count: number },
): Promise<VectorNeighbour[] | null> {
  const text = vectorLiteral(vector);
  // As literals: the index is one of those vectors only of which the planner knows this.
  const [projectKey, spaceKey] = [sql.lit(project.key), sql.lit(space)];
  const asIndexed = sql.raw(graph === null ? 'vector' : `${graph}(${vector.length})`);
  const { rows } = await sql<VectorNeighbour>`
    with near as materialized (
      select position, vector <#> ${text}::vector as distance from vectors
      where project_key = ${projectKey} and model_key = ${spaceKey}
      order by (vector::${asIndexed}) <#> ${text}::${asIndexed}
      limit ${count})
    select memories.position, -distance as similarity
    from near join memories on memories.project_key = ${projectKey}
      and memories.position = near.position
    where ${where}
    order by distance, memories.position
    limit ${limit}`.execute(db);
  return rows.length < limit ? null : rows;
}

async function exactScan(db: Database, query: VectorQuery): Promise<VectorNeighbour[]> {
  const { rows } = await sql<VectorNeighbour>`
    with ${distancesSql(query)}
    select position, -distance as similarity from near
    order by distance, position
    limit ${query.limit}`.execute(db);
  return rows;
}

type SimilarityLists = { positions: string | null; similarities: string | null };

/** As two lists: a row for each would cost more than finding it. */
async function exactScanAll(db: Database, query: VectorQuery): Promise<NearestVectors> {
  const { rows } = await sql<SimilarityLists>`
    with ${distancesSql(query)}
    select json_agg(position)::text as positions, json_agg(-distance)::text as similarities
    from near`.execute(db);
  const positions = fromJson<number[]>(rows[0]?.positions ?? '[]');
  const similarities = fromJson<number[]>(rows[0]?.similarities ?? '[]');
  const compared = new Map(positions.map((one, index) => [one, similarities[index] ?? 0]));
  return { neighbours: topNeighbours(compared, query.limit), compared };
}

/**
 * Steps that the planner must not reorder: it knows little of how many rows two partitioned tables
 * have in common, and would sort all vectors before it looks whose they are. Few memories are
 * looked up first, by the index of their scope; many are joined in whatever way is best, by several
 * processes of the server where it has them.
 */
function distancesSql({ project, space, vector, where, size }: VectorQuery) {
  const first = sql.raw(size < annMinRows ? 'materialized' : 'not materialized');
  return sql`scope as ${first} (
      select memories.position from memories
      where memories.project_key = ${project.key} and ${where}),
    near as materialized (
      select scope.position, vector <#> ${vectorLiteral(vector)}::vector as distance
      from scope join vectors on vectors.position = scope.position
        and project_key = ${project.key} and model_key = ${space})`;
}

export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
