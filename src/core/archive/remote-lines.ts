import { isObject } from '../../contract/is-object.ts';
import { type EntityType, entityIdField, entityIdFields } from '../../contract/schemas/entity.ts';
import { memoryStatuses, sourceClasses } from '../../contract/schemas/memory.ts';
import { isoDayOf } from '../../contract/wall-clock.ts';

export type RemoteItem = Record<string, unknown>;
export type RemoteEntityRef = { type: EntityType; id: string };

/** What another instance says of a memory. */
type RemoteMemory = {
  memory: RemoteItem;
  history: readonly RemoteItem[];
  /** All of them, the last as it is now; none if the instance lists none. */
  versions: readonly RemoteItem[];
};

type RemoteLine = RemoteItem & { kind: 'memory' | 'version' | 'history' };

/**
 * The lines of an export that say the same: the memory, its earlier versions, its history. `listed`
 * owns what says of nobody whose it is.
 */
export function remoteLines(remote: RemoteMemory, listed: RemoteEntityRef): RemoteLine[] {
  const { memory } = remote;
  const history = [...remote.history].sort(byTime);
  const told = { ...ownerIdsOf(memory, listed), ...speakerOfSource(history) };
  const held = remote.versions.length > 0 ? remote.versions : versionsOfHistory(memory, history);
  const lines = held.map((version) => ({
    ...toMemoryFields(version),
    ...timesOf(version),
    ...told,
  }));
  const earlier = lines.filter(({ recorded_until }) => recorded_until !== null);
  const { recorded_from } = lines.find(({ recorded_until }) => recorded_until === null) ?? {};
  const line = { kind: 'memory', ...toMemoryFields(memory), ...told, recorded_from } as const;
  return [
    line,
    ...earlier.map((version) => ({ kind: 'version', ...version }) as const),
    ...history.map((entry) => toHistoryLine(entry, line)),
  ];
}

/** Whether mneme answered, which says more of a memory than other services. */
export function isOfMneme({ status, source_class }: RemoteItem): boolean {
  return (
    memoryStatuses.some((one) => one === status) &&
    sourceClasses.some((one) => one === source_class)
  );
}

/**
 * What a memory was after each change, up to the next: texts, metadata and categories as they were
 * then, all else as it is now.
 */
function versionsOfHistory(memory: RemoteItem, history: readonly RemoteItem[]): RemoteItem[] {
  return history.flatMap((entry, index) => {
    const next = history[index + 1];
    const text = next?.old_memory ?? entry.new_memory;
    if (entry.event === 'DELETE' || typeof text !== 'string' || text === '') return [];
    const { metadata = memory.metadata, categories = memory.categories } = entry;
    const recorded_from = changedAt(entry);
    const recorded_until = next === undefined ? null : changedAt(next);
    const then = { memory: text, metadata, categories, updated_at: recorded_from };
    const replaced_by = next === undefined ? memory.replaced_by : null;
    return [{ ...memory, ...then, replaced_by, recorded_from, recorded_until }];
  });
}

function timesOf(version: RemoteItem) {
  const { recorded_from, recorded_until } = version;
  const { superseded_at = null, superseded_in_part = false } = version;
  return { recorded_from, recorded_until, superseded_at, superseded_in_part };
}

function changedAt({ created_at, updated_at = created_at }: RemoteItem): unknown {
  return updated_at ?? created_at;
}

function byTime(one: RemoteItem, other: RemoteItem): number {
  const [first, second] = [one, other].map((entry) => Date.parse(String(changedAt(entry))));
  return (first ?? 0) - (second ?? 0) || 0;
}

/** Some instances call the run of a memory its session. */
function ownerIdsOf(memory: RemoteItem, ref: RemoteEntityRef): RemoteItem {
  const item: RemoteItem = { ...memory, run_id: memory.run_id ?? memory.session_id };
  const ids = Object.fromEntries(entityIdFields.map((field) => [field, item[field] ?? null]));
  const nobody = entityIdFields.every((field) => ids[field] === null);
  return nobody ? { ...ids, [entityIdField(ref.type)]: ref.id } : ids;
}

function toMemoryFields(memory: RemoteItem): RemoteItem {
  const { id, created_at, expiration_date } = memory;
  return {
    id,
    memory: memory.memory,
    created_at,
    updated_at: changedAt(memory),
    metadata: memory.metadata ?? {},
    categories: memory.categories ?? [],
    immutable: memory.immutable ?? false,
    pinned: memory.pinned === true,
    valid_from: memory.valid_from ?? null,
    valid_until: memory.valid_until ?? null,
    expiration_date: typeof expiration_date === 'string' ? isoDayOf(expiration_date) : null,
    replaced_by: memory.replaced_by ?? null,
    ...(isOfMneme(memory) && pick(memory, ownFields)),
  };
}

/** What other services do not say, or mean in another way. */
const ownFields = [
  'status',
  'source_class',
  'type',
  'slot',
  'occurred_at',
  'occurred_granularity',
  'may_replace',
];

function pick(memory: RemoteItem, names: readonly string[]): RemoteItem {
  return Object.fromEntries(names.map((name) => [name, memory[name]]));
}

/** The speaker of the fact, if it was made from one message. */
function speakerOfSource(entries: readonly RemoteItem[]): RemoteItem {
  const input = entries.find(({ event }) => event === 'ADD')?.input;
  const [message] = Array.isArray(input) && input.length === 1 ? input : [];
  if (!isObject(message)) return {};
  return { role: message.role ?? null, speaker: message.name ?? null };
}

function toHistoryLine(entry: RemoteItem, memory: RemoteItem): RemoteLine {
  const { id, event, created_at } = entry;
  return {
    kind: 'history',
    ...pick(memory, entityIdFields),
    id,
    memory_id: memory.id,
    event,
    created_at,
    updated_at: changedAt(entry),
    input: Array.isArray(entry.input) ? entry.input : [],
    old_memory: entry.old_memory ?? null,
    new_memory: entry.new_memory ?? null,
    metadata: entry.metadata ?? null,
    categories: entry.categories ?? [],
  };
}
