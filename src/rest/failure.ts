import { ApiError, errorStatus, type FieldErrors } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import { type Answer, jsonAnswer } from './answer.ts';

/** A refusal that only HTTP knows: no such path, wrong method, not JSON, too many requests. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.headers = headers;
  }
}

/** How soon a client may try again when the service is not available. */
const retryAfterSeconds = 2;

type Failing = { request_id: string; log: Log };

/**
 * The answer that a failure becomes. Clients look for its text under different keys, so it stands
 * under all three. What is no refusal is a bug: the operator reads it, the caller does not.
 */
export function failureOf(error: unknown, { request_id, log }: Failing): Answer {
  if (error instanceof HttpError) return refused(error.status, error.message, error);
  if (error instanceof ApiError && error.code !== 'internal') {
    const { code, fields } = error;
    const headers = code === 'unavailable' ? { 'Retry-After': String(retryAfterSeconds) } : {};
    if (code === 'unavailable') log('warn', 'not available', { request_id, error });
    return refused(errorStatus[code], error.message, { headers, fields });
  }
  const stack = error instanceof Error ? error.stack : undefined;
  log('error', 'a request failed', { request_id, error, stack });
  return jsonAnswer(500, { ...texts('internal error'), request_id });
}

type Extras = {
  headers: Readonly<Record<string, string>>;
  fields?: FieldErrors | undefined;
};

function refused(status: number, text: string, { headers, fields }: Extras): Answer {
  return jsonAnswer(status, { ...texts(text), ...(fields && { errors: fields }) }, headers);
}

function texts(text: string) {
  return { message: text, error: text, detail: text };
}
