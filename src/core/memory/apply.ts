import type { WriteResult } from '../../contract/schemas/change.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { type AddContext, isExpired, saidAt } from '../extraction/add-context.ts';
import { redactDecision, sourceToKeep } from '../history/source.ts';
import type { Deps, PlannedDecision, StoredMemory } from '../ports/index.ts';
import type { OutboxUnitOfWork } from '../webhooks/outbox.ts';
import { contentHash } from './content-hash.ts';
import { createInsertBatch, type InsertBatch } from './insert.ts';
import { removeMemories } from './remove.ts';
import { decisionPatch, rewriteMemory } from './rewrite.ts';

type ApplyDeps = Pick<Deps, 'clock' | 'ids' | 'keep_source'>;

export type ApplyInput = {
  decisions: readonly PlannedDecision[];
  messages: readonly Message[];
  scope: AddContext;
};

/**
 * Carries decisions out and answers one result each, in order. It takes nobody's word: what is
 * there already is not stored again, and only a memory of the same owners, that is not immutable
 * and stands as it stood when the decision was made, is changed or deleted. The caller's
 * transaction makes it all or nothing.
 */
export async function applyDecisions(
  deps: ApplyDeps,
  unit: OutboxUnitOfWork,
  { decisions, messages, scope }: ApplyInput,
): Promise<WriteResult[]> {
  const inserts = createInsertBatch(deps, unit, scope);
  // Most adds hold something new, and what changes nothing else can have that asked for at once.
  if (decisions.length > 0 && decisions.every(isUnconditionalAdd)) inserts.prefetch();
  const results: WriteResult[] = [];
  for (const decision of decisions) {
    const source = messages[decision.message];
    if (source === undefined) throw new Error('a decision came from none of the messages');
    const kept = redactDecision(deps, decision);
    results.push(await applyOne({ deps, unit, inserts, scope }, kept, source));
  }
  await inserts.flush();
  return results;
}

function isUnconditionalAdd({ event, slot }: PlannedDecision): boolean {
  return event === 'ADD' && slot === null;
}

type ApplyContext = {
  deps: ApplyDeps;
  unit: OutboxUnitOfWork;
  inserts: InsertBatch;
  scope: AddContext;
};

async function applyOne(
  context: ApplyContext,
  decision: PlannedDecision,
  source: Message,
): Promise<WriteResult> {
  const { scope, inserts } = context;
  const { event, text, target } = decision;
  if (event === 'NOOP')
    return noopResult(text, { id: target, scope, reason: decision.reason ?? '' });
  if (event === 'DELETE') return applyDelete(context, decision);
  const hash = contentHash(text);
  const same = await findStoredDuplicate(context, hash);
  if (same !== null)
    return noopResult(text, { id: same.id, scope, reason: `duplicate of ${same.id}` });
  const named = event === 'UPDATE' ? await findTarget(context, decision) : null;
  const filling = named ?? (await findSlotHolder(context, decision.slot));
  if (filling === null) return inserts.add(fallBackToAdd(decision), { hash, source });
  if (filling !== named && filling.created_at > saidAt(context.deps, scope)) {
    // What was said before does not supersede, and leaves the slot to what came after.
    return inserts.add({ ...decision, slot: null }, { hash, source });
  }
  return supersede(context, { decision, source, current: filling });
}

/** Where a decision can't change what it named, the fact is stored all the same. */
function fallBackToAdd(decision: PlannedDecision): PlannedDecision {
  if (decision.event === 'ADD') return decision;
  return { ...decision, reason: 'what it would change is not there, or has changed since' };
}

/** What has expired is hidden: to be remembered again, it is stored again. */
async function findStoredDuplicate(
  { deps, unit, inserts, scope }: ApplyContext,
  hash: string,
): Promise<{ id: string } | null> {
  const fresh = inserts.find(hash);
  if (fresh !== undefined) return fresh;
  const stored = await unit.tables.memories.findDuplicate(unit.project, scope, hash);
  return stored === null || isExpired(stored, deps.clock.now()) ? null : stored;
}

async function findSlotHolder(
  context: ApplyContext,
  slot: string | null,
): Promise<StoredMemory | null> {
  if (slot === null) return null;
  const { unit, inserts, scope } = context;
  if (inserts.hasSlot(slot)) await inserts.flush();
  const filling = await unit.tables.memories.findBySlot(unit.project, scope, slot);
  return filling !== null && isChangeable(context, filling) ? filling : null;
}

/** The memory that a decision names; null where it may not touch it any more. */
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
  const isOwn = entityIdFields.every((field) => memory[field] === scope[field]);
  const isCurrent = memory.replaced_by === null && !isExpired(memory, deps.clock.now());
  return isOwn && isCurrent && !memory.immutable;
}

type SupersedeInput = { decision: PlannedDecision; source: Message; current: StoredMemory };

async function supersede(
  { deps, unit, scope }: ApplyContext,
  { decision, source, current }: SupersedeInput,
): Promise<WriteResult> {
  const at = saidAt(deps, scope);
  const patch = { ...decisionPatch(decision, { source, scope }), updated_at: deps.clock.now() };
  const input = sourceToKeep(deps, decision, source);
  const updated = await rewriteMemory(deps, unit, {
    memory: current,
    patch,
    input,
    at,
    graph: scope.graph,
    relations: decision.relations,
  });
  const reason = decision.reason ?? 'tells the same thing anew';
  return changeResult('UPDATE', updated, reason);
}

async function applyDelete(context: ApplyContext, decision: PlannedDecision): Promise<WriteResult> {
  const { deps, unit, scope } = context;
  await context.inserts.flush();
  const memory = await findTarget(context, decision);
  if (memory === null) {
    const reason = 'what it would delete is not there, or has changed since';
    return noopResult(decision.text, { id: null, scope, reason });
  }
  await removeMemories(deps, unit, [memory]);
  return changeResult('DELETE', memory, decision.reason);
}

function changeResult(
  event: 'UPDATE' | 'DELETE',
  { id, memory, user_id }: StoredMemory,
  reason: string | null,
): WriteResult {
  return { id, event, memory, data: { memory }, user_id, ...(reason !== null && { reason }) };
}

/** The result that says why nothing was stored. */
export function noopResult(
  text: string,
  { id, scope, reason }: { id: string | null; scope: EntityIds; reason: string },
): WriteResult {
  const shown = text.slice(0, noopTextMaxChars);
  return {
    id,
    event: 'NOOP',
    memory: shown,
    data: { memory: shown },
    user_id: scope.user_id,
    reason,
  };
}

/** A NOOP names the text that it is about; its beginning is enough to know it by. */
const noopTextMaxChars = 500;
