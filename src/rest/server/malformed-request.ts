import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { RequestError } from '@hono/node-server';
import { errorResponse, HttpError } from '../http/errors.ts';
import { defaultHeaders, type TextResponse, toResponse } from '../http/response.ts';

/** The response to input that never becomes a request, such as a malformed Host header. */
export function malformedRequestResponse(error: unknown): Response {
  const isRequestError = error instanceof RequestError;
  const problem = new HttpError(400, 'the address or the Host header is malformed');
  return toResponse(errorWithRequestId(isRequestError ? problem : error));
}

/**
 * The response, as raw bytes, to input that is not HTTP or stopped arriving: Node has no response
 * object for it.
 */
export function rawErrorResponse(error: NodeJS.ErrnoException): string {
  const [status, text] = knownErrors[error.code ?? ''] ?? [400, 'the request is malformed'];
  const { headers, body } = errorWithRequestId(
    new HttpError(status, text, { Connection: 'close' }),
  );
  const length = String(Buffer.byteLength(body ?? ''));
  const allHeaders = { ...defaultHeaders, ...headers, 'Content-Length': length };
  const lines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

const knownErrors: Record<string, [status: number, text: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'the address and the headers are too large together'],
};

function errorWithRequestId(error: unknown): TextResponse {
  const request_id = randomUUID();
  const { headers, ...answer } = errorResponse(error, { request_id, log: () => {} });
  return { ...answer, headers: { ...headers, 'X-Request-ID': request_id } };
}
