import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import { singleEntityIdsIn } from '../../contract/schemas/filter-entity-ids.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { dayInZone } from '../../contract/wall-clock.ts';
import { createTurns } from '../../turns.ts';
import { bm25 } from '../bm25.ts';
import { textParts } from '../language/parts-by-length.ts';
import { resolveQueryLanguages } from '../language/resolve-languages.ts';
import { queryTermsOf } from '../language/terms-of-text.ts';
import type {
  CandidateQuery,
  Deps,
  Instant,
  NearMemory,
  ProjectRef,
  RelatedMemory,
  Selection,
  StoredMemory,
} from '../ports/index.ts';

/** The memories related to a conversation, and their hashes at that time, by id. */
export type RelatedMemories = { memories: RelatedMemory[]; hashes: ReadonlyMap<string, string> };

/** Limits per message, for slots and in total: as many as a model can read at once. */
const relatedPerMessage = 10;
const slotMemoriesMax = 100;
const relatedMax = 200;

/** The newest memories are candidates even if they share no word with the text. */
const newestMax = 20;

/** Instants compare as text. */
const anyTime = { from: '0000', to: '9999' };

/** Only the last parts of a very long conversation are searched for: they are new. */
const searchedPartsMax = 100;

/** A longer message is searched for in parts, each of which is read in milliseconds. */
const searchedPartChars = 4000;

/**
 * The stored memories that messages may concern, of exactly these owners: those that share words
 * with a message, and those that fill a slot.
 */
export async function findRelatedMemories(
  { store, clock, timezone }: Pick<Deps, 'store' | 'clock' | 'timezone'>,
  project: ProjectRef,
  { messages, ids }: { messages: readonly Message[]; ids: EntityIds },
): Promise<RelatedMemories> {
  const selection = selectCurrent(ids, clock.now(), timezone);
  const entities = singleEntityIdsIn(selection.filter);
  const { size, languages } = await store.memories.getScopeStats(project, entities);
  const searched = messages
    .slice(-searchedPartsMax)
    .flatMap(({ content }) => textParts(content, searchedPartChars))
    .slice(-searchedPartsMax);
  const memoryIds = await findSharingWords(
    store,
    { project, selection, size, languages },
    searched,
  );
  const newest = await store.memories.listNewest(project, selection, {
    ...anyTime,
    limit: newestMax,
  });
  for (const { id } of newest) memoryIds.add(id);
  const slots = await store.memories.listWithSlot(project, ids, slotMemoriesMax);
  const otherIds = [...memoryIds].filter((id) => slots.every((slot) => slot.id !== id));
  const matches = await store.memories.findMany(project, otherIds.slice(0, relatedMax));
  const ownMatches = matches.filter(hasOwners(ids));
  const memories = [...ownMatches, ...slots].sort((one, other) => one.position - other.position);
  return {
    memories: memories.map(toRelatedMemory),
    hashes: new Map(memories.map(({ id, hash }) => [id, hash])),
  };
}

type NearestDeps = Pick<Deps, 'store' | 'clock' | 'timezone' | 'queryEmbedder'>;

/**
 * The memories of exactly these owners whose vectors are nearest to that of a text, nearest first.
 * None without a table of vectors: an add neither waits for a model nor searches for words.
 */
export async function findNearest(
  { store, clock, timezone, queryEmbedder }: NearestDeps,
  project: ProjectRef,
  { text, ids }: { text: string; ids: EntityIds },
): Promise<NearMemory[]> {
  if (queryEmbedder?.isInstant !== true) return [];
  const pending = await queryEmbedder.startEmbedding(text);
  const answer = 'embedding' in pending ? await pending.embedding : pending;
  if (!('model' in pending && 'vector' in answer)) return [];
  const { vector } = answer;
  const selection = selectCurrent(ids, clock.now(), timezone);
  const size = await store.memories.size(project, singleEntityIdsIn(selection.filter));
  if (size === 0) return [];
  const query = { model: pending.model, vector, size, limit: nearestMax };
  const { neighbours } = await store.vectors.searchNearest(project, selection, query);
  const near = new Map(neighbours.map(({ position, similarity }) => [position, similarity]));
  if (near.size === 0) return [];
  const statements = await store.memories.listStatements(project, [...near.keys()]);
  return statements
    .filter(hasOwners(ids))
    .map(({ id, memory, slot, position }) => {
      return { id, memory, slot, similarity: near.get(position) ?? 0 };
    })
    .sort((one, other) => other.similarity - one.similarity);
}

/** More than are shown: some are not alike enough, or of other owners as well. */
const nearestMax = 10;

type WordSearch = { project: ProjectRef; selection: Selection } & Awaited<
  ReturnType<Deps['store']['memories']['getScopeStats']>
>;

async function findSharingWords(
  store: Deps['store'],
  { project, selection, size, languages }: WordSearch,
  texts: readonly string[],
): Promise<Set<string>> {
  const memoryIds = new Set<string>();
  const yieldTurn = createTurns();
  for (const text of texts) {
    await yieldTurn();
    if (memoryIds.size >= relatedMax) break;
    const terms = queryTermsOf(text, await resolveQueryLanguages(text, languages));
    if (terms.length === 0) continue;
    const query: CandidateQuery = { terms, bm25, limit: relatedPerMessage, size };
    for (const { id } of await store.memories.listCandidates(project, selection, query))
      memoryIds.add(id);
  }
  return memoryIds;
}

function hasOwners(ids: EntityIds): (memory: EntityIds) => boolean {
  return (memory) => entityIdFields.every((field) => memory[field] === ids[field]);
}

function selectCurrent(ids: EntityIds, now: Instant, timezone = 'UTC'): Selection {
  // Only ids that are set, as in nearly every search, so that a cached statement is used.
  const all = entityIdFields.flatMap((field): Filter[] => {
    const value = ids[field];
    return value === null ? [] : [{ field, path: [], operator: 'eq', value }];
  });
  const not_expired_on = dayInZone(now, timezone);
  return { filter: { all }, latest_only: true, not_expired_on, status: 'active' };
}

function toRelatedMemory(memory: StoredMemory): RelatedMemory {
  const { id, immutable, created_at, type, slot, role, speaker, may_replace } = memory;
  const about = { type, slot, role, speaker, may_replace };
  return { id, memory: memory.memory, immutable, created_at, ...about };
}
