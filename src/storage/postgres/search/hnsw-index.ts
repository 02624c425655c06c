import type { ClientBase } from 'pg';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { Logger } from '../../../core/ports/index.ts';
import { type ClientFactory, isBehindPooler } from '../connection/pooler.ts';
import { hnswIndexLock, queueRole, schemaName, searchPath } from '../connection/row-security.ts';
import { hasTable, inReadOnlyTransaction } from '../schema/migrate.ts';
import { type HnswRecallTarget, measureRecall } from './hnsw-recall-check.ts';

/** The precision of an index: half, if pgvector has it (0.7). */
export type HnswVectorType = 'halfvec' | 'vector';

/** An HNSW index holds the vectors of one project and one model. */
type HnswIndexKey = { project_key: number; model_key: number };

/** The name tells a search whether there is an index, and of which type. */
export function hnswIndexNames({
  project_key,
  model_key,
}: HnswIndexKey): Record<HnswVectorType, string> {
  const suffix = `${project_key}_${model_key}`;
  return { halfvec: `vectors_half_${suffix}`, vector: `vectors_full_${suffix}` };
}

const hnswIndexNamePattern = /^vectors_(half|full)_(\d+)_(\d+)$/;

/**
 * A project gets an index at this size, and keeps it down to half of it. An index covers one
 * project, because searching under a filter would lose results; and one model, because its vectors
 * must have one length.
 */
const indexedMemoriesMin = 20_000;

/** For the largest projects only: each write of a vector opens all indexes of its partition. */
const indexesMax = 1_000;

/** The most dimensions that pgvector can index. */
const dimensionMax: Record<HnswVectorType, number> = { halfvec: 4_000, vector: 2_000 };

/**
 * An index with a lower recall is not used: all vectors are compared instead. It is kept, so that
 * it is not built again. The recall is a comment on it.
 */
export const recallMin = 0.95;

/** How the comment on an unused index begins. */
export const unusedComment = 'not searched';

/** A project that has grown by this factor is measured again. */
const remeasureGrowth = 2;

/** `another` tells poolers from proxies. */
export type HnswIndexOptions = {
  log: Logger;
  minMemories?: number;
  minRecall?: number;
  createClient?: ClientFactory;
};
type HnswIndexChanges = { made: number; dropped: number };

/**
 * Builds missing indexes and drops unneeded ones while others work. This may take long: the client
 * does nothing else, and the server cancels the work when the client is gone. Does nothing if
 * another process is building, or if the user does not own the tables.
 */
export async function maintainHnswIndexes(
  client: ClientBase,
  { log, minMemories = indexedMemoriesMin, minRecall = recallMin, createClient }: HnswIndexOptions,
): Promise<HnswIndexChanges> {
  if (await isBehindPooler(client, createClient))
    return warnOfPooler(client, { log, min: minMemories });
  await client.query(`set statement_timeout = 0; set lock_timeout = 0; set jit = off;
    set search_path = ${searchPath}`);
  if (!(await tryMaintenanceLock(client))) return { made: 0, dropped: 0 };
  try {
    return await reconcileIndexes(client, { log, minMemories, minRecall });
  } finally {
    await client.query(`select pg_advisory_unlock(${hnswIndexLock})`);
  }
}

/** Through a pooler, neither settings nor the lock would stay with the client. */
async function warnOfPooler(
  client: ClientBase,
  { log, min }: { log: Logger; min: number },
): Promise<HnswIndexChanges> {
  if (await hasTable(client, 'vectors')) {
    const [graphs, plans] = [await findHnswIndexes(client), await findWantedIndexes(client, min)];
    const type = await findVectorType(client);
    const { length: projects } = supportedIndexes(missingIndexes(plans, { graphs, min }), type);
    if (projects > 0)
      log('warn', 'vector indexes not built: connected through a pooler', { projects });
  }
  return { made: 0, dropped: 0 };
}

async function tryMaintenanceLock(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ may: boolean }>(
    `select case when pg_has_role(relowner, 'usage') then pg_try_advisory_lock(${hnswIndexLock})
        else false end as may
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = '${schemaName}' and relname = 'vectors'`,
  );
  return rows[0]?.may ?? false;
}

async function reconcileIndexes(
  client: ClientBase,
  { log, minMemories, minRecall }: Required<StrictOmit<HnswIndexOptions, 'createClient'>>,
): Promise<HnswIndexChanges> {
  const [graphs, plans] = [
    await findHnswIndexes(client),
    await findWantedIndexes(client, Math.ceil(minMemories / 2)),
  ];
  const planKeys = new Set(plans.map(indexKeyOf));
  const surplus = graphs.filter((graph) => !graph.is_valid || !planKeys.has(indexKeyOf(graph)));
  for (const { name } of surplus) await client.query(`drop index concurrently if exists ${name}`);
  const left = graphs.filter((graph) => !surplus.includes(graph));
  const missing = missingIndexes(plans, { graphs: left, min: minMemories });
  const type = await findVectorType(client);
  if (type === null) return { made: 0, dropped: surplus.length };
  const possible = supportedIndexes(missing, type);
  for (const one of possible) await createHnswIndex(client, { ...one, type, log });
  await measureIndexes(client, plans, { log, minRecall });
  return { made: possible.length, dropped: surplus.length };
}

function supportedIndexes(
  missing: readonly WantedHnswIndex[],
  type: HnswVectorType | null,
): WantedHnswIndex[] {
  if (type === null) return [];
  return missing.filter(({ dimension }) => dimension <= dimensionMax[type]);
}

