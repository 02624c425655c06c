import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { type EntityIds, entityIdFields, typedIdFields } from '../../contract/schemas/entity.ts';
import type { PartialMemory } from '../../contract/schemas/memory.ts';
import type { Receipt } from '../../contract/schemas/receipt.ts';
import { findInStoreFile, purgeStoreFile } from '../../storage/store.ts';
import type { App } from '../create-app.ts';

/** Memories by their ids, or one entity. */
export type ErasureTarget = { memory_ids: string[] } | { entity: Partial<EntityIds> };

type ErasureReport = {
  deleted: number;
  receipt: Receipt;
  /** Words to look for in the file: they were in what was erased, and in no other memory. */
  texts: string[];
};

/** Erases, and remembers in this process what to look for afterwards. */
export async function eraseTarget(app: App, target: ErasureTarget): Promise<ErasureReport> {
  const texts = await collectTexts(app, target);
  const { caller } = app;
  if ('memory_ids' in target) {
    return { texts, ...(await app.invoke('erase_memories', target, { caller })) };
  }
  const { type, id } = entityOf(target.entity);
  const input = { entity_type: type, entity_id: id };
  const erased = app.invoke('delete_entity', input, { caller }).catch((error: unknown) => {
    throw error instanceof ApiError && error.code === 'not_found'
      ? unknownEntity(target.entity)
      : error;
  });
  return { texts, ...(await erased) };
}

/** What an erasure would take: the newest memories, and how many there are. */
export type ErasurePreview = {
  memories: PartialMemory[];
  total: number;
  /** Named memories of which only the history is left. */
  deletedBefore: number;
};

/** Throws `not_found` if nothing is known of the entity. */
export async function previewTarget(app: App, target: ErasureTarget): Promise<ErasurePreview> {
  const { results, total } = await listPage(app, target, 1);
  const targets = 'memory_ids' in target ? target.memory_ids.length : total;
  if ('entity' in target && total === 0) await requireKnown(app, target);
  return { memories: results, total, deletedBefore: targets - total };
}

async function requireKnown(app: App, { entity }: { entity: Partial<EntityIds> }): Promise<void> {
  const { type, id } = entityOf(entity);
  const input = { entity_type: type, entity_id: id, page_size: 1 };
  if ((await app.invoke('list_entities', input, app)).total > 0) return;
  if ((await app.invoke('list_history', { ...entity, page_size: 1 }, app)).total > 0) return;
  throw unknownEntity(entity);
}

function entityOf(entity: Partial<EntityIds>) {
  const idField = typedIdFields.find(({ field }) => entity[field] !== undefined);
  return { type: idField?.type, id: idField && entity[idField.field] };
}

function unknownEntity(entity: Partial<EntityIds>): ApiError {
  const { type, id } = entityOf(entity);
  const shown = JSON.stringify(String(id).slice(0, 60));
  return new ApiError('not_found', `${type} ${shown} not found: the project has nothing of it`, {
    ...(type === 'user' && { next: 'mneme users lists the users.' }),
  });
}

/** Whether an erasure failed because nothing of its target is left, not even a history. */
export async function isGone(app: App, target: ErasureTarget, error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError && error.code === 'not_found')) return false;
  if ('entity' in target) {
    return (await app.invoke('list_history', { ...target.entity, page_size: 1 }, app)).total === 0;
  }
  const histories = target.memory_ids.map((memory_id) =>
    app.invoke('get_history', { memory_id }, app).then(
      () => true,
      () => false,
    ),
  );
  return !(await Promise.all(histories)).includes(true);
}

/**
 * Rewrites the store's file and looks for the texts in its bytes. Texts that other memories say too
 * are found as well. The app must be closed.
 */
export async function verifyFile(
  store: { data_dir: string },
  texts: readonly string[],
): Promise<string[]> {
  await purgeStoreFile(store);
  return findInStoreFile(store, texts);
}

/** The beginnings of the texts, long enough not to be in the file by chance. */
async function collectTexts(app: App, target: ErasureTarget): Promise<string[]> {
  const ids = new Set('memory_ids' in target ? target.memory_ids : []);
  const texts = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { results, total, page_size } = await listPage(app, target, page);
    for (const { id, memory } of results) {
      if (id !== undefined) ids.add(id);
      if (memory !== undefined) texts.add(memory);
    }
    if (page * page_size >= total) break;
  }
  for (const memory_id of ids) {
    const { caller } = app;
    const { results } = await app.invoke('get_history', { memory_id }, { caller });
    for (const { old_memory, new_memory, input } of results) {
      const messageTexts = input.map(({ content }) => content);
      for (const text of [old_memory, new_memory, ...messageTexts])
        if (text !== null) texts.add(text);
    }
  }
  const parts = [...texts].map((text) => text.slice(0, needleMaxChars).toWellFormed());
  return parts.filter((text) => text.length >= needleMinChars);
}

const needleMinChars = 8;
/** A longer text may be split between pages. */
const needleMaxChars = 48;

function listPage(app: App, target: ErasureTarget, page: number) {
  const byId = 'memory_ids' in target ? { filters: { id: { in: target.memory_ids } } } : {};
  const entity = 'entity' in target ? target.entity : {};
  const owners = Object.fromEntries(
    entityIdFields.flatMap((field) => (entity[field] == null ? [] : [[field, entity[field]]])),
  );
  const every = { show_expired: true, latest_only: false, page_size: limits.page_size_max };
  return app.invoke('get_memories', { ...byId, ...owners, ...every, page }, app);
}
