import type { WriteResult } from '../../contract/schemas/change.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { ReviewReason, SourceClass } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { createTurns } from '../../turns.ts';
import { changeResult } from '../history/record.ts';
import { redactDecision } from '../history/source.ts';
import type { Deps, PlannedDecision, StoredMemory } from '../ports/index.ts';
import {
  leastTrusted,
  type MemoryStanding,
  reviewStandingOf,
  sourceClassOfRole,
  standingOf,
} from '../safety/trust.ts';
import type { OutboxUnitOfWork } from '../webhooks/outbox.ts';
import { type AddContext, isExpired, saidAt } from './add-context.ts';
import { contentHash } from './content-hash.ts';
import { createInsertBatch, type InsertBatch } from './insert.ts';
import { onlySecretReason, saysOnlySecrets } from './only-secrets.ts';
import { type FindRefused, findRefusals } from './refused-texts.ts';
import { removeMemories } from './remove.ts';
import { findConflicting, isOfOwners, isRecalled, withConflicts } from './resolve-conflicts.ts';
import { supersede } from './supersede.ts';
import { validBefore } from './validity.ts';

type ApplyDeps = Pick<Deps, 'clock' | 'ids' | 'keep_source' | 'readsLikeOrders' | 'timezone'>;

export type ApplyInput = {
  decisions: readonly PlannedDecision[];
  messages: readonly Message[];
  scope: AddContext;
};

/**
 * Applies decisions and returns one result for each, in order. Decisions are not trusted: a
 * duplicate is not stored again, and a memory is changed or deleted only if it has the same owners,
 * is not immutable and has not changed since the decision. The caller's transaction makes it all or
 * nothing.
 */
export async function applyDecisions(
  deps: ApplyDeps,
  unit: OutboxUnitOfWork,
  { decisions, messages, scope }: ApplyInput,
): Promise<WriteResult[]> {
  const inserts = createInsertBatch(deps, unit, scope);
  // Most adds hold something new, so plain adds can look up what they need in advance.
  if (decisions.length > 0 && decisions.every(isUnconditionalAdd)) inserts.prefetch();
  const refused = findRefusals(unit);
  refused.catch(() => {}); // thrown where it is awaited
  const context = { deps, unit, inserts, scope, refused };
  const results: WriteResult[] = [];
  const yieldTurn = createTurns();
  for (const decision of decisions) {
    await yieldTurn();
    const source = messages[decision.message];
    if (source === undefined) throw new Error('a decision came from none of the messages');
    const stored = withoutOrders(deps, redactDecision(deps, decision));
    results.push(await applyOne(context, stored, source));
  }
  await inserts.flush();
  return results;
}

/** A model takes relations from what it reads, which may be orders: those are dropped. */
function withoutOrders(
  { readsLikeOrders }: ApplyDeps,
  { relations, ...decision }: PlannedDecision,
): PlannedDecision {
  if (relations === undefined) return decision;
  const plainRelations = relations.filter(
    ({ relationship }) => !readsLikeOrders(relationship.replaceAll('_', ' ')),
  );
  return { ...decision, relations: plainRelations };
}

function isUnconditionalAdd({ event, slot }: PlannedDecision): boolean {
  return event === 'ADD' && slot === null;
}

type ApplyContext = {
  deps: ApplyDeps;
  unit: OutboxUnitOfWork;
  inserts: InsertBatch;
  scope: AddContext;
  /** What a review refused for good. */
  refused: Promise<FindRefused>;
};

/** What the decision may contradict is as it is in this transaction. */
async function applyOne(
  context: ApplyContext,
  { may_replace, ...decision }: PlannedDecision,
  source: Message,
): Promise<WriteResult> {
  if (may_replace === undefined) return applyDecision(context, decision, source);
  const { deps, unit, scope } = context;
  const { clock, timezone } = deps;
  const reader = { memories: unit.tables.memories, now: clock.now(), timezone };
  const proposal = { ...decision, may_replace, owners: scope };
  const older = await findConflicting(reader, unit.project, proposal);
  const ids = older.map(({ id }) => id);
  const result = await applyDecision(context, { ...decision, may_replace: ids }, source);
  return withConflicts(result, older);
}

