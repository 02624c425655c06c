// Keeps callers in the entities that they are locked to, on a remote instance, which does not know
// the lock. What the operations of the contract say about their fields is all there is to go by:
//
// - operations that take the ids of entities get the locked ones;
// - memories by id: written if all of them carry the locked ids; read if the output does;
// - entities: only the locked ones exist; one is deleted only if it is the only lock, because a
//   delete by one of several ids would reach beyond the others;
// - events: among the newest 1,000 of the project, those whose payload carries the locked ids, or
//   whose results all belong to the locked user.

import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { limits } from '../../contract/limits.ts';
import { isReadOnly, type Operation } from '../../contract/operation.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { type EntityIds, type EntityType, entityTypes } from '../../contract/schemas/entity.ts';
import {
  beyondLock,
  checkLockedEntity,
  hiddenError,
  withLockedFields,
} from '../../contract/scope/locked-entity.ts';
import {
  lockedEntities,
  type MemoryScope,
  namesOwnersWithin,
  ofNoEntity,
} from '../../contract/scope/memory-scope.ts';
import { type CallOptions, contract, type Invoke, type OperationName } from '../../contract.ts';

type CallFields = Readonly<Record<string, unknown>>;
type Locked = Partial<EntityIds>;

type LockedCall = {
  name: OperationName;
  operation: Operation;
  input: CallFields;
  /** The input after parsing. */
  parsed: CallFields;
  locked: Locked;
  options: CallOptions;
  invoke: Invoke;
};

/** The same for callers without a lock; others see and change only what carries the locked ids. */
export function keepRemoteWithinLock(invoke: Invoke): Invoke {
  return async (name, input, options) => {
    const { lock = {} } = options.caller;
    const operation: Operation = contract[name];
    const sent = inLockedPlace({ name, operation }, isObject(input) ? input : {}, lock);
    const locked = lockedEntities({ lock });
    if (Object.keys(locked).length === 0 || ofNoEntity.includes(name)) {
      return invoke(name, sent, options);
    }
    const parsed: CallFields = parseInput(operation, sent);
    const call = { name, operation, input: sent, parsed, locked, options, invoke };
    // The lock only removes items from what the operation returns.
    return (await invokeLocked(call)) as never;
  };
}

type AskedOperation = Pick<LockedCall, 'name' | 'operation'>;

/** The input in the locked organization and project; what is not about a project is refused. */
function inLockedPlace(
  { name, operation }: AskedOperation,
  input: CallFields,
  lock: MemoryScope,
): CallFields {
  const { org_id, project_id } = lock;
  const boundFields = Object.entries({ org_id, project_id }).filter(([, id]) => id !== undefined);
  if (boundFields.length === 0) return input;
  const { subject = 'project', scope, input: schema } = operation;
  const isBeyond = subject !== 'project' || scope === 'account:write';
  if (isBeyond || !boundFields.every(([field]) => field in schema.shape))
    throw beyondLock(name, lock);
  return withLockedFields(input, Object.fromEntries(boundFields));
}

async function invokeLocked(call: LockedCall): Promise<CallFields> {
  const { name, operation, parsed, locked } = call;
  const { shape } = operation.input;
  const { subject = 'project' } = operation;
  if (subject !== 'project' || namesOwnersWithin(parsed)) throw beyondLock(name, locked);
  if (Object.keys(locked).every((field) => field in shape)) {
    return passOn(call, withLockedFields(call.input, locked));
  }
  if (name === 'list_events') return listEvents(call);
  if (name === 'list_entities') return listEntities(call);
  if ('entity_type' in shape) {
    checkLockedEntity(parsed, locked);
    return passOn(call, call.input);
  }
  if (!isReadOnly(operation)) {
    await checkMemories(call);
    return passOn(call, call.input);
  }
  if (!recordFields.some((field) => field in shape)) throw beyondLock(name, locked);
  const answer = await passOn(call, call.input).catch(rethrowHidden);
  if (!recordsOf(answer).every((item) => isOwn(item, locked))) throw hiddenError();
  return answer;
}

