import { limits } from '../../contract/limits.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { isInstructionRole, type Message } from '../../contract/schemas/message.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Output, Parsed } from '../../contract.ts';
import { createTurns } from '../../turns.ts';
import { findNearest } from '../extraction/related-memories.ts';
import { recordEvent } from '../history/record.ts';
import type { Deps, PlannedDecision, ProjectCall, Resembling } from '../ports/index.ts';
import { waitForEvent } from '../queue/wait-for-event.ts';
import { type Add, addContextOf, conversationText, newEventOf, saidAt } from './add-context.ts';
import { decisionsPerTransaction, extractAdd } from './extract-add.ts';
import { answerAdd, storeAdd } from './finish-add.ts';
import { dateOfText } from './rewrite.ts';

type AddInput = Parsed<'add_memory'>;
type AddOutput = Output<'add_memory'>;

/** With `infer: false`, stores each message verbatim at once; otherwise extracts facts. */
export async function addMemory(
  deps: Deps,
  input: AddInput,
  call: ProjectCall,
): Promise<AddOutput> {
  const { project } = call;
  const scope = addContextOf(input, project, deps);
  const add = { input, project, scope, metadata: skippedPartsOf(input) };
  return input.infer === false ? addVerbatim(deps, add) : addInferred(deps, add, call);
}

async function addVerbatim(deps: Deps, add: Add): Promise<AddOutput> {
  const { input, scope } = add;
  const texts = verbatimDecisions(input.messages ?? []);
  const { repeated, similar: alike } = input.find_similar
    ? await findResembling(deps, texts, add)
    : nothingSimilar;
  const contradicted = alike.filter((one) => one.contradicted === true);
  const may_replace = contradicted.map(({ id }) => id).slice(0, limits.may_replace_max);
  const similar = alike.filter((one) => !contradicted.includes(one));
  const decisions: PlannedDecision[] = [];
  const yieldTurn = createTurns();
  for (const decision of texts) {
    await yieldTurn();
    const occurred = await dateOfText(deps, decision.text, saidAt(deps, scope));
    await deps.judgeOrders(decision.text);
    const dated = { ...decision, occurred, ...(may_replace.length > 0 && { may_replace }) };
    decisions.push(repeated === null ? dated : repeatOf(decision, repeated));
  }
  const { results, answer } = await storeAdd(deps, add, { decisions });
  // Only for the caller: events would keep what other memories say.
  return { ...answer, results: results.map((result) => withSimilar(result, similar)) };
}

/** What a single text resembles: of several messages each is kept as it was said. */
async function findResembling(
  deps: Deps,
  texts: readonly PlannedDecision[],
  { project, scope }: Add,
): ReturnType<Deps['resemble']> {
  const [only, ...others] = texts;
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

async function addInferred(deps: Deps, add: Add, call: ProjectCall): Promise<AddOutput> {
  const { project, signal } = call;
  const wait_ms = call.wait_ms ?? (add.input.async_mode ? 0 : syncWaitMs);
  const answer = wait_ms > 0 ? await addSynchronously(deps, add, signal) : null;
  if (answer !== null) return answer;
  const event_id = await enqueueAdd(deps, add);
  const wait = { project, event_id, wait_ms, ...(signal && { signal }) };
  const event = wait_ms > 0 ? await waitForEvent(deps, wait) : null;
  if (event === null) {
    const message = 'Memories are being extracted; get_event says when they are stored';
    return { message, status: 'PENDING', event_id, results: [] };
  }
  return answerAdd(deps, { tables: deps.store, project }, { event, scope: add.scope });
}

/** The longest wait of a caller that sends `async_mode: false`. */
const syncWaitMs = 60_000;

/**
 * Extracts and stores in one transaction if a caller waits and rules are quick. Null if the add
 * belongs into the queue: long input, other queued work, or a failure that needs a retry.
 */
async function addSynchronously(
  deps: Deps,
  add: Add,
  signal = new AbortController().signal,
): Promise<AddOutput | null> {
  const { extractor, store } = deps;
  if (!extractor.isQuick || conversationText(add.input).length > synchronousMaxChars) return null;
  if (await store.jobs.hasAny(add.project)) return null;
  const since = deps.clock.now();
  const extracted = await extractAdd(deps, add, (conversation) =>
    extractor.extract(conversation, signal),
  ).catch(() => null); // the queue retries and reports the failure
  if (extracted === null || extracted.decisions.length > decisionsPerTransaction) return null;
  const { decisions } = extracted;
  const { answer } = await storeAdd(deps, extracted.add, { decisions, since });
  return answer;
}

/** Rules process this much in some hundredths of a second. */
const synchronousMaxChars = 20_000;

async function enqueueAdd(deps: Deps, add: Add): Promise<string> {
  const { project } = add;
  const event_id = await deps.store.transaction(async (tables) => {
    const pending = {
      status: 'PENDING',
      started_at: null,
      completed_at: null,
      latency: null,
    } as const;
    const id = await recordEvent(deps, { tables, project }, { ...newEventOf(add), ...pending });
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

function skippedPartsOf({ messages = [] }: AddInput): Add['metadata'] {
  const skipped_parts = messages.reduce((sum, part) => sum + (part.skipped_parts ?? 0), 0);
  return skipped_parts === 0 ? null : { skipped_parts };
}
