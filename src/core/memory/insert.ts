import type { WriteResult } from '../../contract/schemas/change.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { connect } from '../graph/connect.ts';
import type { Decision, Deps, StatedRelation } from '../ports.ts';
import { flagged } from '../safety/orders.ts';
import { announceTo, type ChangeUnit, listActive } from '../webhooks/announce.ts';
import { type AddScope, saidAt } from './add-scope.ts';
import { categorize } from './categorize.ts';
import { type Unindexed, withTerms } from './index-terms.ts';
import { historyEntry } from './record.ts';
import { keptOf } from './source.ts';

/** New memories of one add, inserted together with their history. */
export type Inserts = {
  /** Asks for what the next `flush` needs, beside what is asked until then. */
  prepare(): void;
  add(decision: Decision, made: { hash: string; source: Message }): WriteResult;
  /** The memory with this hash that waits for being inserted. */
  find(hash: string): Unindexed | undefined;
  /** Whether one that waits fills the slot. */
  holdsSlot(slot: string): boolean;
  flush(): Promise<void>;
};

type Waiting = { memory: Unindexed; input: Message[]; relations: readonly StatedRelation[] };

export function newInserts(
  deps: Pick<Deps, 'clock' | 'ids' | 'keep_source'>,
  unit: ChangeUnit,
  scope: AddScope,
): Inserts {
  const waiting = new Map<string, Waiting>();
  // Side by side: a database asks for both at once.
  const lookUp = () => Promise.all([listActive(unit), unit.tables.languages.list(unit.project)]);
  let prepared: ReturnType<typeof lookUp> | null = null;

  return {
    prepare: () => {
      prepared = lookUp();
      prepared.catch(() => {}); // who flushes hears of it
    },
    add: (decision, { hash, source }) => {
      const memory = newMemory(deps, decision, { hash, source, scope });
      const { relations = [] } = decision;
      waiting.set(hash, { memory, input: keptOf(deps, decision, source), relations });
      return added(memory, decision.reason);
    },
    find: (hash) => waiting.get(hash)?.memory,
    holdsSlot: (slot) => [...waiting.values()].some(({ memory }) => memory.slot === slot),
    flush: async () => {
      const inserts = [...waiting.values()];
      waiting.clear();
      if (inserts.length === 0) return;
      const [webhooks, languages] = await (prepared ?? lookUp());
      prepared = null;
      const unindexed = inserts.map(({ memory }) => memory);
      const memories = await withTerms(unit, unindexed, languages);
      const history = inserts.map(({ memory, input }) =>
        historyEntry(deps, memory, { event: 'ADD', input, old_memory: null }),
      );
      await unit.tables.memories.insert(unit.project, memories);
      await unit.tables.history.insert(unit.project, history);
      if (scope.graph) {
        const stated = new Map(inserts.map(({ memory, relations }) => [memory.id, relations]));
        await connect(unit, memories, stated);
      }
      const announcements = memories.map((memory) => ({ event: 'ADD' as const, memory }));
      await announceTo(deps, unit, { announcements, webhooks });
    },
  };
}

type Made = { hash: string; source: Message; scope: AddScope };

function newMemory(
  deps: Pick<Deps, 'clock' | 'ids'>,
  { text, said, type, slot, occurred, categories }: Decision,
  { hash, source, scope }: Made,
): Unindexed {
  const { user_id, agent_id, app_id, run_id } = scope;
  return {
    id: deps.ids.next(),
    memory: text,
    hash,
    user_id,
    agent_id,
    app_id,
    run_id,
    metadata: flagged(text, scope.metadata),
    categories: categories ?? categorize(text, scope.categories),
    immutable: scope.immutable,
    expiration_date: scope.expiration_date,
    created_at: saidAt(deps, scope),
    updated_at: deps.clock.now(),
    replaced_by: null,
    type,
    slot,
    occurred_at: occurred?.at ?? null,
    occurred_granularity: occurred?.granularity ?? null,
    said,
    role: source.role,
    speaker: source.name ?? null,
  };
}

function added({ id, memory, user_id }: Unindexed, reason: string | null): WriteResult {
  const why = reason === null ? {} : { reason };
  return { id, event: 'ADD', memory, data: { memory }, user_id, ...why };
}
