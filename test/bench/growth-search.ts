import type { Client } from 'pg';
import { createInvoke } from '../../src/core/invoke.ts';
import type { Embedder, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { createQueryEmbedder } from '../../src/core/search/semantic/query-embedding.ts';
import { owner } from '../support/engine.ts';
import { depsOf } from './scale-operations.ts';
import { modelName } from './scale-store.ts';
import { makeSentences } from './sentences.ts';
import { mean, percentile, timed } from './statistics.ts';
import { milliseconds } from './table.ts';

type Parts = { store: Store; client: Client; calls: number; dimension: number };
type Asked = { question: string; vector: Float32Array; text: string };

/** Searches of a user of the project and of all of it, and the vectors alone by plain SQL. */
export async function measureSearches(
  { key, ...project }: ProjectRef,
  { store, client, calls, dimension }: Parts,
): Promise<string[][]> {
  const asked = await questionsOf(client, key, calls);
  const vectors = new Map(asked.map(({ question, vector }) => [question, vector]));
  const embedder: Embedder = {
    name: modelName,
    embed: async (texts) => texts.map((text) => vectors.get(text) ?? new Float32Array(dimension)),
    close: async () => {},
  };
  const deps = depsOf(store);
  const queryEmbedder = createQueryEmbedder(deps, { embedder, search_timeout_ms: 600_000 });
  const byBoth = createInvoke({ ...deps, queryEmbedder });
  const byWords = createInvoke(deps);
  const { org_id, project_id } = project;
  const search = (invoke: typeof byBoth, user: string) => async (one: Asked) => {
    const input = { query: one.question, filters: { user_id: user }, org_id, project_id };
    await invoke('search_memories', input, { caller: owner });
  };
  const nearest = async ({ text }: Asked) => {
    await client.query(
      `select position from vectors where project_key = ${key}
        order by vector <#> '${text}' limit 50`,
    );
  };
  const found = (limit: number) => async (one: Asked) => {
    const selection = {
      filter: { all: [] },
      latest_only: false,
      not_expired_on: null,
      status: 'active' as const,
    };
    const model = await store.vectors.findModel(modelName);
    if (model === null) throw new Error('the embedding model is missing');
    const ref = { key, ...project };
    const query = { model, vector: one.vector, size: limit, limit: 50 };
    return (await store.vectors.searchNearest(ref, selection, query)).neighbours;
  };
  const times = async (name: string, run: (one: Asked) => Promise<unknown>) => {
    const ms: number[] = [];
    for (const one of asked) ms.push((await timed(() => run(one))).ms);
    return [name, `${milliseconds(percentile(ms, 50))} / ${milliseconds(percentile(ms, 95))}`];
  };
  return [
    await times('user, words', search(byWords, 'user-0')),
    await times('user, with vectors', search(byBoth, 'user-0')),
    await times('project, words', search(byWords, '*')),
    await times('project, with vectors', search(byBoth, '*')),
    await times('nearest 50 of the project, by mneme', found(Number.MAX_SAFE_INTEGER)),
    await times('nearest 50 of the project, by SQL that compares all', nearest),
    [
      'of the nearest 10, found',
      await recallOf({ asked, client, key }, found(Number.MAX_SAFE_INTEGER)),
    ],
  ];
}

/** Vectors near those of memories, and sentences of the kind that are stored. */
async function questionsOf(client: Client, key: number, calls: number): Promise<Asked[]> {
  const { rows } = await client.query<{ vector: string }>(
    `select l2_normalize(one.vector + part.vector)::text as vector
      from (select vector, row_number() over () as number from vectors
        where project_key = $1 limit $2) as one
      join bench_parts as part on part.number = 1000 + one.number`,
    [key, calls + 1],
  );
  const sentences = makeSentences(rows.length, 2);
  return rows.map(({ vector: text }, index) => ({
    question: sentences[index]?.question ?? '',
    vector: Float32Array.from(JSON.parse(text) as number[]),
    text,
  }));
}

type Recall = { asked: readonly Asked[]; client: Client; key: number };

async function recallOf(
  { asked, client, key }: Recall,
  find: (one: Asked) => Promise<readonly { position: number }[]>,
): Promise<string> {
  const shares: number[] = [];
  for (const one of asked.slice(0, 20)) {
    const { rows } = await client.query<{ position: string }>(
      `select position from vectors where project_key = ${key}
        order by vector <#> '${one.text}' limit 10`,
    );
    const found = new Set((await find(one)).slice(0, 10).map(({ position }) => position));
    shares.push(rows.filter(({ position }) => found.has(Number(position))).length / 10);
  }
  return mean(shares).toFixed(3);
}
