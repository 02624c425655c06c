import { ApiError, invalid } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import { dayMs } from '../../contract/wall-clock.ts';
import type { Parsed } from '../../contract.ts';
import { createTurns, partsOf } from '../../turns.ts';
import { contentHash } from '../memory/content-hash.ts';
import { memoryNotFound } from '../memory/not-found.ts';
import { selectAllMatching } from '../memory/selection.ts';
import type {
  Deps,
  Instant,
  MemoryVersion,
  ProjectRef,
  StoredMemory,
  Tables,
} from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';
import { resolveAsOf } from './resolve-time.ts';

type UndoDeps = Pick<Deps, 'store' | 'clock' | 'timezone' | 'versions_kept'>;
type UndoUnit = { tables: Tables; project: ProjectRef };
type RestoreInput = Parsed<'undo_changes'>;

/** What a memory is now and what it will be again; null while it does not exist. */
export type Restoration = {
  id: string;
  from: StoredMemory | null;
  to: StoredMemory | null;
  /** Its latest version: `from`, or the deleted one. */
  last: StoredMemory;
};
export type RestoreConflict = { id: string; reason: string };
export type UndoChangesPlan = {
  restorations: Restoration[];
  conflicts: RestoreConflict[];
  /** True if the change to undo was itself an undo. */
  redo: boolean;
};

/** What an undo would do to the memories as they are now. */
export async function planUndoChanges(
  deps: UndoDeps,
  unit: UndoUnit,
  input: RestoreInput,
): Promise<UndoChangesPlan> {
  const { ids, earlierOf, ...source } = await findChanged(deps, unit, input);
  if (ids.length > limits.undo_memories_max) {
    const problem = `more than ${limits.undo_memories_max} memories; name an entity or a later time`;
    throw invalid(input.since === undefined ? 'event_id' : 'since', `changes ${problem}`);
  }
  const plan: UndoChangesPlan = { restorations: [], conflicts: [], redo: source.redo === true };
  const yieldTurn = createTurns();
  for (const chunk of partsOf(ids, idsAtOnce)) {
    await yieldTurn();
    for (const versions of groupById(
      await unit.tables.versions.listVersions(unit.project, chunk),
    )) {
      const [first] = versions;
      if (first === undefined || !isOwnedBy(input, first.memory)) continue;
      planOne({ deps, plan }, versions, earlierOf(versions));
      if (source.redo === undefined) plan.redo = await isUndone(unit, versions.at(-1));
    }
  }
  if (!input.force) await leaveRepeated(unit, plan);
  if (input.memory_id !== undefined && plan.restorations.length + plan.conflicts.length === 0) {
    if (!(await isKnown(unit, input, input.memory_id))) throw memoryNotFound();
  }
  return plan;
}

/** Few enough that reading their versions does not delay other work. */
const idsAtOnce = 100;

type Earlier = { to: StoredMemory | null } | { reason: string } | null;
type ChangedMemories = {
  ids: readonly string[];
  /** What the memory was before, why it can't be undone, or null if there is nothing to undo. */
  earlierOf: (versions: readonly MemoryVersion[]) => Earlier;
  /** Undefined if the last change of the memory decides it. */
  redo: boolean | undefined;
};

async function findChanged(
  deps: UndoDeps,
  unit: UndoUnit,
  input: RestoreInput,
): Promise<ChangedMemories> {
  if (input.event_id !== undefined) return changedByEvent(unit, input, input.event_id);
  if (input.memory_id !== undefined) return changedMemory(deps, unit, input);
  return input.since === undefined ? lastChange(unit, input) : changedSince(deps, unit, input);
}

async function changedByEvent(
  { tables, project }: UndoUnit,
  { force }: RestoreInput,
  event_id: string,
): Promise<ChangedMemories> {
  const event = await tables.events.find(project, event_id);
  const ended = await tables.versions.listEndedBy(project, event_id, limits.undo_memories_max + 1);
  if (event === null && ended.length === 0) throw new ApiError('not_found', 'event not found');
  const changes = (event?.results ?? []).flatMap(({ id, event: kind }) =>
    id === null || kind === 'NOOP' ? [] : [{ id, kind }],
  );
  const addedIds = new Set(changes.filter(({ kind }) => kind === 'ADD').map(({ id }) => id));
  const ids = [...new Set([...changes.map(({ id }) => id), ...ended])];
  return {
    ids,
    earlierOf: (versions) => beforeEvent(versions, { event_id, addedIds, force }),
    redo: event?.event_type === 'UNDO',
  };
}

