import { outcomeMessage } from '../../contract/event-outcome.ts';
import { limits } from '../../contract/limits.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { isInstructionRole, type Message } from '../../contract/schemas/message.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Output, Parsed } from '../../contract.ts';
import { createTurns } from '../../turns.ts';
import {
  type AddContext,
  addContextOf,
  conversationText,
  entityIdsOfInput,
  expiredRemark,
  graphStatus,
  saidAt,
} from '../extraction/add-context.ts';
import { decisionsPerTransaction, extractAdd } from '../extraction/extract-add.ts';
import { findNearest } from '../extraction/related-memories.ts';
import { completedEvent, recordEvent } from '../history/record.ts';
import { eventToKeep } from '../history/source.ts';
import type {
  Deps,
  Instant,
  PlannedDecision,
  ProjectCall,
  ProjectRef,
  Resembling,
  StoredEvent,
  StoredProject,
  Tables,
} from '../ports/index.ts';
import { waitForEvent } from '../queue/wait-for-event.ts';
import { withOutbox } from '../webhooks/outbox.ts';
import { applyDecisions, noopResult } from './apply.ts';
import { onlySecretReason, saysOnlySecrets } from './only-secrets.ts';
import { dateOfText } from './rewrite.ts';

type AddInput = Parsed<'add_memory'>;
type AddOutput = Output<'add_memory'>;

/** With `infer: false`, stores each message verbatim at once; otherwise extracts facts. */
export async function addMemory(
  deps: Deps,
  input: AddInput,
  call: ProjectCall,
): Promise<AddOutput> {
  return input.infer === false ? addVerbatim(deps, input, call) : addInferred(deps, input, call);
}

async function addVerbatim(
  deps: Deps,
  input: AddInput,
  { project }: ProjectCall,
): Promise<AddOutput> {
  const scope = addContextOf(input, project, deps);
  const planned = verbatimDecisions(input.messages ?? []);
  const { repeated, similar: alike } = input.find_similar
    ? await findResembling(deps, planned, { project, scope })
    : nothingSimilar;
  const contradicted = alike.filter((one) => one.contradicted === true);
  const may_replace = contradicted.map(({ id }) => id).slice(0, limits.may_replace_max);
  const similar = alike.filter((one) => !contradicted.includes(one));
  const decisions: PlannedDecision[] = [];
  const rest = createTurns();
  for (const decision of planned) {
    await rest();
    const occurred = await dateOfText(deps, decision.text, saidAt(deps, scope));
    await deps.judgeOrders(decision.text);
    const dated = { ...decision, occurred, ...(may_replace.length > 0 && { may_replace }) };
    decisions.push(repeated === null ? dated : repeatOf(decision, repeated));
  }
  const added = await storeAdd(deps, { input, project, decisions, event: addEventOf(input) });
  // Only for the caller: events would keep what other memories say.
  return { ...added, results: added.results.map((result) => withSimilar(result, similar)) };
}

/** What a single text resembles: of several messages each is kept as it was said. */
async function findResembling(
  deps: Deps,
  planned: readonly PlannedDecision[],
  { project, scope }: { project: ProjectRef; scope: AddContext },
): ReturnType<Deps['resemble']> {
  const [only, ...others] = planned;
  if (only === undefined || others.length > 0) return nothingSimilar;
  const near = await findNearest(deps, project, { text: only.text, ids: scope });
  return near.length === 0 ? nothingSimilar : deps.resemble(only.text, near);
}

const nothingSimilar: Awaited<ReturnType<Deps['resemble']>> = { repeated: null, similar: [] };

function repeatOf(decision: PlannedDecision, target: string): PlannedDecision {
  return { ...decision, event: 'NOOP', target, reason: `duplicate of ${target}` };
}

function withSimilar(result: WriteResult, similar: Resembling[]): WriteResult {
  return result.event !== 'ADD' || similar.length === 0 ? result : { ...result, similar };
}

type StoreAddOptions = {
  input: AddInput;
  project: StoredProject;
  decisions: readonly PlannedDecision[];
  event: ReturnType<typeof addEventOf>;
  /** When the work began, if that was earlier. */
  since?: Instant;
};

/** Applies the decisions and records the completed event. */
async function storeAdd(
  deps: Deps,
  { input, project, decisions, event, since }: StoreAddOptions,
): Promise<AddOutput> {
  const scope = addContextOf(input, project, deps);
  const { messages = [] } = input;
  return withOutbox(deps, project, async (unit) => {
    const results = await applyDecisions(deps, unit, { decisions, messages, scope });
    if (results.length === 0) results.push(await emptyAddResult(input, scope));
    const kept = eventToKeep(deps, input, results);
    const done = { ...event, ...kept, ...graphStatus(scope) };
    const record = completedEvent(deps, { ...done, id: unit.event_id }, since);
    await unit.tables.events.insert(project, record);
    const status = 'SUCCEEDED' as const;
    const message = addMessage(deps, scope, { status, error: null, results });
    const relations = await listAddedRelations(unit, results, scope);
    // Extracted results are returned as the event records them, queued or not.
    const shown = input.infer === false ? results : kept.results;
    const { id: event_id } = record;
    return { message, status, event_id, results: shown, ...relations };
  });
}

