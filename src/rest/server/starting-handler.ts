import type { Log } from '../../log.ts';
import { errorResponse, HttpError } from '../http/errors.ts';
import { jsonResponse, toResponse } from '../http/response.ts';

/** Answers until the service is ready: the process is alive, but not ready. */
export function createStartingHandler(log: Log): (request: Request) => Response {
  return (request) => {
    if (new URL(request.url).pathname === '/healthz') {
      return toResponse(jsonResponse(200, { status: 'ok' }));
    }
    const refusal = new HttpError(503, 'the server is starting', { 'Retry-After': '2' });
    return toResponse(errorResponse(refusal, { request_id: '', log }));
  };
}
