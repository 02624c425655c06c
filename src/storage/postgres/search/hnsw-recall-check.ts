import type { ClientBase } from 'pg';
import { queueRole } from '../connection/row-security.ts';
import { inReadOnlyTransaction } from '../schema/migrate.ts';

/** The index of a project: its contents, and how to search it. */
export type HnswRecallTarget = {
  project_key: number;
  model_key: number;
  dimension: number;
  total_memories: number;
  type: 'halfvec' | 'vector';
};

const sampleQueriesMax = 30;
const recallK = 10;

/** Far more than rounding errors of single precision, and less than the distance of two texts. */
const distanceTolerance = 1e-6;

/**
 * The number of candidates that an index search tracks (`hnsw.ef_search`): more find more of the
 * nearest, and take longer. pgvector allows at most 1,000.
 */
export function efSearchFor(total_memories: number): number {
  return Math.min(1_000, Math.max(400, Math.round(total_memories / 100)));
}

/**
 * The share of the nearest 10 that the index finds, for queries near vectors of the project; 1
 * without any. No index can find random vectors, whatever its parameters.
 */
export async function measureRecall(client: ClientBase, graph: HnswRecallTarget): Promise<number> {
  const ef = efSearchFor(graph.total_memories);
  // The owner of a table sees no project, the queue's role sees all.
  const settings = [
    `set local role ${queueRole}`,
    `select set_config('hnsw.ef_search', '${ef}', true)`,
  ].join('; ');
  return inReadOnlyTransaction(client, () => measureRecallOfSamples(client, graph), settings);
}

async function measureRecallOfSamples(
  client: ClientBase,
  graph: HnswRecallTarget,
): Promise<number> {
  const questions = await sampleQueries(client, graph);
  let hits = 0;
  let neighbours = 0;
  for (const question of questions) {
    const nearest = await findDistances(client, exactScanSql(graph), question);
    const answered = await findDistances(client, annSearchSql(graph), question);
    // Any of several equally near vectors counts.
    const farthest = (nearest.at(-1) ?? 0) + distanceTolerance;
    neighbours += nearest.length;
    hits += answered.filter((distance) => distance <= farthest).length;
  }
  return neighbours === 0 ? 1 : hits / neighbours;
}

/**
 * Each combines two parts of a vector and one of another, of any length, from across the project.
 */
async function sampleQueries(client: ClientBase, graph: HnswRecallTarget): Promise<string[]> {
  const share = Math.min(1, (4 * sampleQueriesMax) / Math.max(1, graph.total_memories));
  const { rows } = await client.query<{ question: string }>(
    `with sample as materialized (
        select vector, row_number() over () as number from (
          select vector from vectors where ${indexPredicateSql(graph)} and random() < ${share}
          limit ${2 * sampleQueriesMax}) as one)
      select (one.vector + one.vector + other.vector)::text as question
      from sample as one join sample as other on other.number = one.number + 1
      where one.number % 2 = 1`,
  );
  return rows.map(({ question }) => question);
}

function exactScanSql(graph: HnswRecallTarget): string {
  return `select vector <#> $1::vector as distance from vectors where ${indexPredicateSql(graph)}
    order by distance limit ${recallK}`;
}

/** Vectors in half precision are compared again in full precision. */
function annSearchSql(graph: HnswRecallTarget): string {
  const type = `${graph.type}(${graph.dimension})`;
  return `with near as materialized (
      select vector <#> $1::vector as distance from vectors where ${indexPredicateSql(graph)}
      order by (vector::${type}) <#> $1::${type} limit ${4 * recallK})
    select distance from near order by distance limit ${recallK}`;
}

/** As literals, so that the planner knows that the partial index applies. */
function indexPredicateSql({ project_key, model_key }: HnswRecallTarget): string {
  return `project_key = ${project_key} and model_key = ${model_key}`;
}

async function findDistances(
  client: ClientBase,
  statement: string,
  question: string,
): Promise<number[]> {
  const { rows } = await client.query<{ distance: number }>(statement, [question]);
  return rows.map(({ distance }) => Number(distance));
}
