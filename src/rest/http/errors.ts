import { ApiError, errorStatus, type FieldErrors } from '../../contract/errors.ts';
import type { Log } from '../../log.ts';
import { jsonResponse, type TextResponse } from './response.ts';

/** A refusal specific to HTTP: unknown path, wrong method, not JSON, too many requests. */
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

/** How soon a client may try again when the service is unavailable. */
const retryAfterSeconds = 2;

type ErrorContext = { request_id: string; log: Log };

/** A failure as the client sees it, for every protocol on top of HTTP. */
export type DescribedError = {
  status: number;
  text: string;
  headers: Readonly<Record<string, string>>;
  fields?: FieldErrors | undefined;
};

/**
 * The response for a failure. Clients read its text under different keys, so it is under all
 * three.
 */
export function errorResponse(error: unknown, failing: ErrorContext): TextResponse {
  const { status, text, headers, fields } = describeError(error, failing);
  const { request_id } = failing;
  const body = {
    message: text,
    error: text,
    detail: text,
    ...(fields && { errors: fields }),
    ...(status === 500 && { request_id }),
  };
  return jsonResponse(status, body, headers);
}

/** Any other error is a bug: the operator sees it in the log, the caller does not. */
export function describeError(error: unknown, { request_id, log }: ErrorContext): DescribedError {
  if (error instanceof HttpError) {
    const { status, message: text, headers } = error;
    return { status, text, headers };
  }
  if (error instanceof ApiError && error.code !== 'internal') {
    const { code, elsewhere: text, fields } = error;
    const headers = code === 'unavailable' ? { 'Retry-After': String(retryAfterSeconds) } : {};
    if (code === 'unavailable') log('warn', 'request failed: unavailable', { request_id, error });
    return { status: errorStatus[code], text, headers, fields };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  log('error', 'request failed', { request_id, error, stack });
  return { status: 500, text: 'internal error', headers: {} };
}
