import { closestName } from '../../contract/did-you-mean.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import type { Operation, Route } from '../../contract/operation.ts';
import { normalizeInput } from '../../contract/parse-input.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import { type Filter, parseFilter } from '../../contract/schemas/filter.ts';
import { parseIfJson } from '../../contract/schemas/json.ts';
import { isV3 } from './dialect.ts';

type RouteInput = Readonly<Record<string, unknown>>;

const v3PageSizeMax = 200;

type CheckedRoute = { route: Route; record: Operation };

/** Refuses input that a path does not allow, though its operation would. */
export function checkRouteInput({ route, record }: CheckedRoute, input: RouteInput): void {
  if (takesMuch(record)) checkMisspelt(record, input);
  if (isV3(route) && Number(input.page_size) > v3PageSizeMax) {
    throw invalid('page_size', `must be at most ${v3PageSizeMax}`);
  }
  if (route.requires_entity && !selectsEntity(input)) {
    const problem = `at least one of ${entityIdFields.join(', ')} is required`;
    throw new ApiError('invalid', problem, { fields: { filters: [problem] } });
  }
}

/** Whether a misspelt field could make the operation delete or change more than was meant. */
function takesMuch({ tool, input }: Operation): boolean {
  return tool?.confirm !== undefined || 'dry_run' in input.shape;
}

/**
 * Unknown fields are ignored, because shipped clients send some. One that is nearly a known field,
 * or asks for a dry run where there is none, is a mistake that would take more than was meant.
 */
function checkMisspelt(record: Operation, input: RouteInput): void {
  const names = Object.keys(record.input.shape);
  const unknown = Object.keys(normalizeInput(record, input)).filter(
    (name) => !names.includes(name),
  );
  for (const name of unknown) {
    const suggestion = closestName(name, [...names, 'dry_run']);
    if (suggestion === null) continue;
    const hint = names.includes(suggestion)
      ? `did you mean ${JSON.stringify(suggestion)}?`
      : 'this call has no dry run; get_memories lists what a filter matches.';
    throw invalid(name, `unknown field, so nothing was changed; ${hint}`);
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
