import type { Client } from 'pg';
import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { chunks } from './fill-store.ts';
import { toMemory } from './large-store.ts';
import { modelName } from './scale-store.ts';
import { timed } from './statistics.ts';
import { clusteredVector } from './vectors.ts';

/** Memories of one user, and of one run. */
const ofUser = 1_000;
const ofRun = 50;
/** Vectors are near those of so many topics: each is one of them and two of the noises. */
const topics = 500;
const noises = 2_000;

type Parts = { store: Store; client: Client; dimension: number; texts: readonly string[] };

/** Memories that mneme wrote; all others are copies of them that the server makes. */
export type Originals = { model: EmbeddingModel; count: number };

/** Writes what is to be copied, into a project of its own, and what vectors are made of. */
export async function prepareOriginals({
  store,
  client,
  dimension,
  texts,
}: Parts): Promise<Originals> {
  const now = new Date().toISOString();
  await client.query('set search_path = mneme, public; set jit = off');
  const project = await store.ensureProject({ org_id: 'growth', project_id: 'originals' }, now);
  const scale = { unrelated: 0, related: 0.5, trust: 1 };
  const model = await store.vectors.openModel({ name: modelName, dimension, scale }, now);
  const originals = { model, count: texts.length };
  if (model.complete) return originals;
  const memories = texts.map((text, index) =>
    toMemory({ text, user_id: 'user', run_id: `run-${Math.floor(index / ofRun)}` }, index * 60_000),
  );
  for (const part of chunks(memories, batch)) {
    await store.transaction((tables) => tables.memories.insert(project, part));
  }
  await client.query(`
    create unlogged table bench_originals as
      select row_number() over (order by position) - 1 as number, memory, hash, terms,
        array(select lexeme from unnest(tokens) where lexeme not like '#%') as tokens
      from memories join memory_fts using (project_key, position)
      where project_key = ${project.key};
    create unlogged table bench_parts (number bigint primary key, vector vector);
    create unique index on bench_originals (number)`);
  await client.query(
    `insert into bench_parts select number - 1, vector::vector
      from unnest($1::text[]) with ordinality as part (vector, number)`,
    [partsOf(dimension).map((part) => `[${part.join(',')}]`)],
  );
  await client.query('analyze bench_originals; analyze bench_parts');
  await store.vectors.markModelComplete(model);
  return originals;
}

/** Memories of one transaction. */
const batch = 5_000;

/** What all vectors are sums of: a topic and two noises each. */
export function partsOf(dimension: number): Float32Array[] {
  return Array.from({ length: topics + noises }, (_, index) => clusteredVector(index, dimension));
}

/** Whose the copy with this number is, and what it is made of: as in the statements below. */
export function copyOf(number: number, { count, originals }: { count: number; originals: number }) {
  const run = Math.floor(number / ofRun);
  const far = Math.floor(number / noises) + number * 13;
  return {
    user_id: `user-${run % usersOf(count)}`,
    run_id: `run-${run}`,
    original: number % originals,
    categories: number % 3 === 0 ? ['work'] : [],
    parts: [number % topics, topics + ((number * 7) % noises), topics + (far % noises)] as const,
    created_at: firstMoment + number * 1000,
  };
}

const firstMoment = Date.parse('2025-01-01T00:00:00.000Z');

/** What a load wrote, and how many milliseconds each table took with all of its indexes. */
export type Loaded = { count: number; memories: number; words: number; vectors: number };

type Filling = {
  project: ProjectRef;
  originals: Originals;
  count: number;
  /** Vectors near no other, which are harder to find than those of texts. */
  isotropic?: boolean;
};

/**
 * Fills an empty project on the server, to which nothing is sent: as fast as tables and indexes
 * allow. Positions are a range that was taken, so that others may go on.
 */
