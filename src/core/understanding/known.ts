import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import { entitiesNamed } from '../../contract/schemas/filter-entities.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { readQuery } from '../language/read.ts';
import { termsAsked } from '../memory/analyze.ts';
import type { Deps, Instant, KnownMemory, Project, Selection, StoredMemory } from '../ports.ts';

/** A conversation's memories, by id, as they were when it was understood. */
export type Known = { memories: KnownMemory[]; hashes: ReadonlyMap<string, string> };

/** Of each message, of the slots, and in all: as many as a model reads at once. */
const perMessage = 10;
const slotsMax = 100;
const knownMax = 200;

/** Of a very long conversation the last messages are looked up: they are what is new. */
const messagesMax = 100;

/**
 * The stored memories that messages may be about, of exactly these owners: those that share words
 * with one of them, and those that newer ones supersede.
 */
export async function findKnown(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  project: Project,
  { messages, ids }: { messages: readonly Message[]; ids: EntityIds },
): Promise<Known> {
  const selection = selectionOf(ids, clock.now());
  const entities = entitiesNamed(selection.filter);
  const { size, languages } = await store.memories.outline(project, entities);
  const found = new Set<string>();
  for (const { content } of messages.slice(-messagesMax)) {
    if (found.size >= knownMax) break;
    const terms = termsAsked(content, await readQuery(content, languages));
    if (terms.length === 0) continue;
    const query = { terms, limit: perMessage, size };
    for (const { id } of await store.memories.candidates(project, selection, query)) found.add(id);
  }
  const slots = await store.memories.listSlots(project, ids, slotsMax);
  const others = [...found].filter((id) => slots.every((slot) => slot.id !== id));
  const near = await store.memories.findMany(project, others.slice(0, knownMax));
  const own = near.filter((memory) =>
    entityIdFields.every((field) => memory[field] === ids[field]),
  );
  const memories = [...own, ...slots].sort((one, other) => one.position - other.position);
  return {
    memories: memories.map(toKnown),
    hashes: new Map(memories.map(({ id, hash }) => [id, hash])),
  };
}

function selectionOf(ids: EntityIds, now: Instant): Selection {
  // Only the ids that there are, as nearly every search: statements for it are built already.
  const all = entityIdFields.flatMap((field): Filter[] => {
    const value = ids[field];
    return value === null ? [] : [{ field, path: [], operator: 'eq', value }];
  });
  return { filter: { all }, latest_only: true, not_expired_on: now.slice(0, 'YYYY-MM-DD'.length) };
}

function toKnown(memory: StoredMemory): KnownMemory {
  const { id, immutable, created_at, type, slot, role, speaker } = memory;
  return { id, memory: memory.memory, immutable, created_at, type, slot, role, speaker };
}
