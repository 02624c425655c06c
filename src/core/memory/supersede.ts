import type { WriteResult } from '../../contract/schemas/change.ts';
import type { SourceClass } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { changeResult } from '../history/record.ts';
import { sourceToKeep } from '../history/source.ts';
import type { Deps, PlannedDecision, StoredMemory } from '../ports/index.ts';
import type { OutboxUnitOfWork } from '../webhooks/outbox.ts';
import { type AddContext, saidAt } from './add-context.ts';
import { decisionPatch, rewriteMemory } from './rewrite.ts';
import { supersededAt, trueSince } from './validity.ts';

type SupersedeContext = {
  deps: Pick<Deps, 'clock' | 'ids' | 'keep_source' | 'readsLikeOrders'>;
  unit: OutboxUnitOfWork;
  scope: AddContext;
};

type SupersedeInput = {
  decision: PlannedDecision;
  origin: { source: Message; source_class: SourceClass };
  current: StoredMemory;
};

/** Replaces a memory, which was true until then, by what a decision says. */
export async function supersede(
  { deps, unit, scope }: SupersedeContext,
  { decision, origin, current }: SupersedeInput,
): Promise<WriteResult> {
  const { source } = origin;
  const at = saidAt(deps, scope);
  const since = decision.supersedes ? trueSince(decision, { deps, scope }) : undefined;
  const changed = decisionPatch(decision, { ...origin, deps, current, scope });
  const patch = {
    ...changed,
    ...(since && { valid_from: since }),
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
  });
  const reason = decision.reason ?? 'restates an existing memory';
  return changeResult('UPDATE', updated, reason);
}
