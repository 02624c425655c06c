import { sql } from 'kysely';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { NearestVectors, VectorNeighbour } from '../../../core/ports/index.ts';
import type { Database, SqlCondition, VectorQuery } from '../../sql/dialect.ts';
import { fromJson } from '../../sql/json.ts';
import { topNeighbours } from '../../sql/top-neighbours.ts';
import { type HnswVectorType, hnswIndexNames, unusedComment } from './hnsw-index.ts';
import { efSearchFor } from './hnsw-recall-check.ts';

/** Memories of a project are selected by a condition. */
type NearestQuery = StrictOmit<VectorQuery, 'selection'> & { where: SqlCondition };

/** Nearest first: compares all of a small selection, or else searches the project's index. */
export async function postgresNearest(db: Database, query: NearestQuery): Promise<NearestVectors> {
  if (query.size <= exactAllMax) return exactScanAll(db, query);
  const isFew = query.size < annMinRows || query.limit > annCandidatesMax;
  const project = isFew ? null : await planAnnSearch(db, query);
  const isMost = project !== null && query.size >= project.total * annMinSelectivity;
  const nearest = isMost ? await annSearch(db, query, project) : null;
  const neighbours = nearest ?? (await exactScan(db, query));
  const compared = new Map(neighbours.map(({ position, similarity }) => [position, similarity]));
  return { neighbours, compared };
}

/**
 * Up to this size all distances are returned, so that keyword matches need no second comparison. It
 * takes about 40 bytes for each.
 */
const exactAllMax = 3_000;

/** The smallest project in which to look for an index. */
const annMinRows = 10_000;

/** In a smaller share of a project, too few neighbours from the index pass the filter. */
const annMinSelectivity = 1 / 4;

/**
 * The most neighbours to request. As many as are wanted, mostly 50, must pass the filter. Each is
 * compared again in full precision.
 */
const annCandidatesMax = 1_000;

/** Without an index all vectors are compared anyway, and a longer list costs little. */
const exactCandidatesMax = 400;

type AnnPlan = { total: number; index: HnswVectorType | null };

/**
 * The size of the project and the type of its index; null without an index of sufficient recall,
 * according to its comment.
 */
async function planAnnSearch(
  db: Database,
  { project, model_key }: NearestQuery,
): Promise<AnnPlan | null> {
  const names = hnswIndexNames({ project_key: project.key, model_key });
  const { rows } = await sql<{ total: number; graph: string | null }>`
    select total_memories as total, (
        select relname from pg_class join pg_index on indexrelid = pg_class.oid and indisvalid
        where relnamespace = 'mneme'::regnamespace
          and relname in (${names.halfvec}, ${names.vector})
          and coalesce(obj_description(pg_class.oid, 'pg_class'), '') not like ${`${unusedComment}%`}
        limit 1
      ) as graph
    from projects where key = ${project.key}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const type = row.graph === names.halfvec ? 'halfvec' : 'vector';
  return { total: row.total, index: row.graph === null ? null : type };
}

/** Starts with few neighbours, because most filters pass nearly all. Null if too few pass. */
async function annSearch(
  db: Database,
  query: NearestQuery,
  { total, index }: AnnPlan,
): Promise<VectorNeighbour[] | null> {
  const candidatesMax = index === null ? exactCandidatesMax : efSearchFor(total);
  if (query.limit > candidatesMax) return null;
  if (index === null) return filterNearest(db, query, { graph: index, count: candidatesMax });
  await sql`select set_config('hnsw.ef_search', ${String(candidatesMax)}, true)`.execute(db);
  const few = Math.min(candidatesMax, 2 * query.limit);
  const neighbours = await filterNearest(db, query, { graph: index, count: few });
  return (
    neighbours ??
    (few < candidatesMax ? filterNearest(db, query, { graph: index, count: candidatesMax }) : null)
  );
}

/**
 * The matches among the nearest neighbours of the project, as complete as the index; none without
 * an index. Null if too few pass. Neighbours in half precision are compared again in full
 * precision.
 */
async function filterNearest(
  db: Database,
  { project, model_key, vector, where, limit }: NearestQuery,
  { graph, count }: { graph: HnswVectorType | null; count: number },
): Promise<VectorNeighbour[] | null> {
  const text = vectorLiteral(vector);
  // As literals, so that the planner knows that the partial index applies.
  const [projectKey, modelKey] = [sql.lit(project.key), sql.lit(model_key)];
  const asIndexed = sql.raw(graph === null ? 'vector' : `${graph}(${vector.length})`);
  const { rows } = await sql<VectorNeighbour>`
    with near as materialized (
      select position, vector <#> ${text}::vector as distance from vectors
      where project_key = ${projectKey} and model_key = ${modelKey}
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

async function exactScan(db: Database, query: NearestQuery): Promise<VectorNeighbour[]> {
  const { rows } = await sql<VectorNeighbour>`
    with ${distancesSql(query)}
    select position, -distance as similarity from near
    order by distance, position
    limit ${query.limit}`.execute(db);
  return rows;
}

type SimilarityLists = { positions: string | null; similarities: string | null };

/** Returned as two lists: a row for each would cost more than the comparison. */
async function exactScanAll(db: Database, query: NearestQuery): Promise<NearestVectors> {
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
 * Steps that the planner must not reorder: it misjudges joins of two partitioned tables, and would
 * sort all vectors before it checks whose they are. A few memories are first looked up in the index
 * of their scope; many are joined in the way the planner prefers, possibly in parallel.
 */
function distancesSql({ project, model_key, vector, where, size }: NearestQuery) {
  const first = sql.raw(size < annMinRows ? 'materialized' : 'not materialized');
  return sql`scope as ${first} (
      select memories.position from memories
      where memories.project_key = ${project.key} and ${where}),
    near as materialized (
      select scope.position, vector <#> ${vectorLiteral(vector)}::vector as distance
      from scope join vectors on vectors.position = scope.position
        and project_key = ${project.key} and model_key = ${model_key})`;
}

export function vectorLiteral(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
