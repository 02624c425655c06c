import type { WriteResult } from '../../contract/schemas/change.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { insertRelations } from '../graph/store-relations.ts';
import { changeOf, changeResult, historyEntry } from '../history/record.ts';
import { sourceToKeep } from '../history/source.ts';
import type { Decision, Deps, StatedRelation, StoredMemory } from '../ports/index.ts';
import { flagInjection } from '../safety/prompt-injection.ts';
import type { MemoryStanding } from '../safety/trust.ts';
import {
  enqueueDeliveriesTo,
  listActiveWebhooks,
  type OutboxUnitOfWork,
} from '../webhooks/outbox.ts';
import { type AddContext, saidAt } from './add-context.ts';
import { matchCategories } from './categorize.ts';
import { type UnindexedMemory, withIndexTerms } from './index-terms.ts';
import { validityOf } from './validity.ts';

/** New memories of one add, inserted together with their history. */
export type InsertBatch = {
  /** Starts the lookups that the next `flush` needs. */
  prefetch(): void;
  add(decision: Decision, origin: InsertOrigin): WriteResult;
  /** The pending memory with this hash: an active one, or one that waits for a review. */
  find(hash: string, of: 'active' | 'waiting'): UnindexedMemory | undefined;
  /** Whether a pending memory fills the slot. */
  hasSlot(slot: string): boolean;
  flush(): Promise<void>;
};

/** Where a new memory comes from, and whether it is recalled at once. */
export type InsertOrigin = MemoryStanding &
  Pick<StoredMemory, 'source_class'> & {
    hash: string;
    source: Message;
    supersedes?: string | null;
  };

type PendingInsert = {
  memory: UnindexedMemory;
  input: Message[];
  relations: readonly StatedRelation[];
};

export function createInsertBatch(
  deps: Pick<Deps, 'clock' | 'ids' | 'keep_source' | 'readsLikeOrders'>,
  unit: OutboxUnitOfWork,
  scope: AddContext,
): InsertBatch {
  const pending = new Map<string, PendingInsert>();
  // In parallel, which takes one round trip to a database server.
  const lookUp = () =>
    Promise.all([listActiveWebhooks(unit), unit.tables.languages.list(unit.project)]);
  let prepared: ReturnType<typeof lookUp> | null = null;

  return {
    prefetch: () => {
      prepared = lookUp();
      prepared.catch(() => {}); // `flush` throws it
    },
    add: (decision, origin) => {
      const memory = newMemory(deps, decision, { ...origin, scope });
      const input = sourceToKeep(deps, decision, origin.source);
      pending.set(pendingKey(memory), { memory, input, relations: decision.relations ?? [] });
      return changeResult('ADD', memory, decision.reason);
    },
    find: (hash, of) => pending.get(`${of} ${hash}`)?.memory,
    hasSlot: (slot) => [...pending.values()].some(({ memory }) => memory.slot === slot),
    flush: async () => {
      const inserts = [...pending.values()];
      pending.clear();
      if (inserts.length === 0) return;
      const [webhooks, languages] = await (prepared ?? lookUp());
      prepared = null;
      const unindexed = inserts.map(({ memory }) => memory);
      const memories = await withIndexTerms(unit, unindexed, languages);
      const history = inserts.map(({ memory, input }) =>
        historyEntry(deps, memory, { event: 'ADD', input, old_memory: null }),
      );
      await unit.tables.memories.insert(unit.project, memories, changeOf(deps, unit));
      await unit.tables.history.insert(unit.project, history);
      if (scope.graph) {
        const stated = new Map(inserts.map(({ memory, relations }) => [memory.id, relations]));
        await insertRelations(unit, memories, stated);
      }
      const announcements = memories.map((memory) => ({ event: 'ADD' as const, memory }));
      await enqueueDeliveriesTo(deps, unit, { announcements, webhooks });
    },
  };
}

function pendingKey({ hash, status }: UnindexedMemory): string {
  return `${status === 'active' ? 'active' : 'waiting'} ${hash}`;
}

type NewMemorySource = InsertOrigin & { scope: AddContext };

function newMemory(
  deps: Pick<Deps, 'clock' | 'ids' | 'readsLikeOrders'>,
  decision: Decision,
  { hash, source, scope, ...origin }: NewMemorySource,
): UnindexedMemory {
  const { text, said, type, slot, occurred, categories } = decision;
  const { user_id, agent_id, app_id, run_id } = scope;
  const created_at = saidAt(deps, scope);
  return {
    id: deps.ids.next(),
    memory: text,
    hash,
    user_id,
    agent_id,
    app_id,
    run_id,
    metadata: flagInjection(deps, text, scope.metadata),
    categories: categories ?? matchCategories(text, scope.extraction.categories),
    immutable: scope.immutable,
    expiration_date: scope.expiration_date,
    created_at,
    // One reading of the clock: what was never changed has the same time twice.
    updated_at: scope.timestamp === null ? created_at : deps.clock.now(),
    replaced_by: null,
    type,
    slot,
    occurred_at: occurred?.at ?? null,
    occurred_granularity: occurred?.granularity ?? null,
    said,
    role: source.role,
    speaker: source.name ?? null,
    status: origin.status,
    source_class: origin.source_class,
    review_reason: origin.review_reason,
    supersedes: origin.supersedes ?? null,
    may_replace: decision.may_replace ?? [],
    pinned: scope.pinned,
    ...validityOf(decision, scope),
  };
}
