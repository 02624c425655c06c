// What a locked scope allows if an operation has no entity id fields:
//
// - memories by id: written if all of them carry the locked ids; read if the output does;
// - entities: only the locked ones exist; one is deleted only if it is the only lock, because a
//   delete by one of several ids would reach beyond the others;
// - events: among the newest 1,000 of the project, those whose payload carries the locked ids, or
//   whose results all belong to the locked user.

import type { Caller, Invoke, OperationName, Output } from '../../contract.ts';
import { ApiError, invalid } from '../errors.ts';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';
import { isReadOnly, type Operation } from '../operation.ts';
import { type EntityIds, type EntityType, entityTypes } from '../schemas/entity.ts';
import type { ScopeLock } from './memory-scope.ts';

type LockedOutput = Readonly<Record<string, unknown>>;

/** A call of an operation under a configuration that may lock its scope. */
export type LockedCall = {
  record: { name: OperationName; operation: Operation };
  /** The input that is passed on. */
  input: Record<string, unknown>;
  /** The input after parsing. */
  parsed: Record<string, unknown>;
  signal: AbortSignal;
  lock: ScopeLock;
  options: { invoke: Invoke; caller: Caller; add_wait_ms: number };
};

/** Throws when a call would write what its locked scope hides. */
export async function checkLockedWrite(call: LockedCall): Promise<void> {
  const { record, parsed } = call;
  const locked = call.lock.entities;
  if (!isBoundByLock(call) || isReadOnly(record.operation)) return;
  if ('entity_type' in parsed) return checkEntity(parsed, locked);
  const ids = [...new Set(memoryIds(parsed))];
  const { results } = ids.length === 0 ? { results: [] } : await listLockedMemories(call, ids);
  if (results.length < ids.length) throw hiddenIdError(ids.length);
}

/** Invokes the operation and removes from its output what a locked scope hides. */
export async function invokeInLockedScope(call: LockedCall): Promise<LockedOutput> {
  const { record } = call;
  if (!isBoundByLock(call) || !isReadOnly(record.operation)) {
    return invokeOperation(call, call.input);
  }
  if ('entity_type' in record.operation.input.shape) return listLockedEntities(call);
  if ('event_type' in record.operation.input.shape) return listLockedEvents(call);
  const answer = await invokeOperation(call, call.input).catch(rethrowHidden);
  const items = Array.isArray(answer.results) && !isEventRecord(answer) ? answer.results : [answer];
  const locked = call.lock.entities;
  if (!items.every((item) => isInLockedScope(item, locked))) throw hiddenIdError(1);
  return answer;
}

/** True when the scope is locked to entities and the operation does not take them as fields. */
function isBoundByLock({ record, lock }: LockedCall): boolean {
  const locked = Object.keys(lock.entities);
  return locked.length > 0 && !('user_id' in record.operation.input.shape);
}

function invokeOperation(
  { record, options, signal }: LockedCall,
  input: unknown,
): Promise<LockedOutput> {
  const { caller, add_wait_ms: wait_ms } = options;
  return options.invoke(record.name, input, { caller, signal, wait_ms });
}

/** Unknown and hidden ids get the same error, so that existence does not leak. */
function hiddenIdError(count: number): ApiError {
  return new ApiError('not_found', count === 1 ? 'not found' : 'not found: one of the ids');
}

function rethrowHidden(error: unknown): never {
  throw error instanceof ApiError && error.code === 'not_found' ? hiddenIdError(1) : error;
}

function memoryIds({ memory_id, memory_ids, memories }: LockedOutput): string[] {
  const items = Array.isArray(memories) ? memories.map((item: unknown) => item) : [];
  const ids = [memory_id, memory_ids, items.map((item) => isObject(item) && item.memory_id)];
  return ids.flat().filter((id) => typeof id === 'string');
}

function listLockedMemories(
  call: LockedCall,
  ids: readonly string[],
): Promise<Output<'get_memories'>> {
  const { options, signal, parsed } = call;
  const input = {
    ...projectIdsOf(parsed),
    ...call.lock.entities,
    filters: { id: { in: ids } },
    fields: ['id'],
    show_expired: true,
    show_waiting: true,
    latest_only: false,
    page_size: limits.page_size_max,
  };
  return options.invoke('get_memories', input, { caller: options.caller, signal });
}

function projectIdsOf({ org_id, project_id }: LockedOutput): LockedOutput {
  return { org_id, project_id };
}

function checkEntity({ entity_type, entity_id }: LockedOutput, locked: Partial<EntityIds>): void {
  if (locked[`${entity_type as EntityType}_id`] !== entity_id) throw hiddenIdError(1);
  if (Object.keys(locked).length > 1) {
    throw invalid('entity_id', 'the scope is locked to more than this; delete by filter instead');
  }
}

async function listLockedEntities(call: LockedCall): Promise<LockedOutput> {
  const { parsed } = call;
  const locked = call.lock.entities;
  const types = entityTypes.filter((type) => (parsed.entity_type ?? type) === type);
  const found: unknown[] = [];
  for (const entity_type of types) {
    const entity_id = locked[`${entity_type}_id`];
    if (entity_id === undefined) continue;
    const input = { ...projectIdsOf(parsed), entity_type, entity_id };
    const { results } = await invokeOperation(call, input).catch(emptyWhenHidden);
    if (Array.isArray(results)) found.push(...results);
  }
  return pageOfResults(found, parsed);
}

function emptyWhenHidden(error: unknown): { results: unknown[] } {
  if (error instanceof ApiError && error.code === 'not_found') return { results: [] };
  throw error;
}

/** How many of the newest events of a project are searched for those of the lock. */
const eventsReadMax = 1000;

async function listLockedEvents(call: LockedCall): Promise<LockedOutput> {
  const locked = call.lock.entities;
  const page_size = limits.events_page_size_max;
  const found: unknown[] = [];
  for (let number = 1; number <= eventsReadMax / page_size; number += 1) {
    const { results } = await invokeOperation(call, { ...call.input, page: number, page_size });
    if (!Array.isArray(results)) break;
    found.push(...results.filter((event) => isInLockedScope(event, locked)));
    if (results.length < page_size) break;
  }
  return pageOfResults(found, call.parsed);
}

function pageOfResults(found: readonly unknown[], input: LockedOutput): LockedOutput {
  const number = Number(input.page);
  const size = Number(input.page_size);
  const results = found.slice((number - 1) * size, number * size);
  return { results, total: found.length, page: number, page_size: size };
}

function isEventRecord(answer: LockedOutput): boolean {
  return 'event_type' in answer;
}

/** True when a memory, a history entry or an event carries all of the locked ids. */
function isInLockedScope(item: unknown, locked: Partial<EntityIds>): boolean {
  if (!isObject(item)) return false;
  const ids = Object.entries(locked);
  if (!isEventRecord(item)) return ids.every(([field, id]) => item[field] === id);
  const { payload, results } = item;
  if (isObject(payload) && ids.every(([field, id]) => payload[field] === id)) return true;
  const users = Array.isArray(results) ? results.map((result: unknown) => userIdOf(result)) : [];
  const userOnly = ids.length === 1 && locked.user_id !== undefined;
  return userOnly && users.length > 0 && users.every((user) => user === locked.user_id);
}

function userIdOf(result: unknown): unknown {
  return isObject(result) ? result.user_id : undefined;
}
