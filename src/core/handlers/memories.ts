import { withoutDefaults } from '../../contract/without-defaults.ts';
import { contract, type Output, type Parsed } from '../../contract.ts';
import { askedIn } from '../context/asked-in.ts';
import { listAnswerRelations } from '../graph/answer-relations.ts';
import { completedEvent } from '../history/record.ts';
import { findSource } from '../history/source.ts';
import { addMemory } from '../memory/add.ts';
import { batchDeleteMemories, deleteAllMatching, deleteOneMemory } from '../memory/delete.ts';
import { memoryNotFound } from '../memory/not-found.ts';
import { conflictsOf, resolveConflicts } from '../memory/resolve-conflicts.ts';
import { entityIdsOfFilter, listSelectionOf, selectionOf } from '../memory/selection.ts';
import { pickFields, toMemory } from '../memory/shape.ts';
import { batchUpdateMemories, updateOneMemory } from '../memory/update.ts';
import type {
  Deps,
  Handlers,
  Instant,
  MemoryTable,
  ProjectCall,
  Selection,
  StoredProject,
  StoredRecall,
} from '../ports/index.ts';
import { withoutQuestion } from '../recalls/answered.ts';
import { recallOf } from '../recalls/recall-of.ts';
import { redactQuestion } from '../safety/redact-input.ts';
import { searchMemories } from '../search/search.ts';
import { findPastTime, readAt } from '../versions/read-past.ts';

type MemoryOperation =
  | 'add_memory'
  | 'search_memories'
  | 'get_memories'
  | 'get_memory'
  | 'update_memory'
  | 'delete_memory'
  | 'delete_all_memories'
  | 'batch_update_memories'
  | 'batch_delete_memories'
  | 'erase_memories'
  | 'add_feedback';

type MemoryReadOperation = 'search_memories' | 'get_memories' | 'get_memory';

export function createMemoryHandlers(deps: Deps): Pick<Handlers, MemoryOperation> {
  const { store, clock, ids } = deps;

  return {
    ...createReadHandlers(deps),

    add_memory: (input, call) => addMemory(deps, input, call),
    update_memory: (input, call) => updateOneMemory(deps, input, call),
    delete_memory: (input, call) => deleteOneMemory(deps, input, call),
    delete_all_memories: (input, call) => deleteAllMatching(deps, input, call),
    batch_update_memories: (input, call) => batchUpdateMemories(deps, input, call),
    batch_delete_memories: (input, call) => batchDeleteMemories(deps, input, call),
    erase_memories: async (input, call) => {
      const { eraseMatching } = await import('../memory/erase.ts'); // few calls erase
      return eraseMatching(deps, input, call);
    },

    add_feedback: async ({ memory_id, feedback = null, feedback_reason = null }, { project }) =>
      store.transaction(async (tables) => {
        if ((await tables.memories.find(project, memory_id)) === null) throw memoryNotFound();
        const { created_at: _, ...answer } = await tables.feedback.put(project, {
          id: ids.next(),
          memory_id,
          feedback,
          feedback_reason,
          created_at: clock.now(),
        });
        return answer;
      }),
  };
}

function createReadHandlers(deps: Deps): Pick<Handlers, MemoryReadOperation> {
  const { store, clock } = deps;

  return {
    search_memories: (input, call) => searchAndRecord(deps, input, call),

    get_memories: async (input, { project }) => {
      const since = clock.now();
      const { page, page_size, sort } = input;
      const select = (now: Instant) => listSelectionOf(input, now, deps);
      const { at, selection } = await readAt(deps, project, { input, select });
      const { results, total } = await at.store.memories.list(project, selection, {
        page,
        page_size,
        sort,
      });
      // Turning to the next page is the same retrieval.
      if (page === 1) {
        const metadata = { results: results.length, total };
        const operation = 'get_memories';
        recordRead(deps, project, { operation, input, selection, metadata, since });
      }
      const conflicts = await conflictsOf(at, project, { of: results, fields: input.fields });
      const memories = results.map((memory) =>
        pickFields(toMemory(memory, conflicts.get(memory.id)), input.fields),
      );
      const ids = results.map(({ id }) => id);
      const relations = await listAnswerRelations(at, { input, project }, ids);
      return { results: memories, total, page, page_size, ...relations };
    },

    get_memory: async ({ memory_id, ...clocks }, { project }) => {
      const past = await findPastTime(deps, project, clocks);
      if (past !== null) {
        const findMany: MemoryTable['findMany'] = (_, ids) =>
          store.versions.findMany(project, ids, past);
        const [then] = await findMany(project, [memory_id]);
        if (then === undefined) throw memoryNotFound();
        const reader = { memories: { findMany }, now: past.as_of, timezone: deps.timezone };
        const conflicts = await resolveConflicts(reader, project, [then]);
        return { ...toMemory(then, conflicts.get(memory_id)), source: null };
      }
      const memory = await store.memories.find(project, memory_id);
      if (memory === null) throw memoryNotFound();
      const conflicts = await conflictsOf(deps, project, { of: [memory] });
      const output = toMemory(memory, conflicts.get(memory_id));
      return { ...output, source: await findSource(store, project, memory) };
    },
  };
}

async function searchAndRecord(
  deps: Deps,
  asked: Parsed<'search_memories'>,
  call: ProjectCall,
): Promise<Output<'search_memories'>> {
  const input = { ...asked, query: await askedIn(asked.query) };
  const since = deps.clock.now();
  const { project } = call;
  const select = (now: Instant) => selectionOf(input, now, deps);
  const { at, selection, past } = await readAt(deps, project, { input, select });
  const answer = await searchMemories(at, call, { ...input, selection });
  const { results } = answer;
  const recall = await recallOf(deps, project, () => ({
    operation: 'search_memories',
    input,
    selection,
    past,
    since,
    hits: results,
    answer: results.map(({ memory = '' }) => memory).join('\n'),
  }));
  const metadata = { results: results.length };
  const operation = 'search_memories';
  recordRead(deps, project, { operation, input, selection, metadata, since, recall });
  return answer;
}

type ReadRecord = {
  operation: 'get_context' | 'get_memories' | 'search_memories';
  input: object;
  selection: Selection;
  metadata: Record<string, unknown>;
  since: Instant;
  /** The part that the project keeps. */
  recall?: StoredRecall | undefined;
};

/**
 * Records a completed read, without what has its default: there may be one for each search. The
 * record is written later, in a batch.
 */
export function recordRead(
  deps: Pick<Deps, 'clock' | 'ids' | 'recordEventLater' | 'secrets'>,
  project: StoredProject,
  { operation, input, selection, metadata, since, recall }: ReadRecord,
): void {
  const ids = entityIdsOfFilter(selection.filter);
  const isHashed = project.settings.keep_recalls === 'hash';
  const query = withoutDefaults(contract[operation].input, input);
  const event_type = operation === 'get_memories' ? 'GET_ALL' : 'SEARCH';
  const event = completedEvent(deps, { event_type, payload: {}, metadata, ...ids }, since);
  const payloadOf = () => (isHashed ? withoutQuestion(query) : redactQuestion(query, deps.secrets));
  deps.recordEventLater(project, () => ({ ...event, payload: payloadOf() }), recall);
}
