import type { Client } from 'pg';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import type { Invoke } from '../../src/contract.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import type { Embedder } from '../../src/core/ports/index.ts';
import { createQueryEmbedder } from '../../src/core/search/semantic/query-embedding.ts';
import { recallMin } from '../../src/storage/postgres/search/hnsw-index.ts';
import { owner } from '../support/engine.ts';
import type { Place } from '../support/place.ts';
import { type Asked, type ByHand, writtenByHand } from './compare-sql.ts';
import { sumOf } from './compare-stores.ts';
import { copyOf } from './growth-fill.ts';
import { depsOf } from './scale-operations.ts';
import { modelName } from './scale-store.ts';
import type { Sentence } from './sentences.ts';
import { mean, percentile, timed } from './statistics.ts';
import { milliseconds } from './table.ts';

/** Milliseconds of calls that were made in turns. */
type Times = { sql: number[]; server: number[]; file: number[] };

type Places = { client: Client; server: Place; file: Place | null };
type Questions = { sentences: readonly Sentence[]; parts: readonly Float32Array[] };

/** One row for each kind of search; the contenders take turns, so that noise meets all alike. */
export async function measureBeside(
  { client, server, file }: Places,
  { count, calls, ...material }: Questions & { count: number; calls: number },
): Promise<string[][]> {
  const { key } = server.project;
  const { key: model, dimension } = server.model;
  const questions = questionsOf(material, { count, calls: calls + warm });
  const few = questions.slice(0, 20).map((one) => ({ ...one, user_id: null }));
  const exact = (one: Asked) => exactOf(client, { key, model }, one);
  const byGraph = writtenByHand(client, { key, model, dimension, isExact: false });
  const nearest = async (one: Asked) =>
    (await byGraph.nearest(one)).map(({ position }) => Number(position));
  const ofGraph = await recallOf(few, nearest, exact);
  // Contenders that find less are quicker: where the graph does, the SQL compares all as well.
  const isExact = ofGraph < recallMin;
  const byHand = isExact ? writtenByHand(client, { key, model, dimension, isExact }) : byGraph;
  const onServer = searchesOf(server, questions);
  const onFile = file && searchesOf(file, questions);
  const rows: string[][] = [];
  for (const user of [true, false]) {
    const asked = questions.map((one) => (user ? one : { ...one, user_id: null }));
    for (const kind of ['words', 'nearest', 'both'] as const) {
      const times: Times = { sql: [], server: [], file: [] };
      for (const one of asked) {
        times.sql.push(await millisecondsOf(() => byHand[kind](one)));
        times.server.push(await millisecondsOf(() => onServer[kind](one)));
        if (onFile) times.file.push(await millisecondsOf(() => onFile[kind](one)));
      }
      rows.push(rowOf(`${user ? 'user' : 'project'}, ${names[kind]}`, times));
    }
  }
  const found = async (one: Asked) =>
    (await nearestOf(server, one, 10)).map(({ position }) => position);
  const compares = isExact ? 'so that the SQL compares all' : '';
  const shares = [ofGraph, await recallOf(few, found, exact)].map((share) => share.toFixed(3));
  rows.push(['project, of the nearest 10, by the graph and found', ...shares, compares, '']);
  return rows;
}

const names = { words: 'words', nearest: 'nearest 20', both: 'words and nearest' };

/** Calls of each kind that are not counted: Node has compiled the code of a server that runs. */
const warm = 40;

function rowOf(name: string, { sql, server, file }: Times): string[] {
  const shown = (all: readonly number[]) => {
    const ms = all.slice(warm);
    if (ms.length === 0) return '-';
    return `${milliseconds(percentile(ms, 50))} / ${milliseconds(percentile(ms, 95))}`;
  };
  const median = (ms: readonly number[]) => percentile(ms.slice(warm), 50);
  const times = (median(server) / median(sql)).toFixed(2);
  return [name, shown(sql), shown(server), times, shown(file)];
}

async function millisecondsOf(run: () => Promise<unknown>): Promise<number> {
  return (await timed(run)).ms;
}

/** Vectors near those of memories, and sentences of the kind that are stored. */
function questionsOf(
  { sentences, parts }: Questions,
  { count, calls }: { count: number; calls: number },
): Asked[] {
  return Array.from({ length: calls }, (_, call) => {
    const number = (call * stride) % count;
    const {
      user_id,
      original,
      parts: own,
    } = copyOf(number, {
      count,
      originals: sentences.length,
    });
    const noise = parts[1000 + call] ?? new Float32Array();
    const memory = sumOf(own.map((part) => parts[part] ?? new Float32Array()));
    return {
      question: sentences[original]?.question ?? '',
      vector: sumOf([memory, noise]),
      user_id,
    };
  });
}

/** A prime: steps of it reach every place of a store of another size. */
const stride = 7919;

type Searches = Record<keyof ByHand, (asked: Asked) => Promise<unknown>>;

/** The engine without a model and with one that answers at once; and the nearest alone. */
function searchesOf(place: Place, questions: readonly Asked[]): Searches {
  const { store, project } = place;
  const vectors = new Map(questions.map(({ question, vector }) => [question, vector]));
  const embedder: Embedder = {
    name: modelName,
    embed: async (texts) => texts.map((text) => vectors.get(text) ?? new Float32Array()),
    close: async () => {},
  };
  const deps = depsOf(store);
  const queryEmbedder = createQueryEmbedder(deps, { embedder, search_timeout_ms: 600_000 });
  const search = (invoke: Invoke) => async (asked: Asked) => {
    const { org_id, project_id } = project;
    const filters = { user_id: asked.user_id ?? '*' };
    const input = { query: asked.question, filters, org_id, project_id, top_k: 20 };
    const answer = await invoke('search_memories', input, { caller: owner });
    if (answer.results.length === 0) throw new Error('a search found nothing');
    return answer;
  };
  return {
    words: search(createInvoke(deps)),
    both: search(createInvoke({ ...deps, queryEmbedder })),
    nearest: async (asked) => {
      const found = await nearestOf(place, asked, 20);
      const positions = found.map(({ position }) => position);
      const candidates = await store.memories.listByPositions(project, positions);
      return store.memories.findMany(
        project,
        candidates.map(({ id }) => id),
      );
    },
  };
}

async function nearestOf({ store, project, model }: Place, asked: Asked, limit: number) {
  const { user_id, vector } = asked;
  const filter: Filter =
    user_id === null ? { all: [] } : { field: 'user_id', path: [], operator: 'eq', value: user_id };
  const selection = { filter, latest_only: false, not_expired_on: null, status: 'active' as const };
  const size = await store.memories.size(project, user_id === null ? {} : { user_id });
  const query = { model, vector, size, limit };
  return (await store.vectors.searchNearest(project, selection, query)).neighbours;
}

async function exactOf(
  client: Client,
  { key, model }: { key: number; model: number },
  { vector }: Asked,
): Promise<number[]> {
  const { rows } = await client.query<{ position: string }>(
    `select position from vectors where project_key = ${key} and model_key = ${model}
      order by vector <#> '[${vector.join(',')}]' limit 10`,
  );
  return rows.map(({ position }) => Number(position));
}

type Find = (asked: Asked) => Promise<number[]>;

async function recallOf(asked: readonly Asked[], find: Find, exact: Find): Promise<number> {
  const shares: number[] = [];
  for (const one of asked) {
    const found = new Set((await find(one)).slice(0, 10));
    shares.push((await exact(one)).filter((position) => found.has(position)).length / 10);
  }
  return mean(shares);
}
