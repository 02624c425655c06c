import { formatCount } from '../../contract/format-count.ts';
import { isObject } from '../../contract/is-object.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Event } from '../../contract/schemas/event.ts';
import { callerName, type KeyNames } from './key-names.ts';

export const eventNames = {
  ADD: 'Add',
  SEARCH: 'Search',
  UPDATE: 'Update',
  DELETE: 'Delete',
  GET_ALL: 'List',
  DELETE_ALL: 'Delete all',
  DELETE_ENTITY: 'Erase',
  EXPORT: 'Export',
  UNDO: 'Undo',
};

export const eventStates = {
  PENDING: 'waiting',
  RUNNING: 'running',
  FAILED: 'failed',
  SUCCEEDED: 'done',
};

/** The text of a request: its question, the memory it stored, or its first message. */
export function saidIn({ payload, results }: Event): string {
  const { query, text, messages } = payload;
  if (typeof query === 'string') return query;
  const memory = results.find(({ memory }) => memory !== '')?.memory;
  if (memory !== undefined) return memory;
  if (typeof text === 'string') return text;
  const [first] = Array.isArray(messages) ? messages : [];
  return isObject(first) && typeof first.content === 'string' ? first.content : '';
}

/** The owner that a request is about: from a field, a filter, or a result. */
export function ownerIn({ payload, results }: Event): string {
  const filters = isObject(payload.filters) ? payload.filters : {};
  const all = Array.isArray(filters.AND) ? filters.AND : [];
  for (const one of [payload, filters, ...all].filter(isObject)) {
    for (const field of entityIdFields) {
      const id = one[field];
      if (typeof id === 'string' && id !== '*') return id;
    }
  }
  return results[0]?.user_id ?? '';
}

/** Names the caller: the key, and the agent unless the request is about that agent. */
export function callerIn(event: Event, names: KeyNames): string {
  const { key_id, payload } = event;
  const agent = typeof payload.agent_id === 'string' ? payload.agent_id : null;
  const callers = [
    ...(key_id === null ? [] : [callerName(key_id, names)]),
    ...(agent === null || agent === ownerIn(event) ? [] : [`agent ${agent}`]),
  ];
  return callers.length === 0 ? '' : `by ${callers.join(', ')}`;
}

/** The number of results of a search or of changes of a write; empty until it has succeeded. */
export function outcomeOf({ event_type, status, metadata, results }: Event): string {
  if (status !== 'SUCCEEDED') return '';
  if (event_type === 'SEARCH' || event_type === 'GET_ALL') {
    const count = metadata?.results;
    return typeof count === 'number' ? formatCount(count, 'result', 'results') : '';
  }
  const changes = results.filter(({ event }) => event !== 'NOOP').length;
  return formatCount(changes, 'change', 'changes');
}
