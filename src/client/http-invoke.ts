import { ApiError } from '../contract/errors.ts';
import { fillsRoute, type HttpRequest, toHttpRequest } from '../contract/http-binding.ts';
import { isObject } from '../contract/is-object.ts';
import { limits } from '../contract/limits.ts';
import type { Operation } from '../contract/operation.ts';
import { parseInput } from '../contract/parse-input.ts';
import { parseOutput } from '../contract/parse-output.ts';
import { contract, type OperationName, type Output } from '../contract.ts';
import type { Log } from '../log.ts';
import { compatibleRequests } from './compatible-requests.ts';
import { type Deadline, withDeadline } from './deadline.ts';
import type { Fetch } from './fetch.ts';
import {
  createHttpConnection,
  type HttpConnection,
  type HttpConnectionOptions,
  type IncomingResponse,
  pingRequest,
  uncertainWriteHint,
} from './http-connection.ts';
import type { HttpInvoke } from './http-invoke-type.ts';
import { type OperationCall, outputFromResponse } from './normalize-response.ts';
import { isNotFound } from './remote-errors.ts';
import { waitForWrites } from './wait-for-event.ts';

export type { Fetch } from './fetch.ts';

export type HttpInvokeOptions = {
  /** Address of the instance: the part before `/v1/`. */
  base_url: string;
  /** The key, or a function that returns one; it receives a refused key and may return another. */
  api_key: string | ((refused: string | null) => Promise<string>);
  /** The standard `fetch`, or a compatible function. */
  fetch: Fetch;
  /** Organization and project of calls that name none; by default those of the key. */
  org_id?: string | null | undefined;
  project_id?: string | null | undefined;
  /** Time limit of a call, retries and pauses included. Default 30,000. */
  timeout_ms?: number | undefined;
  /** Most tries of a call. Default 4. */
  tries_max?: number | undefined;
  /** The longest pause before the second try; it doubles from try to try. Default 250. */
  pause_ms?: number | undefined;
  /** Logs retries and their reasons. */
  log?: Log | undefined;
  /** For tests: how to wait, a number from 0 to 1, and milliseconds since 1970. */
  sleep?: HttpConnectionOptions['sleep'];
  random?: HttpConnectionOptions['random'];
  now?: (() => number) | undefined;
};

/** Defaults of a remote that agents talk to. */
const retryDefaults = { timeout_ms: 30_000, tries_max: 4, pause_ms: 250 };

/** An `Invoke` over HTTP. Throws `invalid` if the address is not valid. */
export function createHttpInvoke(options: HttpInvokeOptions): HttpInvoke {
  return invokeOnConnection(openRemoteConnection(options), options);
}

/** A connection to a remote, and the time limit of calls. */
export type RemoteConnection = HttpConnection & { timeout_ms: number; now: () => number };

export function openRemoteConnection(options: HttpInvokeOptions): RemoteConnection {
  const { timeout_ms = retryDefaults.timeout_ms, now = Date.now } = options;
  const exchange = createHttpConnection({
    ...options,
    tries_max: options.tries_max ?? retryDefaults.tries_max,
    pause_ms: options.pause_ms ?? retryDefaults.pause_ms,
    now,
  });
  return { ...exchange, timeout_ms, now };
}

type DefaultProject = Pick<HttpInvokeOptions, 'org_id' | 'project_id'>;

export function invokeOnConnection(remote: RemoteConnection, place: DefaultProject): HttpInvoke {
  return waitForWrites(remote, invokeOnce(remote, place));
}

function invokeOnce(remote: RemoteConnection, place: DefaultProject): HttpInvoke {
  return async <N extends OperationName>(
    name: N,
    raw: unknown,
    { signal }: { signal?: AbortSignal } = {},
  ) => {
    const asked = {
      name,
      record: contract[name],
      input: parseRemoteInput(contract[name], raw, place),
    };
    return withDeadline(remote, signal, async (deadline) => {
      const call = { remote, deadline, asked };
      const output = await callRemote(call);
      return (await withTotal(output, call)) as Output<N>; // as the record's schema reads it
    });
  };
}

type RemoteInput = Readonly<Record<string, unknown>>;
type RemoteCall = { remote: RemoteConnection; deadline: Deadline; asked: OperationCall };

/** Sent even as defaults, so that both sides use the same page. */
const alwaysSentFields = ['page', 'page_size'];

/**
 * The input to send: validated by the contract's schema, for the same errors everywhere. Defaults
 * are left out, because the remote chooses them.
 */
