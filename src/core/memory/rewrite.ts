import type { Change } from '../../contract/schemas/change.ts';
import type { SourceClass } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { replaceRelations } from '../graph/store-relations.ts';
import { changeOf, historyEntry } from '../history/record.ts';
import type {
  Decision,
  Deps,
  IndexTerms,
  Instant,
  MemoryPatch,
  Occurrence,
  StatedRelation,
  StoredMemory,
  Validity,
} from '../ports/index.ts';
import { flagInjection } from '../safety/prompt-injection.ts';
import { enqueueDeliveries, type OutboxUnitOfWork } from '../webhooks/outbox.ts';
import type { AddContext } from './add-context.ts';
import { matchCategories } from './categorize.ts';
import { contentHash } from './content-hash.ts';
import { indexTermsFor } from './index-terms.ts';
import { validityOf } from './validity.ts';

/** The changed fields of a memory; index terms of a new text are added when it is stored. */
type RewritePatch = StrictOmit<MemoryPatch, keyof IndexTerms | 'superseded_at'>;
type RewriteInput = {
  memory: StoredMemory;
  patch: RewritePatch;
  input?: Message[];
  at?: Instant;
  graph?: boolean;
  relations?: readonly StatedRelation[] | undefined;
  /** When the text before ceased to be true, if it was. */
  superseded_at?: Instant | undefined;
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
  const { superseded_at } = rewrite;
  const { tables, project } = unit;
  const updated = { ...memory, ...patch };
  const terms = patch.memory === undefined ? {} : await indexTermsFor(unit, updated);
  const change = changeOf(deps, unit);
  await tables.memories.update(project, memory.id, {
    ...patch,
    ...terms,
    change,
    ...(superseded_at !== undefined && { superseded_at }),
  });
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
export type NewText = Pick<
  StoredMemory,
  'memory' | 'hash' | 'said' | 'occurred_at' | 'occurred_granularity' | 'may_replace'
>;

/** Call it before a transaction: reading dates may load the rules of a language. */
export async function newTextPatch(
  deps: Pick<Deps, 'clock' | 'dateOf' | 'judgeOrders' | 'timezone'>,
  memory: string,
): Promise<NewText> {
  await deps.judgeOrders(memory);
  const occurred = await dateOfText(deps, memory, deps.clock.now());
  const hash = contentHash(memory);
  return { memory, hash, said: null, may_replace: [], ...occurrenceFields(occurred) };
}

/** The date that a text names which is stored as it is, said at an instant. */
export async function dateOfText(
  { dateOf, timezone = 'UTC' }: Pick<Deps, 'dateOf' | 'timezone'>,
  text: string,
  said_at: Instant,
): Promise<Occurrence | null> {
  return dateOf(text, { said_at, timezone });
}

function occurrenceFields(occurred: Occurrence | null) {
  return {
    occurred_at: occurred?.at ?? null,
    occurred_granularity: occurred?.granularity ?? null,
  };
}

type DecisionSource = {
  deps: Pick<Deps, 'readsLikeOrders'>;
  /** The memory that is changed. */
  current: StoredMemory;
  source: Message;
  source_class: SourceClass;
  scope: AddContext;
};

/** The fields that a decision sets on the memory that it changes. */
export function decisionPatch(
  decision: Decision,
  { deps, current, source, source_class, scope }: DecisionSource,
): StrictOmit<RewritePatch, 'updated_at'> {
  const { text, said, type, slot, occurred, categories, supersedes } = decision;
  const { timestamp, expiration_date } = scope;
  const metadata = Object.keys(scope.metadata).length > 0 ? scope.metadata : current.metadata;
  return {
    memory: text,
    hash: contentHash(text),
    said,
    role: source.role,
    speaker: source.name ?? null,
    source_class,
    type,
    slot,
    ...occurrenceFields(occurred),
    may_replace: (decision.may_replace ?? []).filter((id) => id !== current.id),
    categories: categories ?? matchCategories(text, scope.extraction.categories),
    metadata: flagInjection(deps, text, metadata),
    ...(expiration_date !== null && { expiration_date }),
    ...(scope.pinned && { pinned: true }),
    ...newValidity(validityOf(decision, scope), supersedes),
    ...(timestamp !== null && { created_at: new Date(timestamp * 1000).toISOString() }),
  };
}

/** A detail leaves open what it does not say; a new fact does not end when the old one did. */
function newValidity({ valid_from, valid_until }: Validity, supersedes = false): Partial<Validity> {
  if (supersedes) return { valid_from, valid_until };
  return {
    ...(valid_from !== null && { valid_from }),
    ...(valid_until !== null && { valid_until }),
  };
}
