import type { Output, Parsed } from '../../contract/index.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { Relation } from '../../contract/schemas/relation.ts';
import { settled } from '../jobs/settled.ts';
import type {
  Call,
  Deps,
  PlannedDecision,
  Project,
  StoredEvent,
  StoredProject,
  Tables,
} from '../ports.ts';
import { changing } from '../webhooks/announce.ts';
import { type AddScope, graphDone } from './add-scope.ts';
import { applyDecisions, noop } from './apply.ts';
import { recordEvent } from './record.ts';
import { keptEvent } from './source.ts';
import { wishesOf } from './wishes.ts';

type AddInput = Parsed<'add_memory'>;
type AddOutput = Output<'add_memory'>;

/** `infer: false` stores each message as it is, at once; else the queue has them understood. */
export async function addMemory(deps: Deps, input: AddInput, call: Call): Promise<AddOutput> {
  return input.infer === false ? addVerbatim(deps, input, call) : addInferred(deps, input, call);
}

async function addVerbatim(deps: Deps, input: AddInput, { project }: Call): Promise<AddOutput> {
  const scope = scopeOf(input, project);
  const { messages = [] } = input;
  const decisions = verbatim(messages);
  return changing(deps, project, async (unit) => {
    const results = await applyDecisions(deps, unit, { decisions, messages, scope });
    if (results.length === 0) {
      const reason = 'the messages hold no text to remember';
      results.push(noop(textOf(input), { id: null, scope, reason }));
    }
    const event_id = await recordEvent(deps, unit, {
      ...eventOf(input),
      ...keptEvent(deps, input, results),
      ...graphDone(scope),
    });
    const message = storedMessage(results);
    const relations = await relationsOf(unit, results, scope);
    return { message, status: 'SUCCEEDED' as const, event_id, results, ...relations };
  });
}

async function addInferred(deps: Deps, input: AddInput, call: Call): Promise<AddOutput> {
  const { project, signal } = call;
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
  if (input.async_mode) {
    const message = 'Memories are being extracted; get_event tells when they are stored';
    return { message, status: 'PENDING', event_id, results: [] };
  }
  const event = await settled(deps, { project, event_id, ...(signal && { signal }) });
  const { status, results } = event;
  const unit = { tables: deps.store, project };
  const relations = await relationsOf(unit, results, scopeOf(input, project));
  return { message: messageOf(event), status, event_id, results, ...relations };
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
  if (status !== 'FAILED') return 'Memories are still being extracted';
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
  ...{ event: 'ADD', target: null, expected: null, reason: null },
  ...{ type: null, slot: null, occurred: null, said: null },
};

/** All that was said, for results that are about no single fact. */
export function textOf({ messages = [] }: AddInput): string {
  return messages.map(({ content }) => content).join('\n');
}

/** What all memories of an add have in common, read from its input. */
export function scopeOf(input: AddInput, { settings }: Pick<StoredProject, 'settings'>): AddScope {
  return {
    ...entityIdsOf(input),
    metadata: input.metadata ?? {},
    immutable: input.immutable,
    expiration_date: input.expiration_date ?? null,
    categories: wishesOf(input, settings).categories,
    graph: input.enable_graph || settings.enable_graph,
    timestamp: input.timestamp ?? null,
  };
}

function entityIdsOf({ user_id, agent_id, app_id, run_id }: AddInput): EntityIds {
  return {
    user_id: user_id ?? null,
    agent_id: agent_id ?? null,
    app_id: app_id ?? null,
    run_id: run_id ?? null,
  };
}

/** The event keeps the whole input: the queue works from it, after a restart too. */
function eventOf(input: AddInput) {
  const skipped = (input.messages ?? []).reduce((sum, part) => sum + (part.skipped_parts ?? 0), 0);
  const metadata = skipped === 0 ? null : { skipped_parts: skipped };
  const payload: Record<string, unknown> = { ...input };
  return { event_type: 'ADD' as const, payload, metadata, ...entityIdsOf(input) };
}
