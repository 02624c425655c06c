import { ApiError, invalid } from './errors.ts';
import { isObject } from './is-object.ts';
import type { Operation, Route } from './operation.ts';

/**
 * The form of an answer that is an operation's output as it is, with nothing left out that the
 * published shapes have no place for. Clients that read it name it in `Accept`.
 */
export const outputMediaType = 'application/vnd.mneme+json';

/** Header of every answer of this program; who sends it keeps what is promised in docs/rest.md. */
export const versionHeader = 'X-Mneme-Version';

/** Parameters of a query string; a repeated one is a list. */
export type QueryParams = Readonly<Record<string, string | string[]>>;

/** What HTTP carries of an input. `params` stand in the path and are decoded. */
export type HttpInputParts = {
  params: Readonly<Record<string, string>>;
  query: QueryParams;
  /** The JSON of the body; undefined where there is none. */
  body?: unknown;
};

/**
 * The raw input that a request stands for. A field may travel in the query or in the body; where it
 * is in both, the place that the route names wins. What the path says can't be overridden.
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

/** Reads a query string, with or without its question mark; `invalid` where it is no UTF-8. */
export function parseQueryString(search: string): QueryParams {
  if (search === '' || search === '?') return {};
  const found = new Map<string, string | string[]>();
  for (const [name, value] of decodeQueryString(search)) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(found);
}

/**
 * The parameters of a query string. What is no UTF-8 would be read as something else than was sent,
 * so it is `invalid`; a percent sign that begins no code is one.
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

/** What a decoder puts in the place of bytes that are no UTF-8. */
const replacementCharacter = '\uFFFD';

function checkUtf8(search: string): void {
  for (const pair of search.replace(/^\?/, '').split('&')) {
    try {
      decodeURIComponent(pair.replace(/%(?![\da-f]{2})/gi, '%25'));
    } catch {
      const [name = ''] = new URLSearchParams(pair).keys();
      throw invalid(name, 'is no valid UTF-8');
    }
  }
}

/** A request that carries an input; `path` holds the query string too. */
export type HttpRequest = {
  method: Route['method'];
  path: string;
  /** Null where the request has no body. */
  body: Record<string, unknown> | null;
};

/**
 * The request that carries an input: on the canonical route, or, where the input lacks a field that
 * its path names, on the first alternate that needs it not.
 */
export function toHttpRequest(
  record: Pick<Operation, 'routes'>,
  input: Readonly<Record<string, unknown>>,
): HttpRequest {
  const route = record.routes.find((candidate) => fillsRoute(candidate, input));
  if (route === undefined) throw missingPathField(record, input);
  const { method, path, carries, fixed = {} } = route;
  const named = [...pathFields(path), ...Object.keys(fixed)];
  const rest = Object.entries(input).filter(
    ([field, value]) => value !== undefined && !named.includes(field),
  );
  const filled = path.replaceAll(pathPlaceholder, (_, field: string) =>
    pathSegment(field, input[field]),
  );
  if (carries === 'body') return { method, path: filled, body: Object.fromEntries(rest) };
  const search = toQueryString(rest);
  return { method, path: search === '' ? filled : `${filled}?${search}`, body: null };
}

/** Fields that a path names, in order. */
export function pathFields(path: string): string[] {
  return [...path.matchAll(pathPlaceholder)].map(([, field = '']) => field);
}

const pathPlaceholder = /\{(\w+)\}/g;

/** True when an input has all that the path of a route needs. */
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
    throw invalid(field, `${JSON.stringify(text)} can't stand in a path`);
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
