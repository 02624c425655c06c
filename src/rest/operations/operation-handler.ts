import type { Context } from 'hono';
import { inputFromHttp, parseQueryString } from '../../contract/http-binding.ts';
import { isReadOnly } from '../../contract/operation.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { withNames, withoutText } from '../../contract/without-text.ts';
import { type CheckAccess, contract, type Invoke } from '../../contract.ts';
import type { AdmitRequest } from '../auth/admission.ts';
import { parseBody, readBody } from '../http/body.ts';
import { errorResponse, HttpError } from '../http/errors.ts';
import type { RestEnv } from '../http/hono-env.ts';
import type { AuthenticatedKey, RestOptions } from '../http/options.ts';
import { type HttpResponse, jsonResponse, type TextResponse } from '../http/response.ts';
import { absoluteUrl, urlPath, urlQuery } from '../http/url.ts';
import { formatOutput, selectDialect } from './dialect.ts';
import { createEventStreams, wantsStream } from './event-streams.ts';
import { type CarriedOut, runIdempotent } from './idempotency.ts';
import { checkRouteInput } from './route-checks.ts';
import { createRouter, type OperationRoute } from './router.ts';

/** An authenticated request to one operation. */
type OperationRequest = {
  endpoint: OperationRoute;
  params: Record<string, string>;
  key: AuthenticatedKey;
  body: string;
  c: Context<RestEnv>;
};

/** Handles every route of the contract; other paths get 404. */
export function createOperationHandler(admit: AdmitRequest, options: RestOptions) {
  const route = createRouter();
  const stream = createEventStreams(options);

  return async (c: Context<RestEnv>): Promise<HttpResponse> => {
    const { raw, method } = c.req;
    const match = route(method, urlPath(raw.url));
    if (match === null) throw new HttpError(404, 'no such path');
    if ('allow' in match) throw methodNotAllowed(method, match.allow);
    const { endpoint, params } = match;
    c.set('operation', endpoint.name);
    const { key, headers, readmit } = await admit(raw);
    if (wantsStream(endpoint, raw)) return stream({ endpoint, params, key, readmit, c });
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? await readBody(raw, options.body_max_bytes) : '';
    const answer = await respondToOperation({ endpoint, params, key, body, c }, options);
    return headers === null ? answer : { ...answer, headers: { ...answer.headers, ...headers } };
  };
}

async function respondToOperation(
  exchange: OperationRequest,
  options: RestOptions,
): Promise<TextResponse> {
  const { c, key, body, endpoint } = exchange;
  const { method, raw } = c.req;
  const header = raw.headers.get('Idempotency-Key');
  const run = () => invokeOperation(exchange, options.invoke, options);
  // A read changes nothing, however often it is sent.
  if (header === null || isReadOnly(endpoint.record)) return (await run()).answer;
  const path = urlPath(raw.url) + urlQuery(raw.url);
  const repeat = async (output: unknown) => {
    const invoke = answerWithout(options.checkAccess, output);
    return (await invokeOperation(exchange, invoke, options)).answer;
  };
  const request = { header, caller: key.key_id, method, path, body };
  return runIdempotent(request, { run, repeat }, options);
}

/** Repeats the first answer without running the operation; access is checked again. */
function answerWithout(checkAccess: CheckAccess, output: unknown): Invoke {
  return async (name, input, { caller }) => {
    await checkAccess(name, input, { caller });
    // It was an output of this operation.
    return withNames(output, parseInput(contract[name], input)) as never;
  };
}

async function invokeOperation(
  exchange: OperationRequest,
  invoke: Invoke,
  options: RestOptions,
): Promise<CarriedOut> {
  const { endpoint, params, key, body, c } = exchange;
  const { name, route, record } = endpoint;
  const { raw } = c.req;
  try {
    const query = parseQueryString(urlQuery(raw.url));
    const input = inputFromHttp(route, { params, query, body: parseBody(body) });
    checkRouteInput(endpoint, input);
    const output = await invoke(name, input, { caller: key.caller });
    const dialect = selectDialect(options.dialect, { headers: raw.headers, route, input });
    const url = () => absoluteUrl(raw, options);
    const payload = formatOutput(endpoint, output, { dialect, route, input, url });
    const keep = () => withoutText(record.output, output, parseInput(record, input));
    return { answer: toTextResponse(payload), keep };
  } catch (error) {
    const context = { request_id: c.get('request_id'), log: options.log };
    return { answer: errorResponse(error, context), keep: null };
  }
}

function toTextResponse({
  status,
  body,
  headers = {},
}: ReturnType<typeof formatOutput>): TextResponse {
  return body === undefined ? { status, headers, body: null } : jsonResponse(status, body, headers);
}

function methodNotAllowed(method: string, allow: readonly string[]): HttpError {
  const Allow = allow.join(', ');
  return new HttpError(405, `${method} is not allowed here; allowed: ${Allow}`, { Allow });
}
