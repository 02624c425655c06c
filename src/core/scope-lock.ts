import type { Operation } from '../contract/operation.ts';
import type { EntityIds } from '../contract/schemas/entity.ts';
import { mapRecordIds, type RecordKind } from '../contract/schemas/record-id.ts';
import {
  beyondLock,
  checkLockedEntity,
  hiddenError,
  withLockedFields,
} from '../contract/scope/locked-entity.ts';
import { lockedEntities, namesOwnersWithin, ofNoEntity } from '../contract/scope/memory-scope.ts';
import type { Caller, OperationName } from '../contract.ts';
import type { ProjectRef, Tables } from './ports/index.ts';

type Lock = Partial<EntityIds>;
type LockedInput = Readonly<Record<string, unknown>>;
type LockTables = Pick<Tables, 'memories' | 'history' | 'events' | 'exports' | 'recalls'>;

/** What a locked caller asks of an operation in a project. */
type LockedRequest = {
  name: OperationName;
  operation: Operation;
  input: LockedInput;
  caller: Caller;
  /** Null if the operation is not about one project. */
  project: ProjectRef | null;
};

/**
 * The input as the lock of its caller leaves it: operations that take ids of entities get the
 * locked ones, those that take ids of records may name only records that carry them. What is not
 * limited to entities is refused, so that a new operation is closed until it says how it is.
 *
 * @throws {ApiError} not_found for what carries other ids, as for what does not exist; invalid for
 * another entity; forbidden for what reaches beyond entities
 */
export async function keepWithinLock<I extends LockedInput>(
  request: LockedRequest & { input: I },
  tables: LockTables,
): Promise<I> {
  const { name, operation, input, caller } = request;
  const lock = lockedEntities(caller);
  const fields = Object.keys(lock);
  if (fields.length === 0 || ofNoEntity.includes(name) || listsOfLocked.includes(name))
    return input;
  if (namesOwnersWithin(input)) throw beyondLock(name, lock);
  const { shape } = operation.input;
  if (fields.every((field) => field in shape)) {
    const locked = withLockedFields(input, lock);
    await checkRecords(request, lock, tables);
    return locked;
  }
  if ('entity_type' in shape) checkLockedEntity(input, lock);
  else if ((await checkRecords(request, lock, tables)) === 0) throw beyondLock(name, lock);
  return input;
}

/**
 * Throws `forbidden` for what is not about a project, before anything is looked up for it: what is
 * there then makes no difference.
 */
export function checkSubject(name: OperationName, operation: Operation, caller: Caller): void {
  const lock = lockedEntities(caller);
  const { subject = 'project' } = operation;
  if (subject !== 'project' && Object.keys(lock).length > 0) throw beyondLock(name, lock);
}

/** Their handlers list only what is locked. */
const listsOfLocked: readonly OperationName[] = ['list_entities', 'list_events'];

/** How many kinds of records the input names; throws unless all of them carry the lock. */
async function checkRecords(
  { name, operation, input, project }: LockedRequest,
  lock: Lock,
  tables: LockTables,
): Promise<number> {
  const ids = new Map<RecordKind, Set<string>>();
  for (const [field, schema] of Object.entries(operation.input.shape)) {
    mapRecordIds(schema, input[field], (kind, id, place) => {
      // A condition of a filter only narrows what is selected.
      if (typeof id === 'string' && place === 'field')
        ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
      return id;
    });
  }
  for (const [kind, named] of ids) {
    const find = ownersOf[kind];
    if (project === null || find === undefined) throw beyondLock(name, lock);
    const recordOwners = await find(tables, project, [...named]);
    const isOwn = (owners: Owners) =>
      owners.length > 0 && owners.every((one) => carries(one, lock));
    if (!recordOwners.every(isOwn)) throw hiddenError(nouns[kind]);
  }
  return ids.size;
}

/** The ids of entities that the rows of a record carry; empty if there is no such record. */
type Owners = readonly EntityIds[];
type FindOwners = (
  tables: LockTables,
  project: ProjectRef,
  ids: readonly string[],
) => Promise<Owners[]>;

/** The names of records in errors. */
const nouns: { [kind in RecordKind]?: string } = {
  memory: 'memory',
  history: 'memory',
  event: 'event',
  export: 'export',
  recall: 'recall',
};

const ownersOfHistory: FindOwners = ({ history }, project, ids) =>
  Promise.all(ids.map((id) => history.list(project, id)));

/** Kinds that carry no ids of entities are missing. */
const ownersOf: { [kind in RecordKind]?: FindOwners } = {
  // A deleted memory can still be read as of a time when it was there.
  memory: async (tables, project, ids) => {
    const memories = await tables.memories.findMany(project, ids);
    const byId = new Map(memories.map((memory) => [memory.id, memory]));
    const deleted = ids.filter((id) => !byId.has(id));
    const histories = await ownersOfHistory(tables, project, deleted);
    const earlier = new Map(deleted.map((id, at) => [id, histories[at] ?? []]));
    return ids.map((id) => [byId.get(id) ?? earlier.get(id) ?? []].flat());
  },
  history: ownersOfHistory,
  event: ({ events }, project, ids) => findEach(ids, (id) => events.find(project, id)),
  export: ({ exports }, project, ids) => findEach(ids, (id) => exports.find(project, id)),
  recall: ({ recalls }, project, ids) => findEach(ids, (id) => recalls.find(project, id)),
};

function findEach(
  ids: readonly string[],
  find: (id: string) => Promise<EntityIds | null>,
): Promise<Owners[]> {
  return Promise.all(ids.map(async (id) => [(await find(id)) ?? []].flat()));
}

function carries(owner: EntityIds, lock: Lock): boolean {
  return Object.entries(lock).every(([field, id]) => owner[field as keyof EntityIds] === id);
}
