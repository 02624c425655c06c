import { type HttpRequest, reaches, writeRequest } from '../contract/binding.ts';
import { ApiError } from '../contract/errors.ts';
import { contract, type OperationName, type Output } from '../contract/index.ts';
import { limits } from '../contract/limits.ts';
import { isObject } from '../contract/object.ts';
import type { Operation } from '../contract/operation.ts';
import { parseInput } from '../contract/parse.ts';
import { readOutput } from '../contract/read-output.ts';
import type { Log } from '../log.ts';
import { outputOf } from './answer.ts';
import { type Deadline, within } from './deadline.ts';
import {
  createExchange,
  type Exchange,
  type ExchangeOptions,
  type Incoming,
  lookFirst,
  ping,
} from './exchange.ts';
import { isUnknown } from './failure.ts';
import type { Fetch } from './fetch.ts';
import type { HttpInvoke } from './methods.ts';
import { writeForOthers } from './request.ts';
import { waitForWrites } from './wait-for-event.ts';

export type { Fetch } from './fetch.ts';
export type { HttpInvoke } from './methods.ts';

export type HttpInvokeOptions = {
  /** Address of the instance: what stands before `/v1/`. */
  base_url: string;
  /** The key, or a way to get it: told the one that was refused, it may answer another. */
  api_key: string | ((refused: string | null) => Promise<string>);
  /** The standard `fetch`, or anything like it. */
  fetch: Fetch;
  /** Where calls go that name no organization or project; the key's own where absent. */
  org_id?: string | null | undefined;
  project_id?: string | null | undefined;
  /** The longest a call takes, with all its tries and pauses. Default 30,000. */
  timeout_ms?: number | undefined;
  /** How often a call is sent at most. Default 4. */
  tries_max?: number | undefined;
  /** The longest pause before the second try; it doubles from try to try. Default 250. */
  pause_ms?: number | undefined;
  /** Told what is tried again, and why. */
  log?: Log | undefined;
  /** For tests: how to wait, a number from 0 to 1, and milliseconds since 1970. */
  sleep?: ExchangeOptions['sleep'];
  random?: ExchangeOptions['random'];
  now?: (() => number) | undefined;
};

/** Defaults of a remote that agents talk to. */
const patience = { timeout_ms: 30_000, tries_max: 4, pause_ms: 250 };

/** An `Invoke` over HTTP. Throws `invalid` when the address is none. */
export function createHttpInvoke(options: HttpInvokeOptions): HttpInvoke {
  return httpInvokeOn(openRemote(options), options);
}

/** A remote to send requests to, and the time that each call has. */
export type OpenRemote = Exchange & { timeout_ms: number; now: () => number };

export function openRemote(options: HttpInvokeOptions): OpenRemote {
  const { timeout_ms = patience.timeout_ms, now = Date.now } = options;
  const exchange = createExchange({
    ...options,
    tries_max: options.tries_max ?? patience.tries_max,
    pause_ms: options.pause_ms ?? patience.pause_ms,
    now,
  });
  return { ...exchange, timeout_ms, now };
}

type Place = Pick<HttpInvokeOptions, 'org_id' | 'project_id'>;

export function httpInvokeOn(remote: OpenRemote, place: Place): HttpInvoke {
  return waitForWrites(remote, invokeOn(remote, place));
}

function invokeOn(remote: OpenRemote, place: Place): HttpInvoke {
  return async <N extends OperationName>(
    name: N,
    raw: unknown,
    { signal }: { signal?: AbortSignal } = {},
  ) => {
    const asked = { name, record: contract[name], input: readInput(contract[name], raw, place) };
    return within(remote, signal, async (deadline) => {
      const call = { remote, deadline, asked };
      const output = await carryOut(call);
      return (await withTotal(output, call)) as Output<N>; // as the record's schema reads it
    });
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Asked = { name: OperationName; record: Operation; input: Fields };
type Call = { remote: OpenRemote; deadline: Deadline; asked: Asked };

/** What a page is has to be said, so that both sides mean the same one. */
const alwaysSent = ['page', 'page_size'];

/**
 * The input as it travels: read by the contract's schema, so that what is wrong is refused here, in
 * the same words everywhere. Defaults stay out: they are the remote's to choose.
 */
function readInput(record: Operation, raw: unknown, place: Place): Fields {
  const { shape } = record.input;
  const given = isObject(raw) ? { ...placeIn(shape, place), ...withoutAbsent(raw) } : raw;
  const parsed = parseInput(record, given);
  const said = Object.entries(parsed).filter(([field, value]) => {
    if (value === undefined) return false;
    if (alwaysSent.includes(field) || (isObject(given) && field in given)) return true;
    return shape[field]?.safeParse(undefined).data !== value;
  });
  return Object.fromEntries(said);
}

/** The configured place, for operations that let the caller leave it out. */
function placeIn(shape: Operation['input']['shape'], { org_id, project_id }: Place): Fields {
  const named = Object.entries({ org_id, project_id }).filter(
    ([field, id]) => typeof id === 'string' && shape[field]?.safeParse(undefined).success,
  );
  return Object.fromEntries(named);
}

function withoutAbsent(raw: Fields): Fields {
  return Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== undefined));
}