async function applyDecision(
  context: ApplyContext,
  decision: PlannedDecision,
  source: Message,
): Promise<WriteResult> {
  const { deps, scope, inserts } = context;
  const { event, text, target } = decision;
  if (event === 'NOOP')
    return noopResult(text, { id: target, scope, reason: decision.reason ?? '' });
  if (event !== 'DELETE' && (await saysOnlySecrets(text)))
    return noopResult(text, { id: null, scope, reason: onlySecretReason });
  const changed = event === 'ADD' ? null : await findTarget(context, decision);
  const origin = originOf(decision, { deps, source, scope, changed });
  const like = await findLike(context, decision, source);
  if (like !== null) {
    const reason = `like ${like}, which a review refused for good`;
    return noopResult(text, { id: null, scope, reason });
  }
  if (origin.status !== 'active') return applyWaiting(context, decision, { ...origin, changed });
  if (event === 'DELETE') return applyDelete(context, decision, changed);
  const hash = contentHash(text);
  const same = await findStoredDuplicate(context, hash);
  if (same !== null)
    return noopResult(text, { id: same.id, scope, reason: `duplicate of ${same.id}` });
  const mayReplace = decision.supersedes !== false;
  const superseded = changed ?? (mayReplace ? await findSlotHolder(context, decision.slot) : null);
  if (superseded === null) return inserts.add(fallBackToAdd(decision), { ...origin, hash });
  if (superseded !== changed && superseded.created_at > saidAt(context.deps, scope)) {
    // An older statement does not supersede a newer one, which keeps the slot.
    const validity = validBefore(superseded, decision);
    return inserts.add({ ...decision, slot: null, validity }, { ...origin, hash });
  }
  const supersedes = decision.supersedes ?? changed === null;
  return supersede(context, { decision: { ...decision, supersedes }, origin, current: superseded });
}

/** The refused memory that a new text is like. */
async function findLike(
  { refused }: ApplyContext,
  { event, text }: PlannedDecision,
  { name }: Message,
): Promise<string | null> {
  return event === 'DELETE' ? null : (await refused)(text, name);
}

type Origin = MemoryStanding & { source: Message; source_class: SourceClass };

type OriginInput = {
  deps: ApplyDeps;
  source: Message;
  scope: AddContext;
  changed: StoredMemory | null;
};

/** Where the text of a decision comes from, and whether that is trusted. */
function originOf(
  { text, mixes = false, ...decision }: PlannedDecision,
  { deps, source, scope, changed }: OriginInput,
): Origin {
  const roleClass = sourceClassOfRole(source.role);
  const sourceClasses = [
    scope.source_class ?? roleClass,
    mixes ? (changed?.source_class ?? roleClass) : roleClass,
  ];
  const source_class = leastTrusted(roleClass, ...sourceClasses);
  const standing = standingOf({ text, source_class }, scope.trust, deps);
  const waits = standing.status !== 'active';
  return {
    source,
    source_class,
    ...(waits ? standing : reviewStandingOf(decision, scope.trust)),
  };
}

/** What is not trusted changes nothing that is recalled: it waits beside it. */
async function applyWaiting(
  { unit, inserts, scope }: ApplyContext,
  decision: PlannedDecision,
  { changed, ...origin }: Origin & { changed: StoredMemory | null },
): Promise<WriteResult> {
  const { event, text } = decision;
  if (event === 'DELETE') {
    const reason = unchangedReasons[origin.review_reason ?? 'source'];
    return noopResult(text, { id: changed?.id ?? null, scope, reason });
  }
  const hash = contentHash(text);
  const { project, tables } = unit;
  const same =
    inserts.find(hash, 'active') ??
    inserts.find(hash, 'waiting') ??
    (await tables.memories.findDuplicate(project, scope, hash)) ??
    (await tables.memories.findWaitingDuplicate(project, scope, hash));
  if (same !== null)
    return noopResult(text, { id: same.id, scope, reason: `duplicate of ${same.id}` });
  const reason = waitingReasons[origin.review_reason ?? 'source'];
  const add = { ...decision, event: 'ADD', reason } as const;
  return inserts.add(add, { ...origin, hash, supersedes: changed?.id ?? null });
}

