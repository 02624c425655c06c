import type { Context } from 'hono';
import { inputFromHttp, parseQueryString } from '../contract/http-binding.ts';
import type { Admit } from './admit.ts';
import { type Answer, jsonAnswer } from './answer.ts';
import { parseBody, readBody } from './body.ts';
import { checkRoute } from './checks.ts';
import { dialectOf, shape } from './dialect.ts';
import type { RestEnv } from './env.ts';
import { failureOf, HttpError } from './failure.ts';
import { once } from './idempotency.ts';
import type { AuthenticatedKey, RestOptions } from './options.ts';
import { createRouter, type Endpoint } from './router.ts';
import { absoluteUrl, pathOf, searchOf } from './url.ts';

/** One request to one operation, once it is known whose it is. */
type Exchange = {
  endpoint: Endpoint;
  params: Record<string, string>;
  key: AuthenticatedKey;
  body: string;
  c: Context<RestEnv>;
};

/** Answers every route of the contract, and says which paths are none. */
export function createOperations(admit: Admit, options: RestOptions) {
  const route = createRouter();

  return async (c: Context<RestEnv>): Promise<Answer> => {
    const { raw, method } = c.req;
    const match = route(method, pathOf(raw.url));
    if (match === null) throw new HttpError(404, 'no such path');
    if ('allow' in match) throw wrongMethod(method, match.allow);
    const { endpoint, params } = match;
    c.set('operation', endpoint.name);
    const { key, headers } = await admit(raw);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const body = hasBody ? await readBody(raw, options.body_max_bytes) : '';
    const answer = await answerOf({ endpoint, params, key, body, c }, options);
    return headers === null ? answer : { ...answer, headers: { ...answer.headers, ...headers } };
  };
}

async function answerOf(exchange: Exchange, options: RestOptions): Promise<Answer> {
  const { c, key, body } = exchange;
  const { method, raw } = c.req;
  if (method === 'GET' || method === 'HEAD') return carryOut(exchange, options);
  const header = raw.headers.get('Idempotency-Key');
  const run = () => carryOut(exchange, options);
  if (header === null) return run();
  const path = pathOf(raw.url) + searchOf(raw.url);
  return once({ header, caller: key.key_id, method, path, body }, run, options);
}

/** Refusals of the operation are answers too: a repeated request gets the same one. */
async function carryOut(exchange: Exchange, options: RestOptions): Promise<Answer> {
  const { endpoint, params, key, body, c } = exchange;
  const { name, route } = endpoint;
  const { raw } = c.req;
  try {
    const query = parseQueryString(searchOf(raw.url));
    const input = inputFromHttp(route, { params, query, body: parseBody(body) });
    checkRoute(route, input);
    const output = await options.invoke(name, input, { caller: key.caller });
    const dialect = dialectOf(options.dialect, { headers: raw.headers, route, input });
    const url = () => absoluteUrl(raw, options);
    const shaped = shape(endpoint, output, { dialect, route, input, url });
    return toAnswer(shaped);
  } catch (error) {
    return failureOf(error, { request_id: c.get('request_id'), log: options.log });
  }
}

function toAnswer({ status, body, headers = {} }: ReturnType<typeof shape>): Answer {
  return body === undefined ? { status, headers, body: null } : jsonAnswer(status, body, headers);
}

function wrongMethod(method: string, allow: readonly string[]): HttpError {
  const Allow = allow.join(', ');
  return new HttpError(405, `${method} is not allowed here; allowed: ${Allow}`, { Allow });
}
