import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, reasonOf } from '../../contract/errors.ts';
import type { IdempotentAnswer } from '../../contract/http-binding.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { dayMs } from '../../contract/wall-clock.ts';
import { HttpError } from '../http/errors.ts';
import type { RestOptions } from '../http/options.ts';
import type { TextResponse } from '../http/response.ts';

/** How long a repeat is recognized. */
const responseTtlMs = dayMs;

/** A first request that takes longer died with its process or its database. */
const reservationMaxMs = 5 * 60_000;

/** How long a repeated request waits for the first one, and how often it checks. */
const waitMaxMs = 10_000;
const pollMs = 50;

const keyMaxChars = 255;

export type RepeatableRequest = {
  /** The key that the client chose; unique only for its caller. */
  header: string;
  caller: string;
  method: string;
  /** Path with query. */
  path: string;
  body: string;
};

type IdempotencyOptions = Pick<RestOptions, 'answers' | 'now' | 'log'>;

/**
 * Stored with the first write of a request: repeats must not run again after a crash. No real 409
 * response is empty.
 */
const executedMarker = { status: 409, output: '' };

/** A response, and what may be kept of its output, made only if asked; null for a refusal. */
export type CarriedOut = { answer: TextResponse; keep: (() => Record<string, unknown>) | null };

type IdempotentOperation = {
  run: () => Promise<CarriedOut>;
  /** Checks access again and answers with what was kept. */
  repeat: (output: unknown) => Promise<TextResponse>;
};

/**
 * Carries a request out once, however often it is sent: repeats get what is kept of the first
 * output, which holds no text. A refusal changed nothing, so a repeat of it is a new request.
 */
export async function runIdempotent(
  request: RepeatableRequest,
  { run, repeat }: IdempotentOperation,
  { answers, now, log }: IdempotencyOptions,
): Promise<TextResponse> {
  const mine = createReservation(request, now());
  const first = await reserve(mine, { answers, now });
  if (first !== null) return replayResponse(first, repeat);
  // The response is valid, whether or not it can be stored.
  const settle = (work: Promise<unknown>) =>
    work.catch((error: unknown) => {
      log('warn', 'Idempotency-Key response could not be stored', { error: reasonOf(error) });
    });
  try {
    const { answer, keep } = await answers.runIdempotent(
      { reserved: mine, placeholder: executedMarker },
      run,
    );
    if (keep === null) await settle(answers.release(mine));
    else {
      const record = { status: answer.status, output: JSON.stringify(keep()) };
      await settle(answers.complete(mine.id, record));
    }
    return answer;
  } catch (error) {
    await settle(answers.release(mine));
    throw error;
  }
}

/** Null when this request is the first; else the response of the first one. */
async function reserve(
  mine: IdempotentAnswer,
  { answers, now }: StrictOmit<IdempotencyOptions, 'log'>,
) {
  const deadline = now() + waitMaxMs;
  for (;;) {
    const first = await answers.reserve(mine);
    if (first === null) return null;
    if (first.request_hash !== mine.request_hash) {
      throw new ApiError('conflict', 'this Idempotency-Key was used for another request');
    }
    const age = now() - Date.parse(first.created_at);
    if (isExpired(first, age)) await answers.release(first);
    else if (isCompleted(first)) return first;
    else if (isExecutedMarker(first) && age > reservationMaxMs) throw lostResponseError();
    else if (now() >= deadline) throw inProgressError();
    else await sleep(pollMs);
  }
}

function isExpired({ status }: IdempotentAnswer, age: number): boolean {
  return age > (status === null ? reservationMaxMs : responseTtlMs);
}

function isExecutedMarker({ status, output }: IdempotentAnswer): boolean {
  return status === executedMarker.status && output === executedMarker.output;
}

type CompletedResponse = IdempotentAnswer & { status: number };

function isCompleted(answer: IdempotentAnswer): answer is CompletedResponse {
  return answer.status !== null && !isExecutedMarker(answer);
}

function inProgressError(): HttpError {
  return new HttpError(409, 'a request with this Idempotency-Key is still in progress', {
    'Retry-After': '1',
  });
}

function lostResponseError(): ApiError {
  return new ApiError(
    'conflict',
    'the request with this Idempotency-Key was carried out, at least in part, but its response ' +
      'was lost; check what is stored, and use another key for the rest',
  );
}

function createReservation(request: RepeatableRequest, now: number): IdempotentAnswer {
  const { header, caller, method, path, body } = request;
  if (header.length > keyMaxChars || header.trim() === '') {
    throw new ApiError('invalid', `Idempotency-Key must hold 1 to ${keyMaxChars} characters`);
  }
  return {
    id: fingerprint(caller, header),
    request_hash: fingerprint(method, path, body),
    status: null,
    output: '',
    created_at: new Date(now).toISOString(),
  };
}

function fingerprint(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** A refusal now is that of this request, and not a repeated one. */
async function replayResponse(
  { output }: CompletedResponse,
  repeat: IdempotentOperation['repeat'],
): Promise<TextResponse> {
  const value = JSON.parse(output);
  const answer = await repeat({
    ...value,
    ...(typeof value.message === 'string' && { message: repeatMessage }),
    ...(value.replayed === false && { replayed: true }),
  });
  if (answer.status >= 400) return answer;
  return { ...answer, headers: { ...answer.headers, 'Idempotency-Replayed': 'true' } };
}

const repeatMessage = 'Already carried out; the answer to a repeat holds ids and statuses only';
