import type { Message } from '../../contract/schemas/message.ts';
import type { Decision, Deps, Instant, MemoryPatch, StoredMemory } from '../ports.ts';
import { announce, type ChangeUnit } from '../webhooks/announce.ts';
import type { AddScope } from './add-scope.ts';
import { categorize } from './categorize.ts';
import { hashOf } from './hash.ts';
import { indexTerms } from './index-terms.ts';
import { historyEntry } from './record.ts';

type Changing = { memory: StoredMemory; patch: MemoryPatch; input?: Message[]; at?: Instant };

/** Changes one memory; the old text goes to the history. `at` is when it was said; default now. */
export async function change(
  deps: Pick<Deps, 'clock' | 'ids'>,
  unit: ChangeUnit,
  { memory, patch, input = [], at = deps.clock.now() }: Changing,
): Promise<StoredMemory> {
  const { tables, project } = unit;
  await tables.memories.update(project, memory.id, patch);
  const { terms: _, speaker_terms: __, ...columns } = patch;
  const updated = { ...memory, ...columns };
  const entry = historyEntry(deps, updated, { event: 'UPDATE', input, old_memory: memory.memory });
  await tables.history.insert(project, [{ ...entry, created_at: at }]);
  await announce(deps, unit, [{ event: 'UPDATE', memory: updated }]);
  return updated;
}

/** What a new text changes by itself: how it is found, and what was known of the old one. */
export function textPatch(
  memory: string,
  { role, speaker }: Pick<StoredMemory, 'role' | 'speaker'>,
): Omit<MemoryPatch, 'updated_at'> {
  const { terms } = indexTerms({ memory, said: null, role, speaker });
  const unknown = { said: null, occurred_at: null, occurred_granularity: null };
  return { memory, hash: hashOf(memory), terms, ...unknown };
}

/** What a decision makes of the memory that it changes. */
export function patchOf(
  { text, said, type, slot, occurred, categories }: Decision,
  { source, scope }: { source: Message; scope: AddScope },
): Omit<MemoryPatch, 'updated_at'> {
  const { timestamp, metadata, expiration_date } = scope;
  const by = { role: source.role, speaker: source.name ?? null };
  return {
    memory: text,
    hash: hashOf(text),
    said,
    ...by,
    ...indexTerms({ memory: text, said, ...by }),
    type,
    slot,
    occurred_at: occurred?.at ?? null,
    occurred_granularity: occurred?.granularity ?? null,
    categories: categories ?? categorize(text, scope.categories),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(expiration_date !== null && { expiration_date }),
    ...(timestamp !== null && { created_at: new Date(timestamp * 1000).toISOString() }),
  };
}