type EventUndo = { event_id: string; addedIds: ReadonlySet<string>; force: boolean };

/** What the memory was before the event, unless it changed again since. */
function beforeEvent(
  versions: readonly MemoryVersion[],
  { event_id, addedIds, force }: EventUndo,
): Earlier {
  const before = versions.find((one) => one.ended_by === event_id && one.recorded_by !== event_id);
  const recorded = versions.findLast(({ recorded_by }) => recorded_by === event_id);
  if (before === undefined && recorded === undefined) return null;
  const last = versions.at(-1);
  const isUntouched =
    last?.recorded_until === null ? last === recorded : last?.ended_by === event_id;
  if (!isUntouched && !force) return { reason: 'it changed again later' };
  if (before !== undefined) return { to: before.memory };
  const id = versions[0]?.memory.id ?? '';
  return addedIds.has(id) ? { to: null } : { reason: notKept };
}

const notKept = 'its earlier version is no longer kept';

async function changedMemory(
  deps: UndoDeps,
  { tables, project }: UndoUnit,
  { memory_id: id = '', as_of }: RestoreInput,
): Promise<ChangedMemories> {
  if (as_of !== undefined) {
    const instant = await resolveAsOf(deps, project, { as_of });
    const [to] = await tables.versions.findMany(project, [id], {
      as_of: instant,
      valid_at: null,
    });
    if (to !== undefined) return { ids: [id], earlierOf: () => ({ to }), redo: false };
    throw invalid('as_of', `memory ${id} was not there then, or its version is no longer kept`);
  }
  const change = (await tables.history.list(project, id)).at(-1)?.event;
  return {
    ids: [id],
    earlierOf: (versions) => beforeLast(versions, change === 'ADD'),
    redo: undefined,
  };
}

/** True if an undo made the memory what it is, or deleted it. */
async function isUndone(
  { tables, project }: UndoUnit,
  last: MemoryVersion | undefined,
): Promise<boolean> {
  const event_id = lastEventOf(last);
  if (event_id === null) return false;
  return (await tables.events.listUndos(project, [event_id])).length > 0;
}

/** The event that made a memory what it is, or deleted it. */
function lastEventOf(last: MemoryVersion | undefined): string | null {
  return (last?.recorded_until === null ? last.recorded_by : last?.ended_by) ?? null;
}

function beforeLast(versions: readonly MemoryVersion[], isAdded: boolean): Earlier {
  const last = versions.at(-1);
  if (last?.recorded_until !== null) return last === undefined ? null : { to: last.memory };
  const before = versions.at(-2);
  if (!isAdded && before?.recorded_until === last.recorded_from) return { to: before.memory };
  return isAdded ? { to: null } : { reason: notKept };
}

/**
 * Everything that the event of the newest change did; a change without an event is undone alone.
 */
async function lastChange(unit: UndoUnit, input: RestoreInput): Promise<ChangedMemories> {
  const { tables, project } = unit;
  const { user_id, agent_id, app_id, run_id } = input;
  const query = { ids: { user_id, agent_id, app_id, run_id }, page: 1, page_size: 1 };
  const [newest] = (await tables.history.listNewest(project, query)).results;
  if (newest === undefined) return { ids: [], earlierOf: () => null, redo: false };
  const { memory_id, event } = newest;
  const last = (await tables.versions.listVersions(project, [memory_id])).at(-1);
  const event_id = lastEventOf(last);
  if (event_id !== null) return changedByEvent(unit, input, event_id);
  const earlierOf = (versions: readonly MemoryVersion[]) => beforeLast(versions, event === 'ADD');
  return { ids: [memory_id], earlierOf, redo: false };
}

