import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/object.ts';
import {
  type EntityIds,
  type EntityType,
  entityIdField,
  entityIdFields,
  entityTypes,
} from '../../contract/schemas/entity.ts';
import type { Deps, Project, Remote } from '../ports.ts';
import type { Found } from './read-lines.ts';
import { listPages } from './remote-pages.ts';

export type RemoteSource = {
  remote: Remote;
  /** Where the memories are there; what its key says when absent. */
  org_id?: string | undefined;
  project_id?: string | undefined;
  /** Only memories of these entities. */
  ids: Partial<EntityIds>;
  /** Told how many memories of a page are stored already, as they are. */
  onUnchanged: (count: number) => void;
};

type Target = Pick<Deps, 'store'> & { project: Project };
type Item = Record<string, unknown>;
type EntityRef = { type: EntityType; id: string };

/**
 * Reads another instance entity by entity: every memory belongs to one at least. A batch is a page
 * of memories, each with its history. What is stored already is asked for no further.
 */
export async function* readRemote(
  source: RemoteSource,
  target: Target,
): AsyncGenerator<readonly Found[]> {
  for await (const { line, refs } of entitiesOf(source)) {
    let described = line === null;
    for (const ref of refs) {
      for await (const page of pagesOf(source, ref)) {
        if (!described) yield [found(`${ref.type} ${ref.id}`, { ...line, id: ref.id })];
        described = true;
        yield await linesOfPage(page, { source, target, ref });
      }
    }
  }
  yield [found('the end', { kind: 'end' })];
}

function found(place: string, value: unknown): Found {
  return { place, value };
}

type Entity = { line: Item | null; refs: EntityRef[] };

async function* entitiesOf(source: RemoteSource): AsyncGenerator<Entity> {
  const named = entityTypes.flatMap((type) => {
    const id = source.ids[entityIdField(type)];
    return typeof id === 'string' ? [{ type, id }] : [];
  });
  if (named.length > 0) {
    // Memories of all of them: the first is listed, and the others are conditions.
    yield { line: null, refs: named.slice(0, 1) };
    return;
  }
  const call = { method: 'GET', path: '/v1/entities/', query: placeOf(source) } as const;
  for await (const page of listPages(source.remote, call)) {
    for (const entity of page) yield toEntity(entity);
  }
}

/**
 * Some instances know an entity by an id of their own and call it what its memories say: its name.
 * Under which of the two there are memories shows when they are listed.
 */
function toEntity(entity: Item): Entity {
  const type = entityTypes.find((known) => known === entity.type);
  if (type === undefined) throw new ApiError('unavailable', 'an entity is of no known type');
  const texts = [entity.id, entity.name].filter((id) => ['string', 'number'].includes(typeof id));
  const ids = [...new Set(texts.map(String))].filter((id) => id !== '');
  const { name, metadata, created_at, updated_at = created_at } = entity;
  const dated = typeof created_at === 'string';
  const about = { type, name: String(name ?? ids[0]), metadata: metadata ?? {} };
  const line = dated ? { kind: 'entity', ...about, created_at, updated_at } : null;
  return { line, refs: ids.map((id) => ({ type, id })) };
}

function placeOf({ org_id, project_id }: RemoteSource): Record<string, string> {
  return {
    ...(org_id !== undefined && { org_id }),
    ...(project_id !== undefined && { project_id }),
  };
}

/** Hidden memories too, where the instance knows these words. */
async function* pagesOf(source: RemoteSource, { type, id }: EntityRef): AsyncGenerator<Item[]> {
  const filters = { AND: [{ [entityIdField(type)]: id }, ...otherConditions(source, type)] };
  const body = { filters, latest_only: false, show_expired: true, ...placeOf(source) };
  const call = { method: 'POST', path: '/v2/memories/', body } as const;
  try {
    yield* listPages(source.remote, call);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    yield* listPages(source.remote, { ...call, path: '/v3/memories/' });
  }
}

function otherConditions({ ids }: RemoteSource, listed: EntityType): Item[] {
  const others = entityIdFields.filter((field) => field !== entityIdField(listed));
  return others.flatMap((field) => (ids[field] === undefined ? [] : [{ [field]: ids[field] }]));
}

type Page = { source: RemoteSource; target: Target; ref: EntityRef };