/** Fields by which records are read that say whose they are. */
const recordFields = ['memory_id', 'event_id', 'recall_id'];

/** The records of an answer: an event, the recall that was replayed, a list, or one memory. */
function recordsOf(answer: CallFields): readonly unknown[] {
  if (isEventRecord(answer)) return [answer];
  if ('recall' in answer) return [answer.recall];
  return Array.isArray(answer.results) ? answer.results : [answer];
}

function passOn({ name, options, invoke }: LockedCall, input: CallFields): Promise<CallFields> {
  return invoke(name, input, options);
}

function rethrowHidden(error: unknown): never {
  throw error instanceof ApiError && error.code === 'not_found' ? hiddenError() : error;
}

async function checkMemories({ name, parsed, locked, options, invoke }: LockedCall): Promise<void> {
  const ids = [...new Set(memoryIds(parsed))];
  if (ids.length === 0) throw beyondLock(name, locked);
  const input = {
    ...projectIdsOf(parsed),
    ...locked,
    filters: { id: { in: ids } },
    fields: ['id'],
    show_expired: true,
    show_waiting: true,
    latest_only: false,
    page_size: limits.page_size_max,
  };
  const { results } = await invoke('get_memories', input, options);
  if (results.length < ids.length) throw hiddenError();
}

function memoryIds({ memory_id, memory_ids, memories, replaces }: CallFields): string[] {
  const items = Array.isArray(memories) ? memories.map((item: unknown) => item) : [];
  const ids = items.map((item) => isObject(item) && item.memory_id);
  return [memory_id, memory_ids, ids, replaces].flat().filter((id) => typeof id === 'string');
}

function projectIdsOf({ org_id, project_id }: CallFields): CallFields {
  return { org_id, project_id };
}

async function listEntities(call: LockedCall): Promise<CallFields> {
  const { parsed, locked } = call;
  const types = entityTypes.filter((type) => (parsed.entity_type ?? type) === type);
  const entities: unknown[] = [];
  for (const entity_type of types) {
    const entity_id = locked[`${entity_type}_id`];
    if (entity_id === undefined) continue;
    const input = { ...projectIdsOf(parsed), entity_type, entity_id };
    const { results } = await passOn(call, input).catch(emptyWhenHidden);
    if (Array.isArray(results)) entities.push(...results);
  }
  const count = (type: EntityType) =>
    entities.filter((entity) => isObject(entity) && entity.type === type).length;
  const totals = {
    total_users: count('user'),
    total_agents: count('agent'),
    total_apps: count('app'),
    total_runs: count('run'),
  };
  return { ...pageOf(entities, parsed), ...totals };
}

function emptyWhenHidden(error: unknown): { results: unknown[] } {
  if (error instanceof ApiError && error.code === 'not_found') return { results: [] };
  throw error;
}

/** How many of the newest events of a project are searched for those of the lock. */
const eventsReadMax = 1000;

async function listEvents(call: LockedCall): Promise<CallFields> {
  const page_size = limits.events_page_size_max;
  const events: unknown[] = [];
  for (let page = 1; page <= eventsReadMax / page_size; page += 1) {
    const { results } = await passOn(call, { ...call.input, page, page_size });
    if (!Array.isArray(results)) break;
    events.push(...results.filter((event) => isOwn(event, call.locked)));
    if (results.length < page_size) break;
  }
  return pageOf(events, call.parsed);
}

function pageOf(all: readonly unknown[], input: CallFields): CallFields {
  const page = Number(input.page);
  const page_size = Number(input.page_size);
  const results = all.slice((page - 1) * page_size, page * page_size);
  return { results, total: all.length, page, page_size };
}

function isEventRecord(answer: CallFields): boolean {
  return 'event_type' in answer;
}

/** True when a memory, a history entry or an event carries all of the locked ids. */
function isOwn(item: unknown, locked: Locked): boolean {
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
