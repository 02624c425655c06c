import { sleep, within } from '../client/deadline.ts';
import { type FetchAnswer, readText } from '../client/fetch.ts';
import { isPassing, pauseOf, readRetryAfter } from '../client/retry.ts';
import type { Config } from '../config/options.ts';
import { ApiError } from '../contract/errors.ts';
import type { Embedder, Reranker } from '../core/ports/index.ts';
import type { Log } from '../log.ts';
import { createHttpEmbedder } from '../providers/models/http-embedder.ts';
import { createHttpReranker } from '../providers/models/http-reranker.ts';
import { createLocalEmbedder } from '../providers/models/local/local-embedder.ts';
import { createLocalReranker } from '../providers/models/local/local-reranker.ts';
import type { ModelAnswer, PostToModel } from '../providers/models/post.ts';
import { type ModelKind, modelKinds } from '../providers/models/refusal.ts';
import { type Connection, openConnection } from './connection.ts';
import { judging, localParts } from './local-models.ts';

type Given = {
  log: Log;
  /** Whether a local model may be fetched; else it can be used only where it is there already. */
  download?: boolean;
};

/** The embedding model that is configured; null where none is. */
export function openEmbedder(config: Config, given: Given): Embedder | null {
  const { embedder_url: url, embedder_model: model, embedder_dimensions: dimensions } = config;
  const prefixes = {
    question: config.embedder_query_prefix,
    memory: config.embedder_memory_prefix,
  };
  if (config.local_embedder !== null) {
    const { local_pooling: pooling } = config;
    const of = {
      task: 'embed',
      model: config.local_embedder,
      pooling,
      prefixes,
      dimensions,
    } as const;
    return createLocalEmbedder({ what: 'embedder', ...localParts(config, given, of) });
  }
  if (url === null) return null;
  const { embedder_api_key: api_key, embedder_timeout_ms: timeout_ms } = config;
  const connection = openConnection({ url, timeout_ms });
  const post = postTo({ what: 'embedder', url, api_key, timeout_ms, connection });
  return createHttpEmbedder({ post, close: connection.close, model, dimensions, prefixes });
}

/** The reranker that is configured; null where none is. */
export function openReranker(config: Config, given: Given): Reranker | null {
  const { reranker_url: url, reranker_model: model, reranker_api_key: api_key } = config;
  const { reranker_timeout_ms: timeout_ms } = config;
  if (config.local_reranker !== null) {
    const of = { ...judging, model: config.local_reranker };
    return createLocalReranker({ what: 'reranker', timeout_ms, ...localParts(config, given, of) });
  }
  if (url === null) return null;
  const connection = openConnection({ url, timeout_ms });
  const post = postTo({ what: 'reranker', url, api_key, timeout_ms, connection });
  return createHttpReranker({ post, close: connection.close, model });
}

type Server = {
  what: ModelKind;
  url: string;
  api_key: string | null;
  timeout_ms: number;
  connection: Connection;
  /** Longer answers are read no further, and count as none. */
  answer_max_bytes?: number;
  /** A pause that a server asks for beyond this is left to whoever asks again later. */
  pause_max_ms?: number;
};

const patience = { tries_max: 4, pause_ms: 500 };

const pauseMaxMs = 10_000;

/** 128 vectors of 16,384 numbers, as text. */
const vectorsMaxBytes = 64 * 1024 * 1024;

/** Posts to a model's server, patiently where nobody waits. */
export function postTo(server: Server): PostToModel {
  const { timeout_ms, pause_max_ms = pauseMaxMs } = server;
  return async (path, body, { patient, signal }) => {
    for (let tries = 1; ; tries += 1) {
      const { answer, pause_ms } = await within({ timeout_ms, now: Date.now }, signal, (deadline) =>
        attempt(server, { path, body, signal: deadline.signal, tries }),
      );
      const isLast = !patient || tries >= patience.tries_max || pause_ms > pause_max_ms;
      if ('status' in answer && (isLast || !isPassing(answer.status))) return answer;
      if (!('status' in answer) && isLast) throw answer;
      await sleep(pause_ms, signal ?? new AbortController().signal);
    }
  };
}

type Outcome = { answer: ModelAnswer | ApiError; pause_ms: number };
type Attempt = { path: string; body: unknown; signal: AbortSignal; tries: number };

async function attempt(server: Server, { path, body, signal, tries }: Attempt): Promise<Outcome> {
  const { what, url, api_key, connection, answer_max_bytes = vectorsMaxBytes } = server;
  const pause = (asked_ms: number | null) =>
    pauseOf(tries, patience, { asked_ms, random: Math.random });
  try {
    const answer = await connection.fetch(url.replace(/\/+$/, '') + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(api_key !== null && { Authorization: `Bearer ${api_key}` }),
      },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
    const asked_ms = readRetryAfter(answer.headers.get('retry-after'), Date.now());
    return { answer: await read(answer, answer_max_bytes), pause_ms: pause(asked_ms) };
  } catch (cause) {
    const message = `the ${modelKinds[what]} did not answer`;
    return { answer: new ApiError('unavailable', message, { cause }), pause_ms: pause(null) };
  }
}

async function read(answer: FetchAnswer, maxBytes: number): Promise<ModelAnswer> {
  const text = await readText(answer, maxBytes);
  return { status: answer.status, body: parsed(text ?? '') };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
