import type { WriteResult } from '../../contract/schemas/change.ts';
import type { SourceClass } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { type AddContext, saidAt } from '../extraction/add-context.ts';
import { changeResult } from '../history/record.ts';
import { sourceToKeep } from '../history/source.ts';
import type { Deps, PlannedDecision, StoredMemory } from '../ports/index.ts';
import type { OutboxUnitOfWork } from '../webhooks/outbox.ts';
import { decisionPatch, rewriteMemory } from './rewrite.ts';
import { supersededAt, trueSince, validityOf } from './validity.ts';

type SupersedeContext = {
  deps: Pick<Deps, 'clock' | 'ids' | 'keep_source' | 'readsLikeOrders'>;
  unit: OutboxUnitOfWork;
  scope: AddContext;
};

type SupersedeInput = {
  decision: PlannedDecision;
  /** Says since when: the decision, or what it leaves the rest of. */
  judged: PlannedDecision;
  made: { source: Message; source_class: SourceClass };
  current: StoredMemory;
};

/** Writes what a decision says in place of a memory, which was true until then. */
export async function supersede(
  { deps, unit, scope }: SupersedeContext,
  { decision, judged, made, current }: SupersedeInput,
): Promise<WriteResult> {
  const { source } = made;
  const at = saidAt(deps, scope);
  const { supersedes, isRest = false } = decision;
  const since = supersedes || isRest ? trueSince(judged, { deps, scope }) : undefined;
  const changed = decisionPatch(decision, { ...made, deps, current, scope });
  const patch = {
    ...changed,
    ...(since && !isRest && { valid_from: since }),
    updated_at: deps.clock.now(),
  };
  const input = sourceToKeep(deps, decision, source);
  const updated = await rewriteMemory(deps, unit, {
    memory: current,
    patch,
    input,
    at,
    graph: scope.graph,
    relations: decision.relations,
    superseded_at: since && supersededAt(current, since),
    superseded_in_part: isRest,
  });
  const reason = decision.reason ?? 'restates an existing memory';
  return changeResult('UPDATE', updated, reason);
}

/** It is true since it superseded a part of another memory. */
export function sinceItSuperseded(
  decision: PlannedDecision,
  { deps, scope }: Pick<SupersedeContext, 'deps' | 'scope'>,
): PlannedDecision {
  const valid_from = trueSince(decision, { deps, scope });
  return { ...decision, validity: { ...validityOf(decision, scope), valid_from } };
}
