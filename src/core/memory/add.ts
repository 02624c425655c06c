import type { Output, Parsed } from '../../contract/index.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import { waitForEvent } from '../jobs/settled.ts';
import type {
  Call,
  Deps,
  Instant,
  PlannedDecision,
  Project,
  StoredEvent,
  StoredProject,
  Tables,
} from '../ports.ts';
import { decisionsAtOnce, understandAdd } from '../understanding/understand-add.ts';
import { changing } from '../webhooks/announce.ts';
import { entityIdsOf, scopeOf, textOf } from './add-input.ts';
import { type AddScope, graphDone } from './add-scope.ts';
import { applyDecisions, noop } from './apply.ts';
import { doneEvent, recordEvent } from './record.ts';
import { keptEvent } from './source.ts';

type AddInput = Parsed<'add_memory'>;
type AddOutput = Output<'add_memory'>;

/** `infer: false` stores each message as it is, at once; else the queue has them understood. */
export async function addMemory(deps: Deps, input: AddInput, call: Call): Promise<AddOutput> {
  return input.infer === false ? addVerbatim(deps, input, call) : addInferred(deps, input, call);
}

async function addVerbatim(deps: Deps, input: AddInput, { project }: Call): Promise<AddOutput> {
  const decisions = verbatim(input.messages ?? []);
  return storeAdd(deps, { input, project, decisions, event: eventOf(input) });
}

type Storing = {
  input: AddInput;
  project: StoredProject;
  decisions: readonly PlannedDecision[];
  event: ReturnType<typeof eventOf>;
  /** When the work began, where that was before. */
  since?: Instant;
};

/** Carries out what is decided, with the event of an add that is done. */
async function storeAdd(
  deps: Deps,
  { input, project, decisions, event, since }: Storing,
): Promise<AddOutput> {
  const scope = scopeOf(input, project);
  const { messages = [] } = input;
  return changing(deps, project, async (unit) => {
    const results = await applyDecisions(deps, unit, { decisions, messages, scope });
    if (results.length === 0) results.push(nothingIn(input, scope));
    const kept = keptEvent(deps, input, results);
    const done = { ...event, ...kept, ...graphDone(scope) };
    const record = doneEvent(deps, done, since);
    await unit.tables.events.insert(project, record);
    const message = storedMessage(results);
    const relations = await relationsOf(unit, results, scope);
    // What was understood is answered as its event has it, whoever carried it out.
    const shown = input.infer === false ? results : kept.results;
    const { id: event_id } = record;
    return { message, status: 'SUCCEEDED' as const, event_id, results: shown, ...relations };
  });
}

function nothingIn(input: AddInput, scope: AddScope): WriteResult {
  const what = input.infer === false ? 'no text' : 'nothing';
  const reason = `the messages hold ${what} to remember`;
  return noop(textOf(input), { id: null, scope, reason });
}

async function addInferred(deps: Deps, input: AddInput, call: Call): Promise<AddOutput> {
  const { project, signal } = call;
  const wait_ms = call.wait_ms ?? (input.async_mode ? 0 : syncWaitMs);
  const added = wait_ms > 0 ? await addQuickly(deps, input, call) : null;
  if (added !== null) return added;
  const event_id = await enqueue(deps, input, project);
  const wait = { project, event_id, wait_ms, ...(signal && { signal }) };
  const event = wait_ms > 0 ? await waitForEvent(deps, wait) : null;
  if (event === null) {
    const message = 'Memories are being extracted; get_event says when they are stored';
    return { message, status: 'PENDING', event_id, results: [] };
  }
  const { status, results } = event;
  const unit = { tables: deps.store, project };
  const relations = await relationsOf(unit, results, scopeOf(input, project));
  return { message: messageOf(event), status, event_id, results, ...relations };
}

/** How long a caller that sends `async_mode: false` is kept waiting at most. */
const syncWaitMs = 60_000;

/**
 * Understands and stores in one transaction what is waited for and takes rules a moment: all of it
 * is there with its event, or nothing, as with all other writes. Null where the queue is the
 * place: for much at once, behind other work, and where something has to be tried again.
 */
async function addQuickly(deps: Deps, input: AddInput, call: Call): Promise<AddOutput | null> {
  const { project, signal = new AbortController().signal } = call;
  const { understander, store } = deps;
  if (!understander.isQuick || textOf(input).length > quickMaxChars) return null;
  if (await store.jobs.hasAny(project)) return null;
  const since = deps.clock.now();
  const event = eventOf(input);
  const add = { input, project, metadata: event.metadata ?? {} };
  const understood = await understandAdd(deps, add, (conversation) =>
    understander.understand(conversation, signal),
  ).catch(() => null); // the queue tries again, and tells what goes wrong
  if (understood === null || understood.decisions.length > decisionsAtOnce) return null;
  const { decisions, metadata } = understood;
  return storeAdd(deps, { input, project, decisions, event: { ...event, metadata }, since });
}

/** What rules read in some hundredths of a second. */
const quickMaxChars = 20_000;

async function enqueue(deps: Deps, input: AddInput, project: Project): Promise<string> {
  const event_id = await deps.store.transaction(async (tables) => {
    const pending = {
      status: 'PENDING',
      started_at: null,
      completed_at: null,
      latency: null,
    } as const;
    const id = await recordEvent(deps, { tables, project }, { ...eventOf(input), ...pending });
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

/** What the changed memories put into the graph, where there is one. */
async function relationsOf(
  { tables, project }: { tables: Pick<Tables, 'relations'>; project: Project },
  results: readonly WriteResult[],
  { graph }: AddScope,
): Promise<{ relations?: Relation[] }> {
  if (!graph) return {};
  const ids = results.filter(({ event }) => event !== 'NOOP').map(({ id }) => id ?? '');
  return { relations: await tables.relations.list(project, ids) };
}

function storedMessage(results: readonly WriteResult[]): string {
  return results.some(({ event }) => event !== 'NOOP') ? 'Memories stored' : 'Nothing new to store';
}

function messageOf({ status, error, results }: StoredEvent): string {
  if (status === 'SUCCEEDED') return storedMessage(results);
  return `${results.length === 0 ? 'Nothing' : 'Only a part'} was stored: ${error}`;
}

/** Each non-system message that holds text is one memory, word for word. */
function verbatim(messages: readonly Message[]): PlannedDecision[] {
  return messages
    .map(({ role, content }, message) => ({ role, text: content.trim(), message }))
    .filter(({ role, text }) => role !== 'system' && text !== '')
    .map(({ text, message }) => ({ ...asSaid, text, message }));
}

/** Stored as it is, of a kind that nobody knows. */
const asSaid: Omit<PlannedDecision, 'text' | 'message'> = {
  event: 'ADD',
  target: null,
  expected: null,
  reason: null,
  type: null,
  slot: null,
  occurred: null,
  said: null,
};

/** The event keeps the whole input: the queue works from it, after a restart too. */
function eventOf(input: AddInput) {
  const skipped = (input.messages ?? []).reduce((sum, part) => sum + (part.skipped_parts ?? 0), 0);
  const metadata: StoredEvent['metadata'] = skipped === 0 ? null : { skipped_parts: skipped };
  const payload: Record<string, unknown> = { ...input };
  return { event_type: 'ADD' as const, payload, metadata, ...entityIdsOf(input) };
}
