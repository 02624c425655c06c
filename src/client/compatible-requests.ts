import { type ApiError, invalid } from '../contract/errors.ts';
import {
  fillsRoute,
  type HttpRequest,
  pathFields,
  toHttpRequest,
} from '../contract/http-binding.ts';
import { isObject } from '../contract/is-object.ts';
import type { Operation, Route } from '../contract/operation.ts';
import { entityIdFields } from '../contract/schemas/entity.ts';
import { isFilter, matchesEverything, parseFilter } from '../contract/schemas/filter.ts';

type CompatibleInput = Readonly<Record<string, unknown>>;

/**
 * The requests that carry an input to a server that may know only one of the published APIs: the
 * canonical one, then equivalent ones on other paths. Throws `invalid` if these can't express the
 * input.
 */
export function compatibleRequests(record: Operation, input: CompatibleInput): HttpRequest[] {
  const routes = record.routes.filter((route) => fillsRoute(route, input));
  const [first] = routes;
  if (first === undefined) return [toHttpRequest(record, input)];
  if (first.method === 'DELETE' && input.filters !== undefined) throw deleteFilterProblem();
  const alike = routes.filter(
    (route) => route === first || carriesSameInput(route, { first, input }),
  );
  return alike.map((route) => requestOnRoute(route, record, input));
}

/**
 * A server may ignore fields in the query that belong in the body, and a condition that is ignored
 * widens the answer.
 */
function carriesSameInput(
  route: Route,
  { first, input }: { first: Route; input: CompatibleInput },
): boolean {
  if (route.carries === first.carries) return true;
  const published = route.requires_entity ? ['user_id', 'page', 'page_size'] : [];
  const carriedFields = [...pathFields(route.path), ...projectFields, ...published];
  return Object.keys(input).every(
    (field) => input[field] === undefined || carriedFields.includes(field),
  );
}

/** The specification has no filters on a delete: a server that ignores them deletes too much. */
function deleteFilterProblem(): ApiError {
  return invalid(
    'filters',
    'the remote may ignore them on a delete; list the memories with get_memories instead, and ' +
      'delete them with batch_delete_memories',
  );
}

const projectFields = ['org_id', 'project_id'];

function requestOnRoute(route: Route, record: Operation, input: CompatibleInput): HttpRequest {
  const hasFilters = 'filters' in record.input.shape && route.carries === 'body';
  // An erasure takes ids or filters.
  const selects = hasFilters && input.memory_ids === undefined;
  const sent = selects ? withConditionsInFilters(record, input) : input;
  const request = toHttpRequest({ routes: [route] }, sent);
  if (route.carries === 'query' || !('page' in record.input.shape)) return request;
  // Some servers look for the page in the query, some in the body.
  const { page, page_size } = input;
  return { ...request, path: `${request.path}?page=${page}&page_size=${page_size}` };
}

/**
 * The specification knows conditions inside `filters` only, and a server that overlooks one beside
 * them answers what it should not: all of them travel there.
 */
function withConditionsInFilters(record: Operation, input: CompatibleInput): CompatibleInput {
  const conditions = topLevelConditions(input);
  const others = Object.entries(input).filter(([field]) => !conditionFields.includes(field));
  const { filters, ...rest } = Object.fromEntries(others);
  const ownFilters = filters === undefined ? [] : [filters];
  const combined = combineFilters([...conditions, ...ownFilters]);
  // Lists and searches must have some, even when they select everything.
  const needed = combined ?? ('page' in record.input.shape || 'query' in rest ? {} : undefined);
  return needed === undefined ? rest : { ...rest, filters: needed };
}

function combineFilters(conditions: readonly unknown[]): unknown {
  const parts = conditions.filter((part) => !matchesEverything(parseFilter(part)));
  if (parts.length < 2) return parts[0];
  const nested = { AND: parts };
  if (isFilter(nested)) return nested;
  // One level more was one too many; side by side they mean the same, unless two share a name.
  const entries = parts.filter(isObject).flatMap((part) => Object.entries(part));
  const flat = Object.fromEntries(entries);
  return Object.keys(flat).length === entries.length ? flat : nested;
}

const conditionFields: readonly string[] = [
  ...entityIdFields,
  'categories',
  'metadata',
  'keywords',
  'start_date',
  'end_date',
];

/** The conditions of an input that stand beside its filters, as filters. */
function topLevelConditions(input: CompatibleInput): Record<string, unknown>[] {
  const { categories, metadata, keywords, start_date, end_date } = input;
  const named: [string, unknown][] = [
    ...entityIdFields.map((field): [string, unknown] => [field, input[field]]),
    ['categories', categories && { in: categories }],
    ['metadata', metadata],
    ['keywords', keywords],
    ['created_at', start_date && { gte: start_date }],
    ['created_at', end_date && { lte: end_date }],
  ];
  return named.flatMap(([field, value]) => (value === undefined ? [] : [{ [field]: value }]));
}
