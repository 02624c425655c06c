import { outcomeMessage } from '../../contract/event-outcome.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import type { Output } from '../../contract.ts';
import { eventToKeep } from '../history/source.ts';
import type { Deps, PlannedDecision, ProjectRef, StoredEvent, Tables } from '../ports/index.ts';
import type { OutboxUnitOfWork } from '../webhooks/outbox.ts';
import { type Add, type AddContext, conversationText, expiredRemark } from './add-context.ts';
import { applyDecisions, noopResult } from './apply.ts';
import { onlySecretReason, saysOnlySecrets } from './only-secrets.ts';

type StoredAdd = Pick<Add, 'input' | 'scope'>;

/** Applies the decisions of an add, in the caller's transaction. One that has none says why. */
export async function finishAdd(
  deps: Deps,
  unit: OutboxUnitOfWork,
  { input, scope, decisions }: StoredAdd & { decisions: readonly PlannedDecision[] },
): Promise<WriteResult[]> {
  const { messages = [] } = input;
  const results = await applyDecisions(deps, unit, { decisions, messages, scope });
  return results.length > 0 ? results : [await emptyResult({ input, scope })];
}

async function emptyResult({ input, scope }: StoredAdd): Promise<WriteResult> {
  const what = input.infer === false ? 'no text' : 'nothing';
  const text = conversationText(input);
  const reason = (await saysOnlySecrets(text))
    ? onlySecretReason
    : `the messages hold ${what} to remember`;
  return noopResult(text, { id: null, scope, reason });
}

/** What the event of an add that succeeded keeps. */
export function addOutcome(
  deps: Pick<Deps, 'keep_source'>,
  { input, scope }: StoredAdd,
  results: WriteResult[],
): Pick<StoredEvent, 'results'> & Partial<Pick<StoredEvent, 'payload' | 'graph_status'>> {
  return {
    ...eventToKeep(deps, input, results),
    ...(scope.graph && { graph_status: 'SUCCEEDED' }),
  };
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
