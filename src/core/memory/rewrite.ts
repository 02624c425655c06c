import type { Change } from '../../contract/schemas/change.ts';
import type { SourceClass } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { AddContext } from '../extraction/add-context.ts';
import { replaceRelations } from '../graph/store-relations.ts';
import { historyEntry } from '../history/record.ts';
import type {
  Decision,
  Deps,
  IndexTerms,
  Instant,
  MemoryPatch,
  StatedRelation,
  StoredMemory,
} from '../ports/index.ts';
import { flagInjection } from '../safety/prompt-injection.ts';
import { enqueueDeliveries, type OutboxUnitOfWork } from '../webhooks/outbox.ts';
import { matchCategories } from './categorize.ts';
import { contentHash } from './content-hash.ts';
import { indexTermsFor } from './index-terms.ts';

/** The changed fields of a memory; index terms of a new text are added when it is stored. */
type RewritePatch = Omit<MemoryPatch, keyof IndexTerms>;
type RewriteInput = {
  memory: StoredMemory;
  patch: RewritePatch;
  input?: Message[];
  at?: Instant;
  graph?: boolean;
  relations?: readonly StatedRelation[] | undefined;
  /** What webhooks are told, if not of an update. */
  announce?: Change;
};

/**
 * Changes one memory; the old text goes to the history. `at` is the time of the statement, by
 * default now. With a new text, relations are replaced if there were any or `graph` is set: by
 * those of a model (`relations`), otherwise by those that rules find.
 */
export async function rewriteMemory(
  deps: Pick<Deps, 'clock' | 'ids'>,
  unit: OutboxUnitOfWork,
  rewrite: RewriteInput,
): Promise<StoredMemory> {
  const { memory, patch, input = [], at = deps.clock.now(), graph = false, relations } = rewrite;
  const { tables, project } = unit;
  const updated = { ...memory, ...patch };
  const terms = patch.memory === undefined ? {} : await indexTermsFor(unit, updated);
  await tables.memories.update(project, memory.id, { ...patch, ...terms });
  const entry = historyEntry(deps, updated, { event: 'UPDATE', input, old_memory: memory.memory });
  await tables.history.insert(project, [{ ...entry, created_at: at }]);
  if (patch.memory !== undefined) {
    await replaceRelations(unit, updated, { always: graph, relations });
  }
  const { categories: categories_before } = memory;
  const event = rewrite.announce ?? 'UPDATE';
  await enqueueDeliveries(deps, unit, [{ event, memory: updated, categories_before }]);
  return updated;
}

/** The fields that a new text sets or clears. */
export function newTextPatch(memory: string): Omit<RewritePatch, 'updated_at'> {
  const unknown = { said: null, occurred_at: null, occurred_granularity: null };
  return { memory, hash: contentHash(memory), ...unknown };
}

type DecisionSource = { source: Message; source_class: SourceClass; scope: AddContext };

/** The fields that a decision sets on the memory that it changes. */
export function decisionPatch(
  { text, said, type, slot, occurred, categories, isRest = false }: Decision,
  { source, source_class, scope }: DecisionSource,
): Omit<RewritePatch, 'updated_at'> {
  if (isRest) return { memory: text, hash: contentHash(text), said: null, slot };
  const { timestamp, expiration_date } = scope;
  const metadata = flagInjection(text, scope.metadata);
  return {
    memory: text,
    hash: contentHash(text),
    said,
    role: source.role,
    speaker: source.name ?? null,
    source_class,
    type,
    slot,
    occurred_at: occurred?.at ?? null,
    occurred_granularity: occurred?.granularity ?? null,
    categories: categories ?? matchCategories(text, scope.categories),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(expiration_date !== null && { expiration_date }),
    ...(timestamp !== null && { created_at: new Date(timestamp * 1000).toISOString() }),
  };
}