async function changedSince(
  deps: UndoDeps,
  { tables, project }: UndoUnit,
  input: RestoreInput,
): Promise<ChangedMemories> {
  const since = await resolveAsOf(deps, project, { since: input.since ?? '' });
  const { history_days } = deps.versions_kept;
  const now = deps.clock.now();
  if (history_days > 0 && since < addMs(now, -history_days * dayMs)) {
    throw invalid('since', `versions are kept for ${history_days} days (history_days)`);
  }
  const within = { from: since, until: farFuture, limit: limits.undo_memories_max + 1 };
  const ids = await tables.versions.listChanged(project, selectAllMatching(input), within);
  const isCurrent = ({ recorded_from, recorded_until }: MemoryVersion) =>
    recorded_from <= since && (recorded_until === null || recorded_until > since);
  const before = (versions: readonly MemoryVersion[]) => ({
    to: versions.find(isCurrent)?.memory ?? null,
  });
  if (input.key_id === undefined) return { ids, earlierOf: before, redo: false };
  const keyEventIds = new Set(await tables.events.listIdsOfKey(project, input.key_id, since));
  const earlierOf = (versions: readonly MemoryVersion[]): Earlier => {
    const changes = changesSince(versions, since);
    if (!changes.some((id) => keyEventIds.has(id))) return null;
    const isAll = changes.every((id) => keyEventIds.has(id));
    return isAll || input.force ? before(versions) : { reason: 'others changed it as well' };
  };
  return { ids, earlierOf, redo: false };
}

/** The events that changed a memory after a time; an empty id for one without an event. */
function changesSince(versions: readonly MemoryVersion[], since: Instant): string[] {
  return versions.flatMap(({ recorded_from, recorded_by, recorded_until, ended_by }) => [
    ...(recorded_from > since ? [recorded_by ?? ''] : []),
    ...(recorded_until !== null && recorded_until > since ? [ended_by ?? ''] : []),
  ]);
}

/** Later than any change, even if a clock was set back. */
const farFuture = '9999';
type Planning = { deps: UndoDeps; plan: UndoChangesPlan };

function planOne(
  { deps, plan }: Planning,
  versions: readonly MemoryVersion[],
  earlier: Earlier,
): void {
  const last = versions.at(-1);
  if (earlier === null || last === undefined) return;
  const { id } = last.memory;
  const from = last.recorded_until === null ? last.memory : null;
  const to = 'to' in earlier ? earlier.to : null;
  const isBack = to !== null && from === null;
  const reason = 'reason' in earlier ? earlier.reason : isBack ? whyTooLate(deps, last) : null;
  if (reason !== null) plan.conflicts.push({ id, reason });
  else if (!isSame(from, to)) plan.restorations.push({ id, from, to, last: last.memory });
}

function whyTooLate(
  { clock, versions_kept: { undo_days } }: UndoDeps,
  { recorded_until }: MemoryVersion,
): string | null {
  const isTooLate =
    recorded_until !== null && recorded_until < addMs(clock.now(), -undo_days * dayMs);
  return isTooLate ? `it was deleted more than ${undo_days} days ago (undo_days)` : null;
}

/**
 * A deleted memory stays deleted if another one has its text by now, unless the undo also removes
 * or rewrites that one.
 */
async function leaveRepeated({ tables, project }: UndoUnit, plan: UndoChangesPlan): Promise<void> {
  const texts = new Map(plan.restorations.map(({ id, to }) => [id, to?.memory]));
  const restorations: Restoration[] = [];
  const yieldTurn = createTurns();
  for (const restoration of plan.restorations) {
    await yieldTurn();
    const { id, from, to } = restoration;
    const isBack = from === null && to !== null;
    const same = isBack
      ? await tables.memories.findDuplicate(project, to, contentHash(to.memory))
      : null;
    if (same === null || (texts.has(same.id) && texts.get(same.id) !== to?.memory))
      restorations.push(restoration);
    else plan.conflicts.push({ id, reason: `memory ${same.id} has the same text` });
  }
  plan.restorations = restorations;
}

/** Compares everything that an undo restores. */
function isSame(one: StoredMemory | null, other: StoredMemory | null): boolean {
  if (one === null || other === null) return one === other;
  const contentOf = ({ updated_at: _, position: _p, hash: _h, ...content }: StoredMemory) =>
    JSON.stringify(content);
  return contentOf(one) === contentOf(other);
}

function isOwnedBy(input: RestoreInput, memory: StoredMemory): boolean {
  return entityIdFields.every(
    (field) => input[field] === undefined || input[field] === memory[field],
  );
}

async function isKnown({ tables, project }: UndoUnit, input: RestoreInput, id: string) {
  const versions = await tables.versions.listVersions(project, [id]);
  return versions.some(({ memory }) => isOwnedBy(input, memory));
}

function groupById(versions: readonly MemoryVersion[]): MemoryVersion[][] {
  const groups = new Map<string, MemoryVersion[]>();
  for (const version of versions) {
    const group = groups.get(version.memory.id);
    if (group === undefined) groups.set(version.memory.id, [version]);
    else group.push(version);
  }
  return [...groups.values()];
}
