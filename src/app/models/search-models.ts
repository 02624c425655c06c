import { sleep, withDeadline } from '../../client/deadline.ts';
import { type FetchResponse, readBodyText } from '../../client/fetch.ts';
import { isTransientStatus, parseRetryAfter, retryDelay } from '../../client/retry.ts';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { tryParseJson } from '../../contract/schemas/json.ts';
import type { Embedder, Reranker } from '../../core/ports/index.ts';
import type { Log } from '../../log.ts';
import { createHttpEmbedder } from '../../providers/models/http-embedder.ts';
import { createHttpReranker } from '../../providers/models/http-reranker.ts';
import { createLocalEmbedder } from '../../providers/models/local/local-embedder.ts';
import { createLocalReranker } from '../../providers/models/local/local-reranker.ts';
import { type ModelKind, modelKindNames } from '../../providers/models/model-server.ts';
import type { ModelResponse, PostToModel } from '../../providers/models/post.ts';
import { type HttpPool, openHttpPool } from '../http-pool.ts';
import { localModelOptions, rerankerSpec } from './local-model-options.ts';

type SearchModelContext = {
  log: Log;
  /** Whether a local model may be downloaded; otherwise it must be on disk already. */
  download?: boolean;
};

/** The configured embedding model, or null. */
export function openEmbedder(config: Config, given: SearchModelContext): Embedder | null {
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
    return createLocalEmbedder({ kind: 'embedder', ...localModelOptions(config, given, of) });
  }
  if (url === null) return null;
  const { embedder_api_key: api_key, embedder_timeout_ms: timeout_ms } = config;
  const connection = openHttpPool({ url, timeout_ms });
  const post = createModelPost({ kind: 'embedder', url, api_key, timeout_ms, connection });
  return createHttpEmbedder({ post, close: connection.close, model, dimensions, prefixes });
}

/** The configured reranker, or null. */
export function openReranker(config: Config, given: SearchModelContext): Reranker | null {
  const { reranker_url: url, reranker_model: model, reranker_api_key: api_key } = config;
  const { reranker_timeout_ms: timeout_ms } = config;
  if (config.local_reranker !== null) {
    const of = { ...rerankerSpec, model: config.local_reranker };
    return createLocalReranker({
      kind: 'reranker',
      timeout_ms,
      ...localModelOptions(config, given, of),
    });
  }
  if (url === null) return null;
  const connection = openHttpPool({ url, timeout_ms });
  const post = createModelPost({ kind: 'reranker', url, api_key, timeout_ms, connection });
  return createHttpReranker({ post, close: connection.close, model });
}

type ModelServer = {
  kind: ModelKind;
  url: string;
  api_key: string | null;
  timeout_ms: number;
  connection: HttpPool;
  /** Longer responses are cut off and count as failed. */
  answer_max_bytes?: number;
  /** If a server asks for a longer pause, the request is not retried. */
  pause_max_ms?: number;
};

const modelRetryPolicy = { tries_max: 4, pause_ms: 500 };

const retryDelayMaxMs = 10_000;

/** 128 vectors of 16,384 numbers, as text. */
const responseMaxBytes = 64 * 1024 * 1024;

/** Posts to a model's server; with `retry`, transient failures are retried. */
export function createModelPost(server: ModelServer): PostToModel {
  const { timeout_ms, pause_max_ms = retryDelayMaxMs } = server;
  return async (path, body, { retry, signal }) => {
    for (let tries = 1; ; tries += 1) {
      const { answer, pause_ms } = await withDeadline(
        { timeout_ms, now: Date.now },
        signal,
        (deadline) => postOnce(server, { path, body, signal: deadline.signal, tries }),
      );
      const isLast = !retry || tries >= modelRetryPolicy.tries_max || pause_ms > pause_max_ms;
      if ('status' in answer && (isLast || !isTransientStatus(answer.status))) return answer;
      if (!('status' in answer) && isLast) throw answer;
      await sleep(pause_ms, signal ?? new AbortController().signal);
    }
  };
}

type PostOutcome = { answer: ModelResponse | ApiError; pause_ms: number };
type PostAttempt = { path: string; body: unknown; signal: AbortSignal; tries: number };

async function postOnce(
  server: ModelServer,
  { path, body, signal, tries }: PostAttempt,
): Promise<PostOutcome> {
  const { kind, url, api_key, connection, answer_max_bytes = responseMaxBytes } = server;
  const pause = (asked_ms: number | null) =>
    retryDelay(tries, modelRetryPolicy, { asked_ms, random: Math.random });
  try {
    const answer = await connection.fetch(url.replace(/(?<!\/)\/+$/, '') + path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(api_key !== null && { Authorization: `Bearer ${api_key}` }),
      },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal,
    });
    const asked_ms = parseRetryAfter(answer.headers.get('retry-after'), Date.now());
    return { answer: await readModelResponse(answer, answer_max_bytes), pause_ms: pause(asked_ms) };
  } catch (cause) {
    const message = `the ${modelKindNames[kind]} did not respond`;
    return { answer: new ApiError('unavailable', message, { cause }), pause_ms: pause(null) };
  }
}

async function readModelResponse(answer: FetchResponse, maxBytes: number): Promise<ModelResponse> {
  const text = await readBodyText(answer, maxBytes);
  return { status: answer.status, body: tryParseJson(text ?? '') };
}
