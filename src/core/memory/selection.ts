import {
  type EntityIds,
  type EntityType,
  entityIdField,
  entityIdFields,
} from '../../contract/schemas/entity.ts';
import { type Filter, parseFilter } from '../../contract/schemas/filter.ts';
import { dayInZone } from '../../contract/wall-clock.ts';
import type { Deps, Instant, Selection } from '../ports/index.ts';

/** The conditions that list, search and delete-by-filter share; all are ANDed. */
export type SelectionConditions = {
  filters?: Record<string, unknown> | undefined;
  user_id?: string | undefined;
  agent_id?: string | undefined;
  app_id?: string | undefined;
  run_id?: string | undefined;
  entity_type?: EntityType | undefined;
  entity_id?: string | undefined;
  categories?: string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  keywords?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  latest_only?: boolean;
  show_expired?: boolean;
  show_waiting?: boolean;
  timezone?: string | undefined;
};

/** In whose days what expires is over, unless the input names others. */
type DaysOf = Pick<Deps, 'timezone'>;

/**
 * What an input may recall. Expired memories are hidden from the day after their date, in the time
 * zone. Memories that are not active are hidden unless the input asks for them or its filter names
 * the status, and quarantined ones always are.
 */
export function selectionOf(
  input: SelectionConditions,
  now: Instant,
  { timezone: own = 'UTC' }: DaysOf,
): Selection {
  const { timezone = own } = input;
  const filter = filterOf(input, timezone);
  return {
    filter,
    latest_only: input.latest_only ?? true,
    not_expired_on: input.show_expired ? null : dayInZone(now, timezone),
    status: input.show_waiting || namesStatus(filter) ? 'not_quarantined' : 'active',
  };
}

/** The selection of a list. A filter that names a status shows quarantined memories, too. */
export function listSelectionOf(input: SelectionConditions, now: Instant, zone: DaysOf): Selection {
  const selection = selectionOf(input, now, zone);
  if (selection.status === 'active') return selection;
  return { ...selection, status: requiresWaiting(selection.filter) ? 'waiting' : 'any' };
}

function namesStatus(filter: Filter): boolean {
  if ('field' in filter) return filter.field === 'status';
  const members = 'all' in filter ? filter.all : 'any' in filter ? filter.any : filter.none;
  return members.some(namesStatus);
}

/** Whether every match waits for a review, so that the index of those can be used. */
function requiresWaiting(filter: Filter): boolean {
  if ('all' in filter) return filter.all.some(requiresWaiting);
  if (!('field' in filter) || filter.field !== 'status') return false;
  const { operator, value } = filter;
  return (operator === 'eq' || operator === 'in') && ![value].flat().includes('active');
}

/** All matches, hidden ones too, as a delete needs them. */
export function selectAllMatching(
  input: SelectionConditions,
  { timezone }: DaysOf = {},
): Selection {
  const filter = filterOf(input, timezone);
  return { filter, latest_only: false, not_expired_on: null, status: 'any' };
}

/** The entities that every match belongs to, if the filter names single ids. */
export function entityIdsOfFilter(filter: Filter): EntityIds {
  const ids: EntityIds = { user_id: null, agent_id: null, app_id: null, run_id: null };
  for (const part of 'all' in filter ? filter.all : [filter]) {
    const entity = entityOfCondition(part);
    if (entity !== null) ids[entity.field] ??= entity.id;
  }
  return ids;
}

/** The single entity that a condition requires; null if it requires anything else. */
export function entityOfCondition(part: Filter): { field: keyof EntityIds; id: string } | null {
  if (!('field' in part)) return null;
  const field = entityIdFields.find((name) => name === part.field);
  const values = part.operator === 'eq' || part.operator === 'in' ? [part.value].flat() : [];
  const [id] = values;
  return field !== undefined && values.length === 1 && typeof id === 'string'
    ? { field, id }
    : null;
}

export function filterOf(input: SelectionConditions, timezone?: string): Filter {
  const wire: Record<string, unknown>[] = [];
  for (const field of entityIdFields) {
    if (input[field] !== undefined) wire.push({ [field]: input[field] });
  }
  if (input.entity_type !== undefined && input.entity_id !== undefined) {
    wire.push({ [entityIdField(input.entity_type)]: { eq: input.entity_id } });
  }
  if (input.categories !== undefined) wire.push({ categories: { in: input.categories } });
  if (input.metadata !== undefined) wire.push({ metadata: input.metadata });
  if (input.keywords !== undefined) wire.push({ keywords: { eq: input.keywords } });
  if (input.start_date !== undefined) wire.push({ created_at: { gte: input.start_date } });
  if (input.end_date !== undefined) wire.push({ created_at: { lte: input.end_date } });
  if (input.filters !== undefined) wire.push(input.filters);
  const parts = wire
    .map((one) => parseFilter(one, timezone))
    .flatMap((part) => ('all' in part ? part.all : [part]));
  return { all: parts };
}