function parseRemoteInput(record: Operation, raw: unknown, place: DefaultProject): RemoteInput {
  const { shape } = record.input;
  const filledInput = isObject(raw)
    ? { ...defaultProjectFields(shape, place), ...withoutUndefined(raw) }
    : raw;
  const parsed = parseInput(record, filledInput);
  const sent = Object.entries(parsed).filter(([field, value]) => {
    if (value === undefined) return false;
    if (alwaysSentFields.includes(field) || (isObject(filledInput) && field in filledInput))
      return true;
    return shape[field]?.safeParse(undefined).data !== value;
  });
  return Object.fromEntries(sent);
}

/** The configured organization and project, for operations where they are optional. */
function defaultProjectFields(
  shape: Operation['input']['shape'],
  { org_id, project_id }: DefaultProject,
): RemoteInput {
  const defaults = Object.entries({ org_id, project_id }).filter(
    ([field, id]) => typeof id === 'string' && shape[field]?.safeParse(undefined).success,
  );
  return Object.fromEntries(defaults);
}

function withoutUndefined(raw: RemoteInput): RemoteInput {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
}

async function callRemote(call: RemoteCall): Promise<RemoteInput> {
  const input = await withProjectOfKey(call);
  const asked = { ...call.asked, input };
  const answer = await sendOnKnownRoute({ ...call, asked });
  const output = answer.isOutput ? answer.body : outputFromResponse(answer, asked);
  const read = parseOutput(asked.record.output, output);
  if ('output' in read) return read.output;
  const what = `an answer to ${asked.name} that can't be read: ${read.problem}`;
  throw new ApiError('unavailable', `the remote at ${call.remote.host} gave ${what}`, {
    next: asked.record.scope.endsWith(':read') ? 'Check base_url.' : uncertainWriteHint,
  });
}

/** If every path needs a project that the input lacks, asks the remote for the key's own. */
async function withProjectOfKey({ remote, deadline, asked }: RemoteCall): Promise<RemoteInput> {
  const { record, input } = asked;
  if (record.routes.some((route) => fillsRoute(route, input))) return input;
  const body = await remote.send(pingRequest, deadline).then(
    (answer) => answer.body,
    (error: unknown) => {
      if (isNotFound(error)) return null; // then the caller must name the project
      throw error;
    },
  );
  const { org_id, project_id } = isObject(body) ? body : {};
  const own = Object.entries({ org_id, project_id }).filter(
    ([field, id]) => field in record.input.shape && typeof id === 'string',
  );
  return { ...Object.fromEntries(own), ...input };
}

/** Some servers know only one of the published paths of an operation. */
async function sendOnKnownRoute(call: RemoteCall): Promise<IncomingResponse> {
  const { remote, deadline, asked } = call;
  let refusal: unknown;
  for (const request of await requestsFor(call)) {
    try {
      const effect = requestEffect(asked.record, request);
      return await remote.send({ ...request, effect }, deadline);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      refusal ??= error;
      if ((await remote.version(deadline)) !== null) break; // it knows all paths
    }
  }
  throw refusal;
}

/** Rewrites conditions for servers that may not understand all of them. */
async function requestsFor({ remote, deadline, asked }: RemoteCall): Promise<HttpRequest[]> {
  const { record, input } = asked;
  const selects = 'filters' in record.input.shape;
  const isMneme = selects && (await remote.version(deadline)) !== null;
  return isMneme ? [toHttpRequest(record, input)] : compatibleRequests(record, input);
}

function requestEffect(record: Operation, { method }: { method: string }) {
  if (record.scope.endsWith(':read')) return 'reads';
  return method === 'DELETE' ? 'idempotent' : 'writes';
}

/** A bare list has no total, so its pages are counted. */
async function withTotal(output: RemoteInput, call: RemoteCall): Promise<RemoteInput> {
  const { record, input } = call.asked;
  if (!('total' in record.output.shape) || output.total !== undefined) return output;
  return { ...output, total: await countPages(call, input) };
}

async function countPages(call: RemoteCall, input: RemoteInput): Promise<number> {
  const page_size = limits.page_size_default;
  let total = 0;
  let before = '';
  for (let page = 1; ; page += 1) {
    const asked = { ...call.asked, input: { ...input, page, page_size } };
    const { results } = await callRemote({ ...call, asked });
    const items = Array.isArray(results) ? results : [];
    const ids = JSON.stringify(items.map((item) => (isObject(item) ? item.id : item)));
    // The same page again: the server has no paging.
    if (ids === before) return total;
    before = ids;
    total += items.length;
    if (items.length < page_size) return total;
  }
}
