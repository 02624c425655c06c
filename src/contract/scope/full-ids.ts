import type { Caller, Invoke, Output } from '../../contract.ts';
import { ApiError, invalid } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { normalizeInput } from '../parse-input.ts';
import { mapRecordIds, type RecordKind } from '../schemas/record-id.ts';
import { isFullId, isShortId } from '../short-id.ts';
import type { MemoryScope } from './memory-scope.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The caller's own scope is searched if an operation names no project. */
type Asking = {
  invoke: Invoke;
  caller: Caller;
  scope: MemoryScope;
  signal?: AbortSignal;
};

/**
 * The input with full ids instead of short ones, which only these faces take. Throws `not_found`
 * where nothing that the caller may see has such an id, `invalid` where several have.
 */
export async function withFullIds(
  { operation }: { operation: Operation },
  input: Fields,
  asking: Asking,
): Promise<Record<string, unknown>> {
  const { shape } = operation.input;
  const normalized = normalizeInput(operation, input);
  const fields = Object.keys(normalized).filter((field) => Object.hasOwn(shape, field));
  const fullIds = new Map<string, string>();
  for (const asked of shortIdsIn(operation, fields, normalized)) {
    const place = 'project_id' in shape ? normalized : asking.scope;
    for (const match of await lookUp(asked, place, asking)) {
      fullIds.set(`${asked.kind} ${match.short_id}`, onlyIdOf(match, asked));
    }
  }
  if (fullIds.size === 0) return { ...input };
  const fullIdOf = (kind: RecordKind, id: unknown) =>
    isShortId(id) ? fullIds.get(`${kind} ${id.toLowerCase()}`) : id;
  const full = fields.map((field) => [
    field,
    mapRecordIds(shape[field], normalized[field], fullIdOf),
  ]);
  return { ...normalized, ...Object.fromEntries(full) };
}

/** The short ids of records of one kind, and the first field that holds any. */
type Asked = { kind: RecordKind; field: string; short_ids: readonly string[] };

function shortIdsIn({ input }: Operation, fields: readonly string[], given: Fields): Asked[] {
  const asked = new Map<RecordKind, { field: string; short_ids: Set<string> }>();
  for (const field of fields) {
    mapRecordIds(input.shape[field], given[field], (kind, id, place) => {
      if (place === 'field') checkId({ field, kind }, id);
      if (!isShortId(id)) return;
      const same = asked.get(kind) ?? { field, short_ids: new Set() };
      same.short_ids.add(id.toLowerCase());
      asked.set(kind, same);
    });
  }
  return [...asked].map(([kind, { field, short_ids }]) => {
    return { kind, field, short_ids: [...short_ids] };
  });
}

/** Names both kinds of ids, where the schema knows only the full ones. */
function checkId({ field, kind }: Pick<Asked, 'field' | 'kind'>, id: unknown): void {
  if (typeof id !== 'string' || isShortId(id) || isFullId(id)) return;
  const noun = nouns[kind];
  const whose = `the id of ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
  const problem = `is not ${whose}: its last 8 digits, or the whole id`;
  throw new ApiError('invalid', `${field}: ${problem}`, {
    fields: { [field]: [problem] },
    ...(noun === 'memory' && { next: 'get_memories shows the ids.' }),
  });
}

type Match = Output<'resolve_ids'>['results'][number];

async function lookUp(
  { kind, short_ids }: Asked,
  { org_id, project_id }: Fields,
  { invoke, caller, signal }: Asking,
): Promise<Match[]> {
  const input = { kind, short_ids, org_id, project_id };
  const options = { caller, ...(signal !== undefined && { signal }) };
  const { results } = await invoke('resolve_ids', input, options).catch(explain);
  const foundIds = results.map(({ short_id }) => short_id);
  const unknown = short_ids.filter((id) => !foundIds.includes(id));
  if (unknown.length === 0) return results;
  const listed = unknown.slice(0, shownMax).join(', ');
  const what = unknown.length > shownMax ? `${listed} and others` : listed;
  throw new ApiError('not_found', `no ${nouns[kind]} found whose id ends in ${what}`);
}

const shownMax = 10;

const nouns: Readonly<Record<RecordKind, string>> = {
  memory: 'memory',
  history: 'memory',
  event: 'event',
  export: 'export',
  webhook: 'webhook',
  profile_job: 'profile job',
  recall: 'recall',
};

function onlyIdOf({ short_id, ids, total }: Match, { field }: Asked): string {
  const [id] = ids;
  if (id !== undefined && total === 1) return id;
  const others = total > ids.length ? ` and ${total - ids.length} more` : '';
  const candidates = `${ids.join(', ')}${others}`;
  const problem = `${short_id} is the end of several ids: ${candidates}; use one of them`;
  throw invalid(field, problem);
}

/** Another server than mneme does not know the operation; an unknown place says so itself. */
function explain(error: unknown): never {
  const isApiError = error instanceof ApiError;
  const isUnknown = isApiError && error.code === 'not_found' && !/project/i.test(error.message);
  if (!isUnknown && !(isApiError && error.message.includes('has no such path'))) throw error;
  const what = 'this server cannot look up short ids; use the full id';
  throw new ApiError('not_found', what, { next: 'Use the full id.', cause: error });
}
