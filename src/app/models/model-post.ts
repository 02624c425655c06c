import { sleep, withDeadline } from '../../client/deadline.ts';
import { type FetchResponse, readBodyText } from '../../client/fetch.ts';
import { isTransientStatus, parseRetryAfter, retryDelay } from '../../client/retry.ts';
import { ApiError } from '../../contract/errors.ts';
import { tryParseJson } from '../../contract/schemas/json.ts';
import { type ModelKind, modelKindNames } from '../../providers/models/model-server.ts';
import type { ModelResponse, PostToModel } from '../../providers/models/post.ts';
import type { HttpPool } from '../http-pool.ts';

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

/** A server that asks for a longer pause is not asked again. */
const pauseMaxMs = 10_000;

/** 128 vectors of 16,384 numbers, as text. */
const responseMaxBytes = 64 * 1024 * 1024;

/** Posts to a model's server; with `retry`, transient failures are retried. */
export function createModelPost(server: ModelServer): PostToModel {
  const { timeout_ms, pause_max_ms = pauseMaxMs } = server;
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
