import type { ClientBase } from 'pg';
import { reading } from './postgres-migrate.ts';
import { queueRole } from './postgres-scope.ts';

/** The graph of a project: what it is made of, and how to ask it. */
export type MeasuredGraph = {
  project_key: number;
  space_key: number;
  dimension: number;
  total_memories: number;
  type: 'halfvec' | 'vector';
};

const questionsMax = 30;
const nearestCount = 10;

/** Far more than sums of single precision differ by, and less than tells two texts apart. */
const rounding = 1e-6;

/**
 * How many candidates a search of a graph keeps in mind (`hnsw.ef_search`), which decides how many
 * of the nearest it finds, and takes its time. 1,000 is what pgvector allows.
 */
export function searchWidth(total_memories: number): number {
  return Math.min(1_000, Math.max(400, Math.round(total_memories / 100)));
}

/**
 * Which share of the nearest 10 a search of the graph finds, over questions that are near vectors
 * of the project; 1 where there is none to ask. Vectors that have nothing in common, as those of no
 * texts are, can't be found by a graph whatever it is made with.
 */
export async function shareFound(client: ClientBase, graph: MeasuredGraph): Promise<number> {
  const ef = searchWidth(graph.total_memories);
  // As the role that sees all projects: the owner of a table sees none.
  const settings = [
    `set local role ${queueRole}`,
    `select set_config('hnsw.ef_search', '${ef}', true)`,
  ].join('; ');
  return reading(client, () => measureShare(client, graph), settings);
}

async function measureShare(client: ClientBase, graph: MeasuredGraph): Promise<number> {
  const questions = await questionsOf(client, graph);
  let found = 0;
  let wanted = 0;
  for (const question of questions) {
    const nearest = await distancesOf(client, exactSql(graph), question);
    const answered = await distancesOf(client, graphSql(graph), question);
    // Which of equal ones are answered is nothing to mind.
    const farthest = (nearest.at(-1) ?? 0) + rounding;
    wanted += nearest.length;
    found += answered.filter((distance) => distance <= farthest).length;
  }
  return wanted === 0 ? 1 : found / wanted;
}

/** Each of two parts of a vector and one of another, from all over the project; of any length. */
async function questionsOf(client: ClientBase, graph: MeasuredGraph): Promise<string[]> {
  const share = Math.min(1, (4 * questionsMax) / Math.max(1, graph.total_memories));
  const { rows } = await client.query<{ question: string }>(
    `with sample as materialized (
        select vector, row_number() over () as number from (
          select vector from vectors where ${placeSql(graph)} and random() < ${share}
          limit ${2 * questionsMax}) as one)
      select (one.vector + one.vector + other.vector)::text as question
      from sample as one join sample as other on other.number = one.number + 1
      where one.number % 2 = 1`,
  );
  return rows.map(({ question }) => question);
}

function exactSql(graph: MeasuredGraph): string {
  return `select vector <#> $1::vector as distance from vectors where ${placeSql(graph)}
    order by distance limit ${nearestCount}`;
}

/** What is kept in half precision is compared again as it is. */
function graphSql(graph: MeasuredGraph): string {
  const type = `${graph.type}(${graph.dimension})`;
  return `with near as materialized (
      select vector <#> $1::vector as distance from vectors where ${placeSql(graph)}
      order by (vector::${type}) <#> $1::${type} limit ${4 * nearestCount})
    select distance from near order by distance limit ${nearestCount}`;
}

/** As literals: the graph is one of those vectors only of which the planner knows this. */
function placeSql({ project_key, space_key }: MeasuredGraph): string {
  return `project_key = ${project_key} and space_key = ${space_key}`;
}

async function distancesOf(
  client: ClientBase,
  statement: string,
  question: string,
): Promise<number[]> {
  const { rows } = await client.query<{ distance: number }>(statement, [question]);
  return rows.map(({ distance }) => Number(distance));
}
