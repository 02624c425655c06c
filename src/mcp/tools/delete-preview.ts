import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import { shortIdOf } from '../../contract/short-id.ts';
import type { Output } from '../../contract.ts';
import type { ToolCall } from './tool-call.ts';

export const samplesShown = 3;

/** What would be deleted; `total` is null when it cannot be counted. */
export type DeletePreview = { results: Output<'get_memories'>['results']; total: number | null };

type PreviewFilters = Readonly<Record<string, unknown>>;

/** Throws `invalid` for a filter that everything matches because it has no condition. */
export function checkConditions(filters: PreviewFilters | null): void {
  if (Array.isArray(filters?.AND) && filters.AND.length === 0) {
    throw new ApiError('invalid', 'name at least one condition; nothing was deleted');
  }
}

export async function previewDelete(
  call: ToolCall,
  filters: PreviewFilters | null,
): Promise<DeletePreview> {
  if (filters === null) return { results: [], total: null };
  const { options, signal, parsed } = call;
  const input = {
    filters,
    org_id: parsed.org_id,
    project_id: parsed.project_id,
    page_size: samplesShown,
    show_expired: true,
    show_waiting: true,
    latest_only: false,
  };
  return options.invoke('get_memories', input, { caller: options.caller, signal });
}

/** Throws `not_found` for ids that do not exist, before a person is asked to confirm. */
export async function checkIdsExist(call: ToolCall): Promise<void> {
  const { parsed, record, options, signal } = call;
  const ids = Array.isArray(parsed.memory_ids) ? parsed.memory_ids.map(String) : [];
  if (ids.length === 0) return;
  const { org_id, project_id } = parsed;
  const input = {
    // A deleted memory leaves its history, which can be erased.
    kind: record.tool.forGood ? 'history' : 'memory',
    short_ids: [...new Set(ids.map(shortIdOf))],
    org_id,
    project_id,
  };
  const callOptions = { caller: options.caller, signal };
  const filter = await options.invoke('resolve_ids', input, callOptions).catch((error: unknown) => {
    if (isUnknownPath(error)) return null;
    throw error;
  });
  if (filter === null) return;
  const matches = new Map(filter.results.map((one) => [one.short_id, one]));
  const unknown = ids.filter((id) => {
    const match = matches.get(shortIdOf(id).toLowerCase());
    return match === undefined || (match.total <= match.ids.length && !match.ids.includes(id));
  });
  if (unknown.length === 0) return;
  const examples = unknown.slice(0, samplesShown).map(shortIdOf).join(', ');
  const more = unknown.length > samplesShown ? ` and ${unknown.length - samplesShown} more` : '';
  throw new ApiError('not_found', `memory ${examples}${more} not found; nothing was deleted`);
}

/** The cursor of the newest change. Empty for a remote without changes: then only counts count. */
export async function lastChange(call: ToolCall): Promise<string> {
  try {
    return (await listChanges(call, 'now')).cursor;
  } catch (error) {
    if (isUnknownPath(error)) return '';
    throw error;
  }
}

/** A remote that is not mneme, or is an older version, answers with this error. */
function isUnknownPath(error: unknown): boolean {
  return error instanceof ApiError && error.message.includes('has no such path');
}

/** What a preview saw: how many memories matched, and the last change before. */
type Seen = { total: number; cursor: string };

/** The signed part of a confirmation, after its expiry and signature. */
export function readSeen(confirmation: string): Seen {
  const [, , total, cursor = ''] = confirmation.trim().split('.');
  return { total: Number(total), cursor };
}

type Matching = { filters: PreviewFilters; preview: DeletePreview; seen: Seen };

/** Throws `conflict` if other memories match than a preview showed, or one of them was changed. */
export async function checkUnchanged(
  call: ToolCall,
  { filters, preview, seen }: Matching,
): Promise<void> {
  if (preview.total !== seen.total) throw changedError();
  let after = seen.cursor;
  while (after !== '') {
    const { results, cursor, has_more } = await listChanges(call, after);
    const ids = [...new Set(results.map(({ memory_id }) => memory_id))];
    if (ids.length > 0) {
      const changed = { AND: [filters, { id: { in: ids } }] };
      const { total } = await previewDelete(call, changed);
      if (total !== 0) throw changedError();
    }
    after = has_more ? cursor : '';
  }
}

/** Lists the changes of the entities that the call names; without any, all changes. */
function listChanges({ options, signal, parsed, scope }: ToolCall, after: string) {
  const owners = entityIdFields.map((field) => [field, scope[field]]);
  const { org_id, project_id } = parsed;
  const input = {
    ...Object.fromEntries(owners),
    org_id,
    project_id,
    after,
    limit: limits.changes_limit_max,
  };
  return options.invoke('list_changes', input, { caller: options.caller, signal });
}

function changedError(): ApiError {
  const problem = 'what matches has changed since it was shown; nothing was deleted';
  const next = 'Call again without confirm to see it.';
  return new ApiError('conflict', problem, { next });
}
