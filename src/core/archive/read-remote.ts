import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import {
  type EntityIds,
  type EntityType,
  entityIdField,
  entityIdFields,
  entityTypes,
} from '../../contract/schemas/entity.ts';
import { partsOf } from '../../turns.ts';
import type { Deps, ProjectRef, RemoteInstance } from '../ports/index.ts';
import type { ArchiveRecord } from './read-lines.ts';
import { isOfMneme, type RemoteEntityRef, type RemoteItem, remoteLines } from './remote-lines.ts';
import { listRemotePages } from './remote-pages.ts';

export type ReadRemoteOptions = {
  remote: RemoteInstance;
  /** Where the memories are there; what its key says when absent. */
  org_id?: string | undefined;
  project_id?: string | undefined;
  /** Only memories of these entities. */
  ids: Partial<EntityIds>;
  /** Told how many memories of a page are stored already, as they are. */
  onUnchanged: (count: number) => void;
};

type LocalTarget = Pick<Deps, 'store'> & { project: ProjectRef };

/**
 * Reads another instance entity by entity: every memory belongs to one at least. A batch is a page
 * of memories, each with its history. What is stored already is asked for no further.
 */
export async function* readRemote(
  source: ReadRemoteOptions,
  target: LocalTarget,
): AsyncGenerator<readonly ArchiveRecord[]> {
  const seen = new Set<string>();
  for await (const { line, refs } of listRemoteEntities(source)) {
    let described = line === null;
    for (const ref of refs) {
      for await (const page of listMemoryPages(source, ref)) {
        if (!described) yield [toRecord(`${ref.type} ${ref.id}`, { ...line, id: ref.id })];
        described = true;
        yield await readPage(takeUnseen(page, seen), { source, target, ref });
      }
    }
  }
  yield [toRecord('the end', { kind: 'end' })];
}

/** A memory of several entities is listed with each of them, and counts once. */
function takeUnseen(items: readonly RemoteItem[], seen: Set<string>): RemoteItem[] {
  return items.filter(({ id }) => {
    const key = String(id).toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function toRecord(place: string, value: unknown): ArchiveRecord {
  return { place, value };
}

type RemoteEntity = { line: RemoteItem | null; refs: RemoteEntityRef[] };

async function* listRemoteEntities(source: ReadRemoteOptions): AsyncGenerator<RemoteEntity> {
  const entities = entityTypes.flatMap((type) => {
    const id = source.ids[entityIdField(type)];
    return typeof id === 'string' ? [{ type, id }] : [];
  });
  if (entities.length > 0) {
    // Memories of all of them: the first is listed, and the others are conditions.
    yield { line: null, refs: entities.slice(0, 1) };
    return;
  }
  const call = { method: 'GET', path: '/v1/entities/', query: tenantQuery(source) } as const;
  for await (const page of listRemotePages(source.remote, call)) {
    for (const entity of page) yield toRemoteEntity(entity);
  }
}

/**
 * Some instances know an entity by an id of their own and call it what its memories say: its name.
 * Under which of the two there are memories shows when they are listed.
 */
function toRemoteEntity(entity: RemoteItem): RemoteEntity {
  const type = entityTypes.find((one) => one === entity.type);
  if (type === undefined) throw new ApiError('unavailable', 'an entity is of no known type');
  const texts = [entity.id, entity.name].filter((id) => ['string', 'number'].includes(typeof id));
  const ids = [...new Set(texts.map(String))].filter((id) => id !== '');
  const { name, metadata, created_at, updated_at = created_at } = entity;
  const dated = typeof created_at === 'string';
  const about = { type, name: String(name ?? ids[0]), metadata: metadata ?? {} };
  const line = dated ? { kind: 'entity', ...about, created_at, updated_at } : null;
  return { line, refs: ids.map((id) => ({ type, id })) };
}

function tenantQuery({ org_id, project_id }: ReadRemoteOptions): Record<string, string> {
  return {
    ...(org_id !== undefined && { org_id }),
    ...(project_id !== undefined && { project_id }),
  };
}

/** Hidden memories too, where the instance knows these words. */
async function* listMemoryPages(
  source: ReadRemoteOptions,
  { type, id }: RemoteEntityRef,
): AsyncGenerator<RemoteItem[]> {
  const filters = { AND: [{ [entityIdField(type)]: id }, ...otherConditions(source, type)] };
  const hidden = { latest_only: false, show_expired: true, show_waiting: true };
  const body = { filters, ...hidden, ...tenantQuery(source) };
  const call = { method: 'POST', path: '/v2/memories/', body } as const;
  try {
    yield* listRemotePages(source.remote, call);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    yield* listRemotePages(source.remote, { ...call, path: '/v3/memories/' });
  }
}

function otherConditions({ ids }: ReadRemoteOptions, listed: EntityType): RemoteItem[] {
  const others = entityIdFields.filter((field) => field !== entityIdField(listed));
  return others.flatMap((field) => (ids[field] === undefined ? [] : [{ [field]: ids[field] }]));
}

type PageContext = { source: ReadRemoteOptions; target: LocalTarget; ref: RemoteEntityRef };

async function readPage(items: readonly RemoteItem[], page: PageContext): Promise<ArchiveRecord[]> {
  const fresh = await withoutUnchanged(items, page);
  page.source.onUnchanged(items.length - fresh.length);
  const lines: ArchiveRecord[] = [];
  for (const part of partsOf(fresh, requestsAtOnce))
    lines.push(...(await Promise.all(part.map((item) => readRemoteMemory(item, page)))).flat());
  return lines;
}

/** Requests that an instance is asked to answer at the same time. */
const requestsAtOnce = 4;

async function withoutUnchanged(
  items: readonly RemoteItem[],
  { target }: PageContext,
): Promise<RemoteItem[]> {
  const ids = items.map(({ id }) => String(id).toLowerCase());
  const stored = await target.store.memories.findMany(target.project, ids);
  const times = new Map(stored.map(({ id, updated_at }) => [id, Date.parse(updated_at)]));
  return items.filter(({ id, created_at, updated_at = created_at }) => {
    const time = times.get(String(id).toLowerCase());
    return time === undefined || !(Date.parse(String(updated_at)) <= time);
  });
}

async function readRemoteMemory(
  item: RemoteItem,
  { source, ref }: PageContext,
): Promise<ArchiveRecord[]> {
  const id = String(item.id);
  const path = `/v1/memories/${encodeURIComponent(id)}/`;
  const query = tenantQuery(source);
  const ask = (call: { path: string }) =>
    source.remote.request({ ...call, method: 'GET', query }).catch(nullWhereMissing);
  // Items of a list may leave out whose they are; the memory by itself says it.
  const whole = entityIdFields.some((field) => field in item) ? item : await ask({ path });
  if (!isObject(whole)) return [];
  const history = toItems(await ask({ path: `${path}history/` }));
  const memory = { ...item, ...whole };
  const versions = isOfMneme(memory) ? toItems(await ask({ path: `${path}versions/` })) : [];
  const lines = remoteLines({ memory, history, versions }, ref);
  return lines.map((line) => toRecord(placeOf(line.kind, id), line));
}

function placeOf(kind: string, id: string): string {
  const memory = `memory ${id.slice(0, 60)}`;
  return kind === 'memory' ? memory : `${kind} of ${memory}`;
}

/** Deleted meanwhile, or never kept. */
function nullWhereMissing(error: unknown): null {
  if (error instanceof ApiError && error.code === 'not_found') return null;
  throw error;
}

function toItems(answer: unknown): RemoteItem[] {
  const list = isObject(answer) ? answer.results : answer;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
