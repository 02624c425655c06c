// What a locked scope lets through, where an operation has no entity ids of its own:
//
// - memories by id: written when all of them carry the locked ids; read when the answer does;
// - entities: the locked ones are all there are; one is deleted only when it alone is the lock,
//   for a delete by one of several ids would reach beyond the others;
// - events: those whose payload carries the locked ids, or whose results all belong to the locked
//   user; among the newest 1,000 of the project.

import { ApiError, invalid } from '../contract/errors.ts';
import type { Output } from '../contract/index.ts';
import { limits } from '../contract/limits.ts';
import { isObject } from '../contract/object.ts';
import { type EntityIds, type EntityType, entityTypes } from '../contract/schemas/entity.ts';
import type { Call } from './request.ts';
import { isReadOnly } from './tool.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Throws when a call would write what its locked scope hides. */
export async function checkLockedInput(call: Call): Promise<void> {
  const { record, parsed } = call;
  const locked = call.tools.lockedEntities;
  if (!isHeldTo(call) || isReadOnly(record.operation)) return;
  if ('entity_type' in parsed) return checkEntity(parsed, locked);
  const ids = [...new Set(memoryIds(parsed))];
  const { results } = ids.length === 0 ? { results: [] } : await listOwn(call, ids);
  if (results.length < ids.length) throw unknownId(ids.length);
}

/** Invokes the operation and leaves out of its answer what a locked scope hides. */
export async function invokeLocked(call: Call): Promise<Answer> {
  const { record } = call;
  if (!isHeldTo(call) || !isReadOnly(record.operation)) return invoke(call, call.input);
  if ('entity_type' in record.operation.input.shape) return listEntities(call);
  if ('event_type' in record.operation.input.shape) return listEvents(call);
  const answer = await invoke(call, call.input).catch(hideReason);
  const items = Array.isArray(answer.results) && !isEvent(answer) ? answer.results : [answer];
  if (!items.every((item) => belongs(item, call.tools.lockedEntities))) throw unknownId(1);
  return answer;
}

/** True when the scope is locked to entities and the operation does not take them as fields. */
function isHeldTo({ record, tools }: Call): boolean {
  const locked = Object.keys(tools.lockedEntities);
  return locked.length > 0 && !('user_id' in record.operation.input.shape);
}

function invoke({ record, options, signal }: Call, input: unknown): Promise<Answer> {
  const { caller, add_wait_ms: wait_ms } = options;
  return options.invoke(record.name, input, { caller, signal, wait_ms });
}

/** Unknown and hidden ids answer the same, so that existence does not leak. */
function unknownId(count: number): ApiError {
  return new ApiError('not_found', count === 1 ? 'not found' : 'not found: one of the ids');
}

function hideReason(error: unknown): never {
  throw error instanceof ApiError && error.code === 'not_found' ? unknownId(1) : error;
}

function memoryIds({ memory_id, memory_ids, memories }: Answer): string[] {
  const items = Array.isArray(memories) ? memories.map((item: unknown) => item) : [];
  const given = [memory_id, memory_ids, items.map((item) => isObject(item) && item.memory_id)];
  return given.flat().filter((id) => typeof id === 'string');
}

function listOwn(call: Call, ids: readonly string[]): Promise<Output<'get_memories'>> {
  const { options, signal, parsed } = call;
  const input = {
    ...projectOf(parsed),
    ...call.tools.lockedEntities,
    filters: { id: { in: ids } },
    fields: ['id'],
    show_expired: true,
    latest_only: false,
    page_size: limits.page_size_max,
  };
  return options.invoke('get_memories', input, { caller: options.caller, signal });
}

function projectOf({ org_id, project_id }: Answer): Answer {
  return { org_id, project_id };
}

function checkEntity({ entity_type, entity_id }: Answer, locked: Partial<EntityIds>): void {
  if (locked[`${entity_type as EntityType}_id`] !== entity_id) throw unknownId(1);
  if (Object.keys(locked).length > 1) {
    throw invalid('entity_id', 'the scope is locked to more than this; delete by filter instead');
  }
}

async function listEntities(call: Call): Promise<Answer> {
  const { parsed } = call;
  const locked = call.tools.lockedEntities;
  const asked = entityTypes.filter((type) => (parsed.entity_type ?? type) === type);
  const found: unknown[] = [];
  for (const entity_type of asked) {
    const entity_id = locked[`${entity_type}_id`];
    if (entity_id === undefined) continue;
    const input = { ...projectOf(parsed), entity_type, entity_id };
    const { results } = await invoke(call, input).catch(noneFound);
    if (Array.isArray(results)) found.push(...results);
  }
  return page(found, parsed);
}

function noneFound(error: unknown): { results: unknown[] } {
  if (error instanceof ApiError && error.code === 'not_found') return { results: [] };
  throw error;
}

/** The newest events of a project that are looked through for those of the lock. */
const eventsRead = 1000;

async function listEvents(call: Call): Promise<Answer> {
  const locked = call.tools.lockedEntities;
  const page_size = limits.events_page_size_max;
  const found: unknown[] = [];
  for (let number = 1; number <= eventsRead / page_size; number += 1) {
    const { results } = await invoke(call, { ...call.input, page: number, page_size });
    if (!Array.isArray(results)) break;
    found.push(...results.filter((event) => belongs(event, locked)));
    if (results.length < page_size) break;
  }
  return page(found, call.parsed);
}

function page(found: readonly unknown[], asked: Answer): Answer {
  const number = Number(asked.page);
  const size = Number(asked.page_size);
  const results = found.slice((number - 1) * size, number * size);
  return { results, total: found.length, page: number, page_size: size };
}

function isEvent(answer: Answer): boolean {
  return 'event_type' in answer;
}

/** True when a memory, a history entry or an event carries all of the locked ids. */
function belongs(item: unknown, locked: Partial<EntityIds>): boolean {
  if (!isObject(item)) return false;
  const ids = Object.entries(locked);
  if (!isEvent(item)) return ids.every(([field, id]) => item[field] === id);
  const { payload, results } = item;
  if (isObject(payload) && ids.every(([field, id]) => payload[field] === id)) return true;
  const users = Array.isArray(results) ? results.map((result: unknown) => userOf(result)) : [];
  const userOnly = ids.length === 1 && locked.user_id !== undefined;
  return userOnly && users.length > 0 && users.every((user) => user === locked.user_id);
}

function userOf(result: unknown): unknown {
  return isObject(result) ? result.user_id : undefined;
}
