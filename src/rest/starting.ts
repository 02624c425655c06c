import type { Log } from '../log.ts';
import { jsonAnswer, toResponse } from './answer.ts';
import { failureOf, HttpError } from './failure.ts';

/** Answers until there is something to ask: the process is alive, and not ready. */
export function createStarting(log: Log): (request: Request) => Response {
  return (request) => {
    if (new URL(request.url).pathname === '/healthz') {
      return toResponse(jsonAnswer(200, { status: 'ok' }));
    }
    const refusal = new HttpError(503, 'the server is starting', { 'Retry-After': '2' });
    return toResponse(failureOf(refusal, { request_id: '', log }));
  };
}