async function carryOut(call: Call): Promise<Fields> {
  const input = await withOwnPlace(call);
  const asked = { ...call.asked, input };
  const answer = await sendFirstKnown({ ...call, asked });
  const output = answer.whole ? answer.body : outputOf(answer, asked);
  const read = readOutput(asked.record.output, output);
  if ('output' in read) return read.output;
  const what = `an answer to ${asked.name} that can't be read: ${read.problem}`;
  throw new ApiError('unavailable', `the remote at ${call.remote.host} gave ${what}`, {
    next: asked.record.scope.endsWith(':read') ? 'Check base_url.' : lookFirst,
  });
}

/** Where every path names a place that the caller left out, the key's own is asked for. */
async function withOwnPlace({ remote, deadline, asked }: Call): Promise<Fields> {
  const { record, input } = asked;
  if (record.routes.some((route) => reaches(route, input))) return input;
  const body = await remote.send(ping, deadline).then(
    (answer) => answer.body,
    (error: unknown) => {
      if (isUnknown(error)) return null; // then the caller has to name the place
      throw error;
    },
  );
  const { org_id, project_id } = isObject(body) ? body : {};
  const own = Object.entries({ org_id, project_id }).filter(
    ([field, id]) => field in record.input.shape && typeof id === 'string',
  );
  return { ...Object.fromEntries(own), ...input };
}

/** Servers that know only one of the published paths for the same refuse the others. */
async function sendFirstKnown(call: Call): Promise<Incoming> {
  const { remote, deadline, asked } = call;
  let refusal: unknown;
  for (const request of await writeRequests(call)) {
    try {
      const effect = effectOf(asked.record, request);
      return await remote.send({ ...request, effect }, deadline);
    } catch (error) {
      if (!isUnknown(error)) throw error;
      refusal ??= error;
      if ((await remote.version(deadline)) !== null) break; // it knows all paths
    }
  }
  throw refusal;
}

/** What selects memories is said in other words to servers that are not known to read all of it. */
async function writeRequests({ remote, deadline, asked }: Call): Promise<HttpRequest[]> {
  const { record, input } = asked;
  const selects = 'filters' in record.input.shape;
  const isMneme = selects && (await remote.version(deadline)) !== null;
  return isMneme ? [writeRequest(record, input)] : writeForOthers(record, input);
}

function effectOf(record: Operation, { method }: { method: string }) {
  if (record.scope.endsWith(':read')) return 'reads';
  return method === 'DELETE' ? 'ends_alike' : 'writes';
}

/** A bare list does not say how many there are: then its pages are counted. */
async function withTotal(output: Fields, call: Call): Promise<Fields> {
  const { record, input } = call.asked;
  if (!('total' in record.output.shape) || output.total !== undefined) return output;
  return { ...output, total: await countAll(call, input) };
}

async function countAll(call: Call, input: Fields): Promise<number> {
  const page_size = limits.page_size_default;
  let total = 0;
  let before = '';
  for (let page = 1; ; page += 1) {
    const asked = { ...call.asked, input: { ...input, page, page_size } };
    const { results } = await carryOut({ ...call, asked });
    const items = Array.isArray(results) ? results : [];
    const ids = JSON.stringify(items.map((item) => (isObject(item) ? item.id : item)));
    // The same again: the server has no pages.
    if (ids === before) return total;
    before = ids;
    total += items.length;
    if (items.length < page_size) return total;
  }
}
