import type { WriteResult } from '../../contract/schemas/change.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { Deps, PlannedDecision, StoredMemory } from '../ports.ts';
import type { ChangeUnit } from '../webhooks/announce.ts';
import { type AddScope, isExpired, saidAt } from './add-scope.ts';
import { hashOf } from './hash.ts';
import { type Inserts, newInserts } from './insert.ts';
import { remove } from './remove.ts';
import { change, patchOf } from './rewrite.ts';
import { keptDecision, keptOf } from './source.ts';

type Applying = Pick<Deps, 'clock' | 'ids' | 'keep_source'>;

export type Decided = {
  decisions: readonly PlannedDecision[];
  messages: readonly Message[];
  scope: AddScope;
};

/**
 * Carries decisions out and answers one result each, in order. It takes nobody's word: what is
 * there already is not stored again, and only a memory of the same owners, that is not immutable
 * and stands as it stood when the decision was made, is changed or deleted. The caller's
 * transaction makes it all or nothing.
 */
export async function applyDecisions(
  deps: Applying,
  unit: ChangeUnit,
  { decisions, messages, scope }: Decided,
): Promise<WriteResult[]> {
  const inserts = newInserts(deps, unit, scope);
  // Most adds hold something new, and what changes nothing else can have that asked for at once.
  if (decisions.length > 0 && decisions.every(isPlain)) inserts.prepare();
  const results: WriteResult[] = [];
  for (const decision of decisions) {
    const source = messages[decision.message];
    if (source === undefined) throw new Error('a decision came from none of the messages');
    const kept = keptDecision(deps, decision);
    results.push(await applyOne({ deps, unit, inserts, scope }, kept, source));
  }
  await inserts.flush();
  return results;
}

function isPlain({ event, slot }: PlannedDecision): boolean {
  return event === 'ADD' && slot === null;
}

type Context = { deps: Applying; unit: ChangeUnit; inserts: Inserts; scope: AddScope };

async function applyOne(
  context: Context,
  decision: PlannedDecision,
  source: Message,
): Promise<WriteResult> {
  const { scope, inserts } = context;
  const { event, text, target } = decision;
  if (event === 'NOOP') return noop(text, { id: target, scope, reason: decision.reason ?? '' });
  if (event === 'DELETE') return applyDelete(context, decision);
  const hash = hashOf(text);
  const same = await findSame(context, hash);
  if (same !== null) return noop(text, { id: same.id, scope, reason: `duplicate of ${same.id}` });
  const named = event === 'UPDATE' ? await findTarget(context, decision) : null;
  const filling = named ?? (await findFilling(context, decision.slot));
  if (filling === null) return inserts.add(orAdded(decision), { hash, source });
  if (filling !== named && filling.created_at > saidAt(context.deps, scope)) {
    // What was said before does not supersede, and leaves the slot to what came after.
    return inserts.add({ ...decision, slot: null }, { hash, source });
  }
  return supersede(context, { decision, source, current: filling });
}

/** Where a decision can't change what it named, the fact is stored all the same. */
function orAdded(decision: PlannedDecision): PlannedDecision {
  if (decision.event === 'ADD') return decision;
  return { ...decision, reason: 'what it would change is not there, or has changed since' };
}

/** What has expired is hidden: to be remembered again, it is stored again. */
async function findSame(
  { deps, unit, inserts, scope }: Context,
  hash: string,
): Promise<{ id: string } | null> {
  const fresh = inserts.find(hash);
  if (fresh !== undefined) return fresh;
  const stored = await unit.tables.memories.findSame(unit.project, scope, hash);
  return stored === null || isExpired(stored, deps.clock.now()) ? null : stored;
}

async function findFilling(context: Context, slot: string | null): Promise<StoredMemory | null> {
  if (slot === null) return null;
  const { unit, inserts, scope } = context;
  if (inserts.holdsSlot(slot)) await inserts.flush();
  const filling = await unit.tables.memories.findSlot(unit.project, scope, slot);
  return filling !== null && isOpen(context, filling) ? filling : null;
}

/** The memory that a decision names; null where it may not touch it any more. */
async function findTarget(
  context: Context,
  { target, expected }: PlannedDecision,
): Promise<StoredMemory | null> {
  if (target === null) return null;
  const { unit } = context;
  const memory = await unit.tables.memories.find(unit.project, target);
  return memory !== null && memory.hash === expected && isOpen(context, memory) ? memory : null;
}

function isOpen({ deps, scope }: Context, memory: StoredMemory): boolean {
  const isOwn = entityIdFields.every((field) => memory[field] === scope[field]);
  const isCurrent = memory.replaced_by === null && !isExpired(memory, deps.clock.now());
  return isOwn && isCurrent && !memory.immutable;
}

type Superseding = { decision: PlannedDecision; source: Message; current: StoredMemory };

async function supersede(
  { deps, unit, scope }: Context,
  { decision, source, current }: Superseding,
): Promise<WriteResult> {
  const at = saidAt(deps, scope);
  const patch = { ...patchOf(decision, { source, scope }), updated_at: deps.clock.now() };
  const input = keptOf(deps, decision, source);
  const updated = await change(deps, unit, {
    memory: current,
    patch,
    input,
    at,
    graph: scope.graph,
    relations: decision.relations,
  });
  const reason = decision.reason ?? 'tells the same thing anew';
  return result('UPDATE', updated, reason);
}

async function applyDelete(context: Context, decision: PlannedDecision): Promise<WriteResult> {
  const { deps, unit, scope } = context;
  await context.inserts.flush();
  const memory = await findTarget(context, decision);
  if (memory === null) {
    const reason = 'what it would delete is not there, or has changed since';
    return noop(decision.text, { id: null, scope, reason });
  }
  await remove(deps, unit, [memory]);
  return result('DELETE', memory, decision.reason);
}

function result(
  event: 'UPDATE' | 'DELETE',
  { id, memory, user_id }: StoredMemory,
  reason: string | null,
): WriteResult {
  return { id, event, memory, data: { memory }, user_id, ...(reason !== null && { reason }) };
}

/** The result that says why nothing was stored. */
export function noop(
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
