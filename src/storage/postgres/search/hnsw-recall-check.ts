import type { ClientBase } from 'pg';
import { queueRole } from '../connection/row-security.ts';
import { inReadOnlyTransaction } from '../schema/migrate.ts';

/** The graph of a project: what it is made of, and how to ask it. */
export type HnswRecallTarget = {
  project_key: number;
  model_key: number;
  dimension: number;
  total_memories: number;
  type: 'halfvec' | 'vector';
};

const sampleQueriesMax = 30;
const recallK = 10;

/** Far more than sums of single precision differ by, and less than tells two texts apart. */
const distanceTolerance = 1e-6;

/**
 * How many candidates a search of a graph keeps in mind (`hnsw.ef_search`), which decides how many
 * of the nearest it finds, and takes its time. 1,000 is what pgvector allows.
 */
export function efSearchFor(total_memories: number): number {
  return Math.min(1_000, Math.max(400, Math.round(total_memories / 100)));
}

/**
 * Which share of the nearest 10 a search of the graph finds, over questions that are near vectors
 * of the project; 1 where there is none to ask. Vectors that have nothing in common, as those of no
 * texts are, can't be found by a graph whatever it is made with.
 */
export async function measureRecall(client: ClientBase, graph: HnswRecallTarget): Promise<number> {
  const ef = efSearchFor(graph.total_memories);
  // As the role that sees all projects: the owner of a table sees none.
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
  let found = 0;
  let wanted = 0;
  for (const question of questions) {
    const nearest = await findDistances(client, exactScanSql(graph), question);
    const answered = await findDistances(client, annSearchSql(graph), question);
    // Which of equal ones are answered is nothing to mind.
    const farthest = (nearest.at(-1) ?? 0) + distanceTolerance;
    wanted += nearest.length;
    found += answered.filter((distance) => distance <= farthest).length;
  }
  return wanted === 0 ? 1 : found / wanted;
}

/** Each of two parts of a vector and one of another, from all over the project; of any length. */
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

/** What is kept in half precision is compared again as it is. */
function annSearchSql(graph: HnswRecallTarget): string {
  const type = `${graph.type}(${graph.dimension})`;
  return `with near as materialized (
      select vector <#> $1::vector as distance from vectors where ${indexPredicateSql(graph)}
      order by (vector::${type}) <#> $1::${type} limit ${4 * recallK})
    select distance from near order by distance limit ${recallK}`;
}

/** As literals: the graph is one of those vectors only of which the planner knows this. */
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