export async function fillProject(
  client: Client,
  { project, originals, count, isotropic = false }: Filling,
): Promise<Loaded> {
  const { key } = project;
  const { rows } = await client.query<{ last: string }>(
    `select setval('memories_position', nextval('memories_position') + ${count}) as last`,
  );
  const first = Number(rows[0]?.last) - count;
  const made = `(select number, number / ${ofRun} as run,
      number / ${ofRun} % ${usersOf(count)} as owner, ${first} + number as position
    from generate_series(0, ${count - 1}) as number) as made`;
  await client.query(entitiesSql(key, count));
  const of = `number = made.number % ${originals.count}`;
  const model = originals.model.key;
  const memories = await timed(() => client.query(memoriesSql(key, made, of)));
  const words = await timed(() => client.query(wordsSql(key, made, of)));
  const { dimension } = originals.model;
  const vectorsOf = isotropic ? isotropicSql(dimension) : clusteredSql;
  const vectors = await timed(() =>
    client.query(`insert into vectors (project_key, position, model_key, vector)
      select ${key}, made.position, ${model}, l2_normalize${vectorsOf(made)}`),
  );
  return { count, memories: memories.ms, words: words.ms, vectors: vectors.ms };
}

/** Users take turns with runs: the memories of one lie all over the project. */
function usersOf(count: number): number {
  return Math.max(1, Math.round(count / ofUser));
}

/** The times of memories are a second apart. */
const moment = `to_char(timestamp '2025-01-01' + make_interval(secs => made.number),
  'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`;

function memoriesSql(key: number, made: string, of: string): string {
  return `insert into memories (project_key, position, id, user_id, run_id, run_position, memory, hash,
      metadata, categories, immutable, created_at, updated_at, role, terms, speaker_terms,
      status, source_class, pinned, recorded_from)
    select ${key}, made.position, gen_random_uuid(), 'user-' || made.owner, 'run-' || made.run,
      made.number % ${ofRun} + 1, memory, md5(hash || made.number) || md5(hash), '{}',
      case when made.number % 3 = 0 then '["work"]' else '[]' end, 0, ${moment}, ${moment},
      'user', terms, '', 'active', 'unknown', 0, ${moment}
    from ${made} join bench_originals as original on original.${of}`;
}

function wordsSql(key: number, made: string, of: string): string {
  return `insert into memory_fts (project_key, position, tokens)
    select ${key}, made.position,
      array_to_tsvector(tokens || array['#e' || owner.key, '#e' || run.key])
    from ${made} join bench_originals as original on original.${of}
      join entities as owner on owner.project_key = ${key} and owner.type = 'user'
        and owner.id = 'user-' || made.owner
      join entities as run on run.project_key = ${key} and run.type = 'run'
        and run.id = 'run-' || made.run`;
}

function clusteredSql(made: string): string {
  const part = (name: string, number: string) =>
    `join bench_parts as ${name} on ${name}.number = ${number}`;
  return `(topic.vector + one.vector + other.vector)
    from ${made} ${part('topic', `made.number % ${topics}`)}
      ${part('one', `${topics} + made.number * 7 % ${noises}`)}
      ${part('other', `${topics} + (made.number / ${noises} + made.number * 13) % ${noises}`)}`;
}

/** Read anew for each row, as it names the row. */
function isotropicSql(dimension: number): (made: string) => string {
  const values = `select random() - 0.5 from generate_series(1, ${dimension})
    where made.number is not null`;
  return (made) => `(array(${values})::vector) from ${made}`;
}

function entitiesSql(key: number, count: number): string {
  const columns = 'project_key, type, id, name, metadata, total_memories, created_at, updated_at';
  const entities = (type: string, many: number) => `
    insert into entities (${columns})
      select ${key}, '${type}', '${type}-' || made.number, '${type}-' || made.number, '{}',
        ${Math.round(count / many)}, ${moment}, ${moment}
      from generate_series(0, ${many - 1}) as made (number);
    insert into entity_totals (project_key, type, entities, memories)
      values (${key}, '${type}', ${many}, ${count});`;
  return `${entities('user', usersOf(count))} ${entities('run', Math.ceil(count / ofRun))}
    update projects set total_memories = ${count} where key = ${key}; analyze entities`;
}
