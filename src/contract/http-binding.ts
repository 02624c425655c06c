import { ApiError, invalid } from './errors.ts';
import { isObject } from './is-object.ts';
import type { Operation, Route } from './operation.ts';

/**
 * The media type of a response that is an operation's complete output, including what the published
 * shapes leave out. Clients name it in `Accept`.
 */
export const outputMediaType = 'application/vnd.mneme+json';

/**
 * Header of every response of this program; a server that sends it keeps the promises of
 * docs/rest.md.
 */
export const versionHeader = 'X-Mneme-Version';

/** What is kept of the first answer to an `Idempotency-Key`, for a day. */
export type IdempotentAnswer = {
  /** Key of the answer: caller and header combined. */
  id: string;
  /** Fingerprint of method, path and body. */
  request_hash: string;
  /** Null until the first request has written something. */
  status: number | null;
  /** The output as JSON, with ids and statuses but without text. */
  output: string;
  created_at: string;
};

/** A request with a reserved answer, and the placeholder once its first write is committed. */
export type IdempotentRequest = {
  reserved: IdempotentAnswer;
  placeholder: Pick<IdempotentAnswer, 'status' | 'output'>;
};

/** The store of answers for each `Idempotency-Key`. */
export type IdempotencyStore = {
  /** Reserves the id for this request; returns the existing answer if it is taken. */
  reserve(answer: IdempotentAnswer): Promise<IdempotentAnswer | null>;
  complete(id: string, answer: Pick<IdempotentAnswer, 'status' | 'output'>): Promise<void>;
  /** Deletes an answer if it is unchanged; true if it was. */
  release(answer: Pick<IdempotentAnswer, 'id' | 'status' | 'created_at'>): Promise<boolean>;
  /** Runs a request; its first write also stores `placeholder` as the answer. */
  runIdempotent<T>(request: IdempotentRequest, run: () => Promise<T>): Promise<T>;
};

/** Parameters of a query string; a repeated parameter is a list. */
export type QueryParams = Readonly<Record<string, string | string[]>>;

/** The parts of an HTTP request that carry an input. `params` come from the path, decoded. */
export type HttpInputParts = {
  params: Readonly<Record<string, string>>;
  query: QueryParams;
  /** The JSON of the body; undefined if there is none. */
  body?: unknown;
};

/**
 * The raw input of a request. A field may come in the query or in the body; if it is in both, the
 * one that the route's `carries` names wins. The path can't be overridden.
 */
export function inputFromHttp(
  route: Pick<Route, 'carries' | 'fixed' | 'defaults'>,
  { params, query, body = {} }: HttpInputParts,
): Record<string, unknown> {
  if (!isObject(body)) throw new ApiError('invalid', 'the body must be a JSON object');
  const carried = route.carries === 'body' ? { ...query, ...body } : { ...body, ...query };
  const input: Record<string, unknown> = { ...carried, ...params, ...route.fixed };
  for (const [field, value] of Object.entries(route.defaults ?? {})) input[field] ??= value;
  return input;
}

/** Reads a query string, with or without its question mark; `invalid` if it is not UTF-8. */
export function parseQueryString(search: string): QueryParams {
  if (search === '' || search === '?') return {};
  const query = new Map<string, string | string[]>();
  for (const [name, value] of decodeQueryString(search)) {
    const previous = query.get(name);
    query.set(name, previous === undefined ? value : [previous, value].flat());
  }
  return Object.fromEntries(query);
}

/**
 * The parameters of a query string. Bytes that are not UTF-8 are `invalid`, because they would
 * decode to a different text. A percent sign without a code stands for itself.
 */
export function decodeQueryString(search: string): URLSearchParams {
  const query = new URLSearchParams(search);
  for (const [name, value] of query) {
    if (`${name}${value}`.includes(replacementCharacter)) {
      checkUtf8(search);
      return query;
    }
  }
  return query;
}

/** Decoders replace bytes that are not UTF-8 with this. */
const replacementCharacter = '\uFFFD';

function checkUtf8(search: string): void {
  for (const pair of search.replace(/^\?/, '').split('&')) {
    try {
      decodeURIComponent(pair.replace(/%(?![\da-f]{2})/gi, '%25'));
    } catch {
      const [name = ''] = new URLSearchParams(pair).keys();
      throw invalid(name, 'is not valid UTF-8');
    }
  }
}

/** A request that carries an input; `path` includes the query string. */
export type HttpRequest = {
  method: Route['method'];
  path: string;
  /** Null if the request has no body. */
  body: Record<string, unknown> | null;
};

/**
 * The request that carries an input: on the canonical route, or on the first alternate whose path
 * fields the input has.
 */
export function toHttpRequest(
  record: Pick<Operation, 'routes'>,
  input: Readonly<Record<string, unknown>>,
): HttpRequest {
  const route = record.routes.find((candidate) => fillsRoute(candidate, input));
  if (route === undefined) throw missingPathField(record, input);
  const { method, path, carries, fixed = {} } = route;
  const sentElsewhere = [...pathFields(path), ...Object.keys(fixed)];
  const rest = Object.entries(input).filter(
    ([field, value]) => value !== undefined && !sentElsewhere.includes(field),
  );
  const filled = path.replaceAll(pathPlaceholder, (_, field: string) =>
    pathSegment(field, input[field]),
  );
  if (carries === 'body') return { method, path: filled, body: Object.fromEntries(rest) };
  const search = toQueryString(rest);
  return { method, path: search === '' ? filled : `${filled}?${search}`, body: null };
}

/** The fields that a path names, in order. */
export function pathFields(path: string): string[] {
  return [...path.matchAll(pathPlaceholder)].map(([, field = '']) => field);
}

const pathPlaceholder = /\{(\w+)\}/g;

/** True when an input has every field that the route's path needs. */
export function fillsRoute(
  { path, fixed = {} }: Pick<Route, 'path' | 'fixed'>,
  input: Readonly<Record<string, unknown>>,
): boolean {
  return (
    pathFields(path).every((field) => input[field] !== undefined) &&
    Object.entries(fixed).every(([field, value]) => input[field] === value)
  );
}

function missingPathField(
  { routes }: Pick<Operation, 'routes'>,
  input: Readonly<object>,
): ApiError {
  const fields = pathFields(routes[0]?.path ?? '');
  return invalid(fields.find((field) => !(field in input)) ?? 'input', 'is required');
}

/** Servers and proxies resolve the segments `.` and `..` even when they are percent-encoded. */
function pathSegment(field: string, value: unknown): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..') {
    throw invalid(field, `${JSON.stringify(text)} cannot be part of a path`);
  }
  return encodeURIComponent(text);
}

function toQueryString(fields: readonly (readonly [string, unknown])[]): string {
  const query = new URLSearchParams();
  for (const [field, value] of fields) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== null) query.append(field, isObject(item) ? JSON.stringify(item) : String(item));
    }
  }
  return query.toString();
}