/** What the add did, and why a search may not find it. */
function addMessage(
  deps: Pick<Deps, 'clock' | 'timezone'>,
  scope: AddContext,
  outcome: Pick<StoredEvent, 'status' | 'error' | 'results'>,
): string {
  const message = outcomeMessage(outcome);
  const isChanged = outcome.results.some(({ event }) => event !== 'NOOP');
  const remark = isChanged ? expiredRemark(scope, deps) : null;
  return remark === null ? message : `${message}; ${remark}`;
}

async function emptyAddResult(input: AddInput, scope: AddContext): Promise<WriteResult> {
  const what = input.infer === false ? 'no text' : 'nothing';
  const text = conversationText(input);
  const reason = (await saysOnlySecrets(text))
    ? onlySecretReason
    : `the messages hold ${what} to remember`;
  return noopResult(text, { id: null, scope, reason });
}

async function addInferred(deps: Deps, input: AddInput, call: ProjectCall): Promise<AddOutput> {
  const { project, signal } = call;
  const wait_ms = call.wait_ms ?? (input.async_mode ? 0 : syncWaitMs);
  const added = wait_ms > 0 ? await addSynchronously(deps, input, call) : null;
  if (added !== null) return added;
  const event_id = await enqueueAdd(deps, input, project);
  const wait = { project, event_id, wait_ms, ...(signal && { signal }) };
  const event = wait_ms > 0 ? await waitForEvent(deps, wait) : null;
  if (event === null) {
    const message = 'Memories are being extracted; get_event says when they are stored';
    return { message, status: 'PENDING', event_id, results: [] };
  }
  const { status, results } = event;
  const unit = { tables: deps.store, project };
  const scope = addContextOf(input, project, deps);
  const relations = await listAddedRelations(unit, results, scope);
  return { message: addMessage(deps, scope, event), status, event_id, results, ...relations };
}

/** The longest wait of a caller that sends `async_mode: false`. */
const syncWaitMs = 60_000;

/**
 * Extracts and stores in one transaction if a caller waits and rules are quick. Null if the add
 * belongs into the queue: long input, other queued work, or a failure that needs a retry.
 */
async function addSynchronously(
  deps: Deps,
  input: AddInput,
  call: ProjectCall,
): Promise<AddOutput | null> {
  const { project, signal = new AbortController().signal } = call;
  const { extractor, store } = deps;
  if (!extractor.isQuick || conversationText(input).length > synchronousMaxChars) return null;
  if (await store.jobs.hasAny(project)) return null;
  const since = deps.clock.now();
  const add = { input, project, metadata: addEventOf(input).metadata ?? {} };
  const extracted = await extractAdd(deps, add, (conversation) =>
    extractor.extract(conversation, signal),
  ).catch(() => null); // the queue retries and reports the failure
  if (extracted === null || extracted.decisions.length > decisionsPerTransaction) return null;
  const { decisions, metadata, input: kept } = extracted;
  const keptEvent = { ...addEventOf(kept), metadata };
  return storeAdd(deps, { input: kept, project, decisions, event: keptEvent, since });
}

/** Rules process this much in some hundredths of a second. */
const synchronousMaxChars = 20_000;

async function enqueueAdd(deps: Deps, input: AddInput, project: ProjectRef): Promise<string> {
  const event_id = await deps.store.transaction(async (tables) => {
    const pending = {
      status: 'PENDING',
      started_at: null,
      completed_at: null,
      latency: null,
    } as const;
    const id = await recordEvent(deps, { tables, project }, { ...addEventOf(input), ...pending });
    const run_at = deps.clock.now();
    await tables.jobs.enqueue(project, {
      id: deps.ids.next(),
      kind: 'process_event',
      subject_id: id,
      run_at,
    });
    return id;
  });
  deps.wake();
  return event_id;
}

/** The relations of the changed memories, if the graph is enabled. */
async function listAddedRelations(
  { tables, project }: { tables: Pick<Tables, 'relations'>; project: ProjectRef },
  results: readonly WriteResult[],
  { graph }: AddContext,
): Promise<{ relations?: Relation[] }> {
  if (!graph) return {};
  const ids = results.filter(({ event }) => event !== 'NOOP').map(({ id }) => id ?? '');
  return { relations: await tables.relations.list(project, ids) };
}

/** Each message with text becomes one memory, verbatim, but for instructions. */
function verbatimDecisions(messages: readonly Message[]): PlannedDecision[] {
  return messages
    .map(({ role, content }, message) => ({ role, text: content.trim(), message }))
    .filter(({ role, text }) => !isInstructionRole(role) && text !== '')
    .map(({ text, message }) => ({ ...verbatimFields, text, message }));
}

/** Verbatim memories are not classified. */
const verbatimFields: StrictOmit<PlannedDecision, 'text' | 'message'> = {
  event: 'ADD',
  target: null,
  expected: null,
  reason: null,
  type: null,
  slot: null,
  occurred: null,
  said: null,
};

/** The event keeps the whole input, so that the queue can process it after a restart. */
function addEventOf(input: AddInput) {
  const skipped = (input.messages ?? []).reduce((sum, part) => sum + (part.skipped_parts ?? 0), 0);
  const metadata: StoredEvent['metadata'] = skipped === 0 ? null : { skipped_parts: skipped };
  const { find_similar: _, ...payload }: Record<string, unknown> & AddInput = input;
  return { event_type: 'ADD' as const, payload, metadata, ...entityIdsOfInput(input) };
}
