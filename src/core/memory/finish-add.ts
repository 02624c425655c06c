import { outcomeMessage } from '../../contract/event-outcome.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import type { Output } from '../../contract.ts';
import { completedEvent } from '../history/record.ts';
import { eventToKeep } from '../history/source.ts';
import type {
  Deps,
  Instant,
  PlannedDecision,
  ProjectRef,
  StoredEvent,
  Tables,
} from '../ports/index.ts';
import { type OutboxUnitOfWork, withOutbox } from '../webhooks/outbox.ts';
import {
  type Add,
  type AddContext,
  conversationText,
  expiredRemark,
  newEventOf,
} from './add-context.ts';
import { applyDecisions, noopResult } from './apply.ts';
import { onlySecretReason, saysOnlySecrets } from './only-secrets.ts';

type AddedDecisions = {
  decisions: readonly PlannedDecision[];
  /** When the work began, if that was earlier. */
  since?: Instant;
};

/** Applies the decisions of an add that was not queued and records its completed event. */
export async function storeAdd(
  deps: Deps,
  add: Add,
  { decisions, since }: AddedDecisions,
): Promise<{ results: WriteResult[]; answer: Output<'add_memory'> }> {
  const { project, scope } = add;
  return withOutbox(deps, project, async (unit) => {
    const { results, outcome } = await finishAdd(deps, unit, { add, decisions });
    const ended = { ...newEventOf(add), ...outcome, id: unit.event_id };
    const event = completedEvent(deps, ended, since);
    await unit.tables.events.insert(project, event);
    return { results, answer: await answerAdd(deps, unit, { event, scope }) };
  });
}

/** Applies the decisions of an add in the caller's transaction; without any, a NOOP says why. */
export async function finishAdd(
  deps: Deps,
  unit: OutboxUnitOfWork,
  { add, decisions }: { add: Add; decisions: readonly PlannedDecision[] },
): Promise<{ results: WriteResult[]; outcome: AddOutcome }> {
  const { scope, input } = add;
  const { messages = [] } = input;
  const results = await applyDecisions(deps, unit, { decisions, messages, scope });
  if (results.length === 0) results.push(await emptyResult(add));
  return { results, outcome: addOutcome(deps, add, results) };
}

async function emptyResult({ input, scope }: Add): Promise<WriteResult> {
  const what = input.infer === false ? 'no text' : 'nothing';
  const text = conversationText(input);
  const reason = (await saysOnlySecrets(text))
    ? onlySecretReason
    : `the messages hold ${what} to remember`;
  return noopResult(text, { id: null, scope, reason });
}

/** What the event of an add that succeeded keeps. */
export type AddOutcome = Pick<StoredEvent, 'results'> &
  Partial<Pick<StoredEvent, 'payload' | 'graph_status'>>;

export function addOutcome(
  deps: Pick<Deps, 'keep_source'>,
  { input, scope }: Add,
  results: WriteResult[],
): AddOutcome {
  const record = eventToKeep(deps, input, results);
  return { ...record, ...(scope.graph && { graph_status: 'SUCCEEDED' }) };
}

/** Tells the caller what an add did: as its event records it, queued or not. */
export async function answerAdd(
  deps: Pick<Deps, 'clock' | 'timezone'>,
  { tables, project }: { tables: Pick<Tables, 'relations'>; project: ProjectRef },
  { event, scope }: { event: StoredEvent; scope: AddContext },
): Promise<Output<'add_memory'>> {
  const { id: event_id, status, results } = event;
  const changes = results.filter((result) => result.event !== 'NOOP');
  const remark = changes.length > 0 ? expiredRemark(scope, deps) : null;
  const outcome = outcomeMessage(event);
  const message = remark === null ? outcome : `${outcome}; ${remark}`;
  const answer = { message, status, event_id, results };
  if (!scope.graph) return answer;
  const ids = changes.map(({ id }) => id ?? '');
  return { ...answer, relations: await tables.relations.list(project, ids) };
}