function missingIndexes(
  plans: readonly WantedHnswIndex[],
  { graphs, min }: { graphs: readonly HnswIndex[]; min: number },
): WantedHnswIndex[] {
  const there = new Set(graphs.map(indexKeyOf));
  return plans.filter((one) => {
    return one.is_complete && one.total_memories >= min && !there.has(indexKeyOf(one));
  });
}

/** Includes those whose creator stopped before it measured them. */
async function measureIndexes(
  client: ClientBase,
  plans: readonly WantedHnswIndex[],
  options: Pick<Required<HnswIndexOptions>, 'log' | 'minRecall'>,
): Promise<void> {
  const projects = new Map(plans.map((one) => [indexKeyOf(one), one]));
  for (const graph of await findHnswIndexes(client)) {
    const project = projects.get(indexKeyOf(graph));
    if (project === undefined || !graph.is_valid) continue;
    const { total_memories, dimension } = project;
    if (total_memories < remeasureGrowth * memoriesWhenMeasured(graph)) continue;
    await measureIndex(client, { ...graph, total_memories, dimension }, options);
  }
}

/** How many memories the index had when it was measured; 0 if it was not. */
function memoriesWhenMeasured({ comment }: HnswIndex): number {
  return Number(/ of (\d+) memories$/.exec(comment ?? '')?.[1] ?? 0);
}

function indexKeyOf({ project_key, model_key }: HnswIndexKey): string {
  return `${project_key} ${model_key}`;
}

type HnswIndex = HnswIndexKey & {
  name: string;
  type: HnswVectorType;
  is_valid: boolean;
  comment: string | null;
};

async function findHnswIndexes(client: ClientBase): Promise<HnswIndex[]> {
  const { rows } = await client.query<Pick<HnswIndex, 'name' | 'is_valid' | 'comment'>>(
    `select relname as name, indisvalid as is_valid,
        obj_description(pg_class.oid, 'pg_class') as comment
      from pg_class join pg_index on indexrelid = pg_class.oid
      where relnamespace = $1::regnamespace and relname like 'vectors!_%' escape '!'`,
    [schemaName],
  );
  return rows.flatMap((row) => {
    const [, precision, project_key, model_key] = hnswIndexNamePattern.exec(row.name) ?? [];
    if (project_key === undefined) return [];
    const type = precision === 'half' ? 'halfvec' : 'vector';
    return { ...row, type, project_key: Number(project_key), model_key: Number(model_key) };
  });
}

type WantedHnswIndex = HnswIndexKey & {
  total_memories: number;
  dimension: number;
  /** All memories are embedded: before that, the index would slow writes down. */
  is_complete: boolean;
  /** The partition of the vectors; a partitioned index cannot be built concurrently. */
  table: string;
};

/** Largest first. Uses the role that sees all projects, because the owner of a table sees none. */
async function findWantedIndexes(client: ClientBase, min: number): Promise<WantedHnswIndex[]> {
  const find = () =>
    client.query<WantedHnswIndex>(
      `select project.key as project_key, model.key as model_key, total_memories, dimension,
          model.is_complete = 1 as is_complete, "table"
        from (
            select key, total_memories from projects where total_memories >= $1
            order by total_memories desc limit $2
          ) as project
          cross join embedding_models as model
          cross join lateral (
            select tableoid::regclass::text as "table" from vectors
            where project_key = project.key and model_key = model.key limit 1
          ) as part
        order by total_memories desc`,
      [min, indexesMax],
    );
  const settings = `set local role ${queueRole}; set local search_path = ${searchPath}`;
  return (await inReadOnlyTransaction(client, find, settings)).rows;
}

/** Detected, not derived from the version; null before pgvector had HNSW (0.5). */
async function findVectorType(client: ClientBase): Promise<HnswVectorType | null> {
  const { rows } = await client.query<{ graphs: boolean; halves: boolean }>(
    `select ${hasHnswSql} as graphs, to_regtype('halfvec') is not null as halves`,
  );
  if (!rows[0]?.graphs) return null;
  return rows[0].halves ? 'halfvec' : 'vector';
}

export const hasHnswSql = `exists (select from pg_am where amname = 'hnsw')`;

type HnswIndexBuild = WantedHnswIndex & { type: HnswVectorType; log: Logger };

/**
 * With 64, the default of `ef_construction`, it found 92 of the nearest 100 hard vectors, see
 * test/bench/README.md. An interrupted build leaves an invalid index, which the next run drops.
 */
async function createHnswIndex(
  client: ClientBase,
  { log, ...index }: HnswIndexBuild,
): Promise<void> {
  const { type, project_key, model_key, dimension, table, total_memories } = index;
  const began = performance.now();
  const name = hnswIndexNames(index)[type];
  await client.query(
    `create index concurrently ${name} on ${table}
      using hnsw ((vector::${type}(${dimension})) ${type}_ip_ops)
      with (ef_construction = 128)
      where project_key = ${project_key} and model_key = ${model_key}`,
  );
  const seconds = Math.round((performance.now() - began) / 1000);
  log('info', 'vector index built', { project_key, memories: total_memories, seconds });
}

/** Searches read the comment, see `nearest.ts`; an index without one is used. */
async function measureIndex(
  client: ClientBase,
  graph: HnswRecallTarget & { name: string },
  { log, minRecall }: Pick<Required<HnswIndexOptions>, 'log' | 'minRecall'>,
): Promise<void> {
  const { name, project_key, total_memories } = graph;
  const recall = await measureRecall(client, graph);
  const used = recall >= minRecall;
  const comment = `${used ? 'searched' : unusedComment}: finds ${recall.toFixed(3)} of the nearest`;
  await client.query(`comment on index ${name} is '${comment} of ${total_memories} memories'`);
  const about = { project_key, memories: total_memories, found: recall, used };
  log(used ? 'info' : 'warn', 'vector index recall measured', about);
}
