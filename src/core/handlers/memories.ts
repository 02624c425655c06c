import { listAnswerRelations } from '../graph/answer-relations.ts';
import { completedEvent } from '../history/record.ts';
import { findSource } from '../history/source.ts';
import { addMemory } from '../memory/add.ts';
import { batchDeleteMemories, deleteAllMatching, deleteOneMemory } from '../memory/delete.ts';
import { memoryNotFound } from '../memory/not-found.ts';
import {
  entityIdsOfFilter,
  listSelectionOf,
  type SelectionConditions,
  selectionOf,
} from '../memory/selection.ts';
import { pickFields, toMemory } from '../memory/shape.ts';
import { batchUpdateMemories, updateOneMemory } from '../memory/update.ts';
import type { Deps, Handlers, Instant, ProjectRef, Selection } from '../ports/index.ts';
import { redactQuestion } from '../safety/redact-input.ts';
import { searchMemories } from '../search/search.ts';
import { readPast } from './read-past.ts';

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
    search_memories: async (input, call) => {
      const since = clock.now();
      const { project } = call;
      const past = await readPast(deps, project, input);
      const selection = selectionOf(input, past?.as_of ?? since);
      const at = past === null ? deps : await past.depsFor(selection);
      const answer = await searchMemories(at, call, { ...input, selection });
      const metadata = { results: answer.results.length };
      recordRead(deps, project, { event_type: 'SEARCH', input, selection, metadata, since });
      return answer;
    },

    get_memories: async (input, { project }) => {
      const since = clock.now();
      const { page, page_size } = input;
      const past = await readPast(deps, project, input);
      const selection = listSelectionOf(input, past?.as_of ?? since);
      const { results, total } =
        past === null
          ? await store.memories.list(project, selection, { page, page_size })
          : await store.versions.list(project, selection, { as_of: past.as_of, page, page_size });
      // Turning to the next page is the same retrieval.
      if (page === 1) {
        const metadata = { results: results.length, total };
        recordRead(deps, project, { event_type: 'GET_ALL', input, selection, metadata, since });
      }
      const shown = results.map((memory) => pickFields(toMemory(memory), input.fields));
      const ids = results.map(({ id }) => id);
      const relations = await listAnswerRelations(deps, { input, project }, ids);
      return { results: shown, total, page, page_size, ...relations };
    },

    get_memory: async ({ memory_id, as_of }, { project }) => {
      const past = await readPast(deps, project, { as_of });
      if (past !== null) {
        const [then] = await store.versions.findMany(project, [memory_id], past.as_of);
        if (then === undefined) throw memoryNotFound();
        return { ...toMemory(then), source: null };
      }
      const memory = await store.memories.find(project, memory_id);
      if (memory === null) throw memoryNotFound();
      return { ...toMemory(memory), source: await findSource(store, project, memory_id) };
    },
  };
}

type ReadRecord = {
  event_type: 'SEARCH' | 'GET_ALL';
  input: SelectionConditions;
  selection: Selection;
  metadata: Record<string, unknown>;
  since: Instant;
};

/** Records a completed read. The record is written later, in a batch. */
export function recordRead(
  deps: Pick<Deps, 'clock' | 'ids' | 'recordEventLater' | 'secrets'>,
  project: ProjectRef,
  { event_type, input, selection, metadata, since }: ReadRecord,
): void {
  const ids = entityIdsOfFilter(selection.filter);
  const payload = redactQuestion(input, deps.secrets);
  deps.recordEventLater(
    project,
    completedEvent(deps, { event_type, payload, metadata, ...ids }, since),
  );
}
