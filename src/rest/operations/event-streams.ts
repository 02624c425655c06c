import type { Context } from 'hono';
import { ApiError } from '../../contract/errors.ts';
import { inputFromHttp, parseQueryString } from '../../contract/http-binding.ts';
import { isObject } from '../../contract/is-object.ts';
import { HttpError } from '../http/errors.ts';
import type { RestEnv } from '../http/hono-env.ts';
import type { AuthenticatedKey, RestOptions } from '../http/options.ts';
import type { HttpResponse } from '../http/response.ts';
import { urlQuery } from '../http/url.ts';
import { type EventPage, followPages } from './follow-pages.ts';
import { checkRouteInput } from './route-checks.ts';
import type { OperationRoute } from './router.ts';

/** Each holds a connection and looks into the store every second. */
const streamsMax = 200;
const streamsOfKeyMax = 20;

/** An admitted request for a stream. */
type StreamRequest = {
  endpoint: OperationRoute;
  params: Record<string, string>;
  key: AuthenticatedKey;
  readmit(): Promise<AuthenticatedKey>;
  c: Context<RestEnv>;
};

export function wantsStream({ record }: OperationRoute, { method, headers }: Request): boolean {
  if (record.streams !== true || method !== 'GET') return false;
  return headers.get('Accept')?.includes('text/event-stream') ?? false;
}

/**
 * Answers with server-sent events, from `Last-Event-ID` on, otherwise from `after`, otherwise from
 * now. Throws what a call would be refused for, and `rate_limited` over the number of streams.
 */
export function createEventStreams(options: RestOptions) {
  const open = new Map<symbol, string>();

  return async (request: StreamRequest): Promise<HttpResponse> => {
    const { c, key } = request;
    checkRoom([...open.values()], key.key_id);
    const id = Symbol('stream');
    open.set(id, key.key_id);
    try {
      const look = createLook(request, options);
      const first = await look(key, startOf(request));
      const body = followPages(first, {
        ...options,
        ...request,
        look,
        disconnect: () => c.env?.outgoing?.destroy(),
        onEnd: () => open.delete(id),
      });
      return { status: 200, headers: streamHeaders, body };
    } catch (error) {
      open.delete(id);
      throw error;
    }
  };
}

const streamHeaders = {
  'Content-Type': 'text/event-stream',
  // Proxies such as nginx would hold events back.
  'X-Accel-Buffering': 'no',
};

function checkRoom(open: readonly string[], key_id: string): void {
  const count = open.filter((one) => one === key_id).length;
  if (count < streamsOfKeyMax && open.length < streamsMax) return;
  const problem =
    count < streamsOfKeyMax
      ? `${streamsMax} streams are open, which is the most`
      : `a key may have ${streamsOfKeyMax} streams open`;
  throw new HttpError(429, `${problem}; close one, or list changes instead`, {
    'Retry-After': '5',
  });
}

function startOf({ c }: StreamRequest): string | undefined {
  return c.req.raw.headers.get('Last-Event-ID') || undefined;
}

/** Calls the operation of the route once, after a cursor or from where the request says. */
function createLook({ endpoint, params, c }: StreamRequest, { invoke }: RestOptions) {
  const { name, route } = endpoint;
  const query = parseQueryString(urlQuery(c.req.raw.url));
  const input = inputFromHttp(route, { params, query, body: undefined });
  checkRouteInput(endpoint, input);
  const from = { after: 'now', ...input };
  let isOpen = false;

  return async ({ caller }: AuthenticatedKey, after?: string): Promise<EventPage> => {
    const input = after === undefined ? from : { ...from, after };
    const output: unknown = await invoke(name, input, { caller, ...(isOpen && { isPoll: true }) });
    isOpen = true;
    if (isEventPage(output)) return output;
    throw new ApiError('internal', `${name} streams, but has no cursor`);
  };
}

function isEventPage(output: unknown): output is EventPage {
  return isObject(output) && typeof output.cursor === 'string' && Array.isArray(output.results);
}
