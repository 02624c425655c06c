import type { Caller, Invoke, Output } from '../../contract.ts';
import { ApiError, invalid } from '../errors.ts';
import { isObject } from '../is-object.ts';
import type { Operation } from '../operation.ts';
import { isShortId } from '../short-id.ts';
import type { ScopeLock } from './memory-scope.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Who asks, and what a lock leaves visible. */
type Asking = { invoke: Invoke; caller: Caller; lock: ScopeLock; signal?: AbortSignal };

/**
 * The input with full ids of memories instead of short ones, which only these faces take. Throws
 * `not_found` where nothing that the caller may see has such an id, `invalid` where several have.
 */
export async function withFullIds(
  { operation }: { operation: Operation },
  input: Fields,
  asking: Asking,
): Promise<Record<string, unknown>> {
  const names = idFields.filter((field) => field in operation.input.shape && field in input);
  const given = names.flatMap((name) => idsIn(input[name]));
  const short_ids = [...new Set(given.filter(isShortId).map((id) => id.toLowerCase()))];
  if (short_ids.length === 0) return { ...input };
  const { org_id, project_id } = input;
  const asked = { org_id, project_id, ...asking.lock.entities, short_ids };
  const found = await lookUp(asked, asking);
  const fullIdOf = (id: unknown) => (isShortId(id) ? found.get(id.toLowerCase()) : id);
  const full = names.map((name) => [name, mapIds(input[name], fullIdOf)] as const);
  return { ...input, ...Object.fromEntries(full) };
}

/** Fields that name memories: by an id, by a list of them, or by items that hold one each. */
const idFields = ['memory_id', 'memory_ids', 'memories'];

function idsIn(value: unknown): unknown[] {
  const ids: unknown[] = [];
  mapIds(value, (id) => ids.push(id));
  return ids;
}

function mapIds(value: unknown, map: (id: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return map(value);
  return value.map((item: unknown) => {
    if (!isObject(item)) return map(item);
    return 'memory_id' in item ? { ...item, memory_id: map(item.memory_id) } : item;
  });
}

async function lookUp(
  asked: { short_ids: readonly string[] },
  { invoke, caller, signal }: Asking,
): Promise<ReadonlyMap<string, string>> {
  const options = { caller, ...(signal !== undefined && { signal }) };
  const { results } = await invoke('resolve_ids', asked, options).catch(explain);
  const found = new Map<string, string>();
  for (const match of results) {
    const [id] = match.memory_ids;
    if (match.total > 1) throw ambiguous(match);
    if (id !== undefined) found.set(match.short_id, id);
  }
  const unknown = asked.short_ids.filter((id) => !found.has(id));
  if (unknown.length === 0) return found;
  const shown = unknown.slice(0, shownMax).join(', ');
  const what = unknown.length > shownMax ? `${shown} and others` : shown;
  throw new ApiError('not_found', `no memory found whose id ends in ${what}`);
}

const shownMax = 10;

type Match = Output<'resolve_ids'>['results'][number];

function ambiguous({ short_id, memory_ids, total }: Match): ApiError {
  const others = total > memory_ids.length ? ` and ${total - memory_ids.length} more` : '';
  const candidates = `${memory_ids.join(', ')}${others}`;
  return invalid(
    'memory_id',
    `${short_id} is the end of several ids: ${candidates}; use one of them`,
  );
}

/** Another server than mneme does not know the operation; an unknown place says so itself. */
function explain(error: unknown): never {
  const isApiError = error instanceof ApiError;
  const isUnknown = isApiError && error.code === 'not_found' && !/project/i.test(error.message);
  if (!isUnknown && !(isApiError && error.message.includes('has no such path'))) throw error;
  const what = 'short ids cannot be looked up there; use the full id';
  throw new ApiError('not_found', what, { next: 'Use the full id.', cause: error });
}
