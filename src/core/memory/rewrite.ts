import type { Message } from '../../contract/schemas/message.ts';
import { reconnect } from '../graph/connect.ts';
import type {
  Decision,
  Deps,
  IndexTerms,
  Instant,
  MemoryPatch,
  StatedRelation,
  StoredMemory,
} from '../ports.ts';
import { flagged } from '../safety/orders.ts';
import { announce, type ChangeUnit } from '../webhooks/announce.ts';
import type { AddScope } from './add-scope.ts';
import { categorize } from './categorize.ts';
import { hashOf } from './hash.ts';
import { termsIn } from './index-terms.ts';
import { historyEntry } from './record.ts';

/** What changes of a memory; a new text gets its index terms when it is stored. */
type Change = Omit<MemoryPatch, keyof IndexTerms>;
type Changing = {
  memory: StoredMemory;
  patch: Change;
  input?: Message[];
  at?: Instant;
  graph?: boolean;
  relations?: readonly StatedRelation[] | undefined;
};

/**
 * Changes one memory; the old text goes to the history. `at` is when it was said; default now. A
 * new text makes its relations anew where it had some, and with `graph` in any case: those that a
 * model found in it (`relations`), else what rules find.
 */
export async function change(
  deps: Pick<Deps, 'clock' | 'ids'>,
  unit: ChangeUnit,
  { memory, patch, input = [], at = deps.clock.now(), graph = false, relations }: Changing,
): Promise<StoredMemory> {
  const { tables, project } = unit;
  const updated = { ...memory, ...patch };
  const terms = patch.memory === undefined ? {} : await termsIn(unit, updated);
  await tables.memories.update(project, memory.id, { ...patch, ...terms });
  const entry = historyEntry(deps, updated, { event: 'UPDATE', input, old_memory: memory.memory });
  await tables.history.insert(project, [{ ...entry, created_at: at }]);
  if (patch.memory !== undefined) {
    await reconnect(unit, updated, { always: graph, relations });
  }
  const { categories: categories_before } = memory;
  await announce(deps, unit, [{ event: 'UPDATE', memory: updated, categories_before }]);
  return updated;
}

/** What a new text changes by itself: how it is found, and what was known of the old one. */
export function textPatch(memory: string): Omit<Change, 'updated_at'> {
  const unknown = { said: null, occurred_at: null, occurred_granularity: null };
  return { memory, hash: hashOf(memory), ...unknown };
}

/** What a decision makes of the memory that it changes. */
export function patchOf(
  { text, said, type, slot, occurred, categories }: Decision,
  { source, scope }: { source: Message; scope: AddScope },
): Omit<Change, 'updated_at'> {
  const { timestamp, expiration_date } = scope;
  const given = flagged(text, scope.metadata);
  return {
    memory: text,
    hash: hashOf(text),
    said,
    role: source.role,
    speaker: source.name ?? null,
    type,
    slot,
    occurred_at: occurred?.at ?? null,
    occurred_granularity: occurred?.granularity ?? null,
    categories: categories ?? categorize(text, scope.categories),
    ...(Object.keys(given).length > 0 && { metadata: given }),
    ...(expiration_date !== null && { expiration_date }),
    ...(timestamp !== null && { created_at: new Date(timestamp * 1000).toISOString() }),
  };
}
