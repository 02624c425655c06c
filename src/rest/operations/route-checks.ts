import { ApiError, invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import type { Route } from '../../contract/operation.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import { type Filter, parseFilter } from '../../contract/schemas/filter.ts';
import { parseIfJson } from '../../contract/schemas/json.ts';
import { isV3 } from './dialect.ts';

type RouteInput = Readonly<Record<string, unknown>>;

const v3PageSizeMax = 200;

/** Refuses input that a path does not allow, though its operation would. */
export function checkRouteInput(route: Route, input: RouteInput): void {
  if (isV3(route) && Number(input.page_size) > v3PageSizeMax) {
    throw invalid('page_size', `must be at most ${v3PageSizeMax}`);
  }
  if (route.requires_entity && !selectsEntity(input)) {
    const problem = `at least one of ${entityIdFields.join(', ')} is required`;
    throw new ApiError('invalid', problem, { fields: { filters: [problem] } });
  }
}

/** Whether the request names an entity whose memories it means, not only one to exclude. */
function selectsEntity(input: RouteInput): boolean {
  if (entityIdFields.some((field) => input[field] != null)) return true;
  const filters = parseIfJson(input.filters);
  if (!isObject(filters)) return false;
  const filter = readFilter(filters);
  return filter === null || includesEntity(filter);
}

/** Null when it cannot be parsed: the operation then reports the problem. */
function readFilter(wire: unknown): Filter | null {
  try {
    return parseFilter(wire);
  } catch {
    return null;
  }
}

function includesEntity(filter: Filter): boolean {
  if ('none' in filter) return false;
  if ('all' in filter) return filter.all.some(includesEntity);
  if ('any' in filter) return filter.any.some(includesEntity);
  const { field, operator } = filter;
  return entityIdFields.some((id) => id === field) && operator !== 'ne' && operator !== 'nin';
}
