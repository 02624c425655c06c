import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../contract/errors.ts';
import type { Answer } from './answer.ts';
import { HttpError } from './failure.ts';
import type { RestOptions, StoredAnswer } from './options.ts';

/** How long the first answer is repeated. */
const keptForMs = 24 * 3600_000;

/** A first request that has not ended by then died with its process. */
const workingMaxMs = 5 * 60_000;

/** How long a repeated request waits for the first one, and how often it looks. */
const waitMaxMs = 10_000;
const lookEveryMs = 50;

const keyMaxChars = 255;

export type Repeatable = {
  /** What the client chose; it is unique to the caller only. */
  header: string;
  caller: string;
  method: string;
  /** Path with query. */
  path: string;
  body: string;
};

type Options = Pick<RestOptions, 'answers' | 'now'>;

/**
 * Carries out a request once, however often it is sent: repeats get the first answer. Answers of
 * 500 and above are forgotten, so that a repeat tries again.
 */
export async function once(
  request: Repeatable,
  run: () => Promise<Answer>,
  { answers, now }: Options,
): Promise<Answer> {
  const mine = reservationOf(request, now());
  const first = await reserve(mine, { answers, now });
  if (first !== null) return repeated(first);
  try {
    const answer = await run();
    if (answer.status >= 500) await answers.release(mine.id);
    else await answers.complete(mine.id, kept(answer));
    return answer;
  } catch (error) {
    await answers.release(mine.id);
    throw error;
  }
}

/** Null when this request is the first; else the answer of the one that was. */
async function reserve(mine: StoredAnswer, { answers, now }: Options) {
  const patience = now() + waitMaxMs;
  for (;;) {
    const first = await answers.reserve(mine);
    if (first === null) return null;
    if (first.request !== mine.request) {
      throw new ApiError('conflict', 'this Idempotency-Key was used for another request');
    }
    if (isOver(first, now())) await answers.release(first.id);
    else if (isDone(first)) return first;
    else if (now() >= patience) throw stillRunning();
    else await sleep(lookEveryMs);
  }
}

function isOver({ status, created_at }: StoredAnswer, now: number): boolean {
  const age = now - Date.parse(created_at);
  return age > (status === null ? workingMaxMs : keptForMs);
}

type DoneAnswer = StoredAnswer & { status: number };

function isDone(answer: StoredAnswer): answer is DoneAnswer {
  return answer.status !== null;
}

function stillRunning(): HttpError {
  return new HttpError(409, 'a request with this Idempotency-Key is still being worked on', {
    'Retry-After': '1',
  });
}

function reservationOf(request: Repeatable, now: number): StoredAnswer {
  const { header, caller, method, path, body } = request;
  if (header.length > keyMaxChars || header.trim() === '') {
    throw new ApiError('invalid', `Idempotency-Key must hold 1 to ${keyMaxChars} characters`);
  }
  return {
    id: fingerprint(caller, header),
    request: fingerprint(method, path, body),
    status: null,
    headers: {},
    body: '',
    created_at: new Date(now).toISOString(),
  };
}

function fingerprint(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

function kept({ status, headers, body }: Answer) {
  return { status, headers, body: body ?? '' };
}

function repeated({ status, headers, body }: DoneAnswer): Answer {
  return {
    status,
    headers: { ...headers, 'Idempotency-Replayed': 'true' },
    body: status === 204 ? null : body,
  };
}