const waitingReasons: Readonly<Record<ReviewReason, string>> = {
  source: 'waits for a review: the project does not trust its source',
  flagged: 'waits for a review: it reads like orders to an agent',
  unsure: 'waits for a review: extraction is not sure of it',
  all: 'waits for a review, as all new memories of the project do',
};

const unchangedReasons: Readonly<Record<ReviewReason, string>> = {
  source: 'not changed: the project does not trust the source',
  flagged: 'not changed: the statement reads like orders to an agent',
  unsure: 'not changed: extraction is not sure of it',
  all: 'not changed: the statement waits for a review',
};

/** If the target of an UPDATE can't be changed, the fact is added instead. */
function fallBackToAdd(decision: PlannedDecision): PlannedDecision {
  if (decision.event === 'ADD') return decision;
  return { ...decision, reason: 'the memory to update is missing or has changed since' };
}

/** An expired duplicate is hidden, so the fact is stored again. */
async function findStoredDuplicate(
  { deps, unit, inserts, scope }: ApplyContext,
  hash: string,
): Promise<{ id: string } | null> {
  const fresh = inserts.find(hash, 'active');
  if (fresh !== undefined) return fresh;
  const stored = await unit.tables.memories.findDuplicate(unit.project, scope, hash);
  return stored === null || isExpired(stored, deps.clock.now(), deps) ? null : stored;
}

async function findSlotHolder(
  context: ApplyContext,
  slot: string | null,
): Promise<StoredMemory | null> {
  if (slot === null) return null;
  const { unit, inserts, scope } = context;
  if (inserts.hasSlot(slot)) await inserts.flush();
  const holder = await unit.tables.memories.findBySlot(unit.project, scope, slot);
  if (holder === null || !isChangeable(context, holder)) return null;
  // An imported memory may say more. The rules are loaded already: they found the slot.
  const { saysOneThing } = await import('../extraction/single-fact.ts');
  return saysOneThing(holder.memory) ? holder : null;
}

/** The target of a decision; null if it may no longer be changed. */
async function findTarget(
  context: ApplyContext,
  { target, expected }: PlannedDecision,
): Promise<StoredMemory | null> {
  if (target === null) return null;
  const { unit } = context;
  const memory = await unit.tables.memories.find(unit.project, target);
  return memory !== null && memory.hash === expected && isChangeable(context, memory)
    ? memory
    : null;
}

function isChangeable({ deps, scope }: ApplyContext, memory: StoredMemory): boolean {
  return (
    isOfOwners(memory, scope) && isRecalled(memory, deps.clock.now(), deps) && !memory.immutable
  );
}

async function applyDelete(
  context: ApplyContext,
  decision: PlannedDecision,
  memory: StoredMemory | null,
): Promise<WriteResult> {
  const { deps, unit, scope } = context;
  await context.inserts.flush();
  if (memory === null) {
    const reason = 'the memory to delete is missing or has changed since';
    return noopResult(decision.text, { id: null, scope, reason });
  }
  await removeMemories(deps, unit, [memory]);
  return changeResult('DELETE', memory, decision.reason);
}

/** The result that says why nothing was stored. */
export function noopResult(
  text: string,
  { id, scope, reason }: { id: string | null; scope: EntityIds; reason: string },
): WriteResult {
  const beginning = text.slice(0, noopTextMaxChars);
  return {
    id,
    event: 'NOOP',
    memory: beginning,
    data: { memory: beginning },
    user_id: scope.user_id,
    reason,
  };
}

/** A NOOP quotes its text; the beginning is enough to recognize it. */
const noopTextMaxChars = 500;