async function linesOfPage(items: readonly Item[], page: Page): Promise<Found[]> {
  const fresh = await withoutStored(items, page);
  page.source.onUnchanged(items.length - fresh.length);
  const lines: Found[] = [];
  for (let start = 0; start < fresh.length; start += atOnce) {
    const part = fresh.slice(start, start + atOnce);
    lines.push(...(await Promise.all(part.map((item) => linesOfMemory(item, page)))).flat());
  }
  return lines;
}

/** Requests that an instance is asked to answer at the same time. */
const atOnce = 4;

async function withoutStored(items: readonly Item[], { target }: Page): Promise<Item[]> {
  const ids = items.map(({ id }) => String(id).toLowerCase());
  const stored = await target.store.memories.findMany(target.project, ids);
  const times = new Map(stored.map(({ id, updated_at }) => [id, Date.parse(updated_at)]));
  return items.filter(({ id, created_at, updated_at = created_at }) => {
    const time = times.get(String(id).toLowerCase());
    return time === undefined || !(Date.parse(String(updated_at)) <= time);
  });
}

async function linesOfMemory(item: Item, { source, ref }: Page): Promise<Found[]> {
  const id = String(item.id);
  const place = `memory ${id.slice(0, 60)}`;
  const path = `/v1/memories/${encodeURIComponent(id)}/`;
  const query = placeOf(source);
  const ask = (call: { path: string }) =>
    source.remote.request({ ...call, method: 'GET', query }).catch(nullWhereMissing);
  // Items of a list may leave out whose they are; the memory by itself says it.
  const whole = entityIdFields.some((field) => field in item) ? item : await ask({ path });
  if (!isObject(whole)) return [];
  const entries = listOf(await ask({ path: `${path}history/` })).sort(byTime);
  const ids = idsOf(whole, ref);
  const memory = { ...toMemoryLine({ ...item, ...whole }, entries), ...ids };
  return [
    found(place, memory),
    ...entries.map((entry) =>
      found(`history of ${place}`, { ...toHistoryLine(entry), ...ids, memory_id: id }),
    ),
  ];
}

/** Deleted meanwhile, or never kept. */
function nullWhereMissing(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}

function listOf(answer: unknown): Item[] {
  const list = isObject(answer) ? answer.results : answer;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function byTime(one: Item, other: Item): number {
  const [first, second] = [one, other].map(({ created_at, updated_at = created_at }) =>
    Date.parse(String(updated_at)),
  );
  return (first ?? 0) - (second ?? 0) || 0;
}

function idsOf(memory: Item, ref: EntityRef): Item {
  const ids = Object.fromEntries(entityIdFields.map((field) => [field, memory[field] ?? null]));
  const nobody = entityIdFields.every((field) => ids[field] === null);
  return nobody ? { ...ids, [entityIdField(ref.type)]: ref.id } : ids;
}

function toMemoryLine(memory: Item, entries: readonly Item[]): Item {
  const { id, created_at, updated_at = created_at, expiration_date } = memory;
  return {
    kind: 'memory',
    id,
    memory: memory.memory,
    created_at,
    updated_at: updated_at ?? created_at,
    metadata: memory.metadata ?? {},
    categories: memory.categories ?? [],
    immutable: memory.immutable ?? false,
    expiration_date: typeof expiration_date === 'string' ? expiration_date.slice(0, 10) : null,
    replaced_by: memory.replaced_by ?? null,
    ...sourceOf(entries),
  };
}

/** Who stated the fact: known where it was made from one message. */
function sourceOf(entries: readonly Item[]): Item {
  const input = entries.find(({ event }) => event === 'ADD')?.input;
  const [message] = Array.isArray(input) && input.length === 1 ? input : [];
  if (!isObject(message)) return {};
  return { role: message.role ?? null, speaker: message.name ?? null };
}

function toHistoryLine(entry: Item): Item {
  const { id, event, created_at, updated_at = created_at } = entry;
  return {
    kind: 'history',
    id,
    event,
    created_at,
    updated_at: updated_at ?? created_at,
    input: Array.isArray(entry.input) ? entry.input : [],
    old_memory: entry.old_memory ?? null,
    new_memory: entry.new_memory ?? null,
    metadata: entry.metadata ?? null,
    categories: entry.categories ?? [],
  };
}
