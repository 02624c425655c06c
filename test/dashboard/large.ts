import { v7 } from 'uuid';
import type { Relation } from '../../src/contract/schemas/relation.ts';
import type {
  NewMemory,
  ProjectRef,
  StoredEvent,
  StoredHistoryEntry,
  StoredRecall,
  Tables,
} from '../../src/core/ports/index.ts';
import { rankingVersion } from '../../src/core/search/weights.ts';
import { chunks } from '../bench/fill-store.ts';
import { batch, inFirstProject, type StorePlace, toMemory } from '../bench/large-store.ts';
import { makeSentences, type Sentence } from '../bench/sentences.ts';

/** The memory that is furthest down in the list, and one in the middle of it. */
export const oldestText = 'This was remembered before everything else.';
export const middleText = 'The lighthouse keeper hides a spare key under the blue pebble.';

/** What each view shows once it has been read, as a selector inside of `main`. */
export const viewContents = {
  home: '[aria-label="Recent changes"] li',
  memories: '[aria-label="Memories"] li button',
  people: 'tbody tr',
  ask: 'text=Ask as an agent would',
  replay: '[aria-label="Recalls"] li',
  timeline: '.day li',
  graph: 'svg.graph .node',
  activity: '[aria-label="Events"] li',
  review: '[aria-label="Memories to review"] li',
  settings: '.settings article',
} as const;

const minuteMs = 60_000;
/** Memories of a run, as of a long conversation, and those of a user. */
const ofRun = 50;
const ofUser = 100;
const categories = ['food', 'health', 'home', 'music', 'sports', 'travel', 'work'];

/** Out of so many memories one was changed, one was asked for, and one waits for a review. */
const [changed, asked, waiting] = [10, 20, 1000];

type Fact = { memory: NewMemory; phrase: string; question: string; before: string | null };

/**
 * Fills an empty store with `count` active memories, a minute apart until now, as their owners
 * would have: with their changes, relations of each second one, recalls and searches of some; and
 * with a few that wait. Versions are not kept.
 */
export async function fillLarge(place: StorePlace, count: number): Promise<void> {
  const facts = makeFacts(count);
  await inFirstProject(place, async (store, project) => {
    for (const part of chunks(facts, batch)) {
      await store.transaction((tables) => insertFacts(tables, project, part));
    }
  });
}

async function insertFacts(
  tables: Tables,
  project: ProjectRef,
  facts: readonly Fact[],
): Promise<void> {
  const questions = facts.filter((_, index) => index % asked === 0);
  await tables.memories.insert(
    project,
    facts.map(({ memory }) => memory),
  );
  await tables.history.insert(project, facts.flatMap(changesOf));
  await tables.relations.insert(
    project,
    facts.filter((_, index) => index % 2 === 0).map(relationOf),
  );
  await tables.recalls.insertMany(questions.map((one) => ({ project, recall: recallOf(one) })));
  await tables.events.insertMany(questions.map((one) => ({ project, event: searchOf(one) })));
}

function makeFacts(count: number): Fact[] {
  const waits = Math.ceil(count / waiting);
  const start = Date.now() - (count + waits) * minuteMs;
  return makeSentences(count + waits, 1).map((sentence, index) => {
    const text = index === 0 ? oldestText : index === count >> 1 ? middleText : sentence.text;
    return toFact({ ...sentence, text }, { index, count, at: start + index * minuteMs });
  });
}

type FactPlace = { index: number; count: number; at: number };

/** Users take turns with runs: the memories of one are all over the store. */
function toFact({ text, phrase, question }: Sentence, { index, count, at }: FactPlace): Fact {
  const run = Math.floor(index / ofRun);
  const user_id = `user ${run % Math.max(1, Math.round(count / ofUser))}`;
  const filed = index % 3 === 0 ? [categories[index % categories.length] ?? ''] : [];
  const isChanged = index % changed === 1;
  const memory = {
    ...toMemory({ text, user_id, run_id: `run ${run}`, categories: filed }, at),
    id: v7({ msecs: at }),
    agent_id: `agent ${run % 20}`,
    ...(isChanged && { updated_at: new Date(at + minuteMs / 2).toISOString() }),
    ...(index >= count && ({ status: 'candidate', review_reason: 'unsure' } as const)),
  };
  return { memory, phrase, question, before: isChanged ? `Perhaps: ${text}` : null };
}

function changesOf({ memory, before }: Fact): StoredHistoryEntry[] {
  const { created_at, updated_at, memory: text } = memory;
  const shared = { ...ownersOf(memory), memory_id: memory.id, metadata: null, created_at };
  const { categories: filed } = memory;
  const added = {
    ...shared,
    id: v7(),
    event: 'ADD' as const,
    input: [],
    categories: filed,
    old_memory: null,
    new_memory: before ?? text,
    updated_at: created_at,
  };
  if (before === null) return [added];
  const rewritten = { old_memory: before, new_memory: text, updated_at, created_at: updated_at };
  return [added, { ...added, id: v7(), event: 'UPDATE', ...rewritten }];
}

function relationOf({ memory, phrase }: Fact): Relation {
  return {
    source: memory.user_id ?? '',
    source_type: 'person',
    relationship: 'spoke_of',
    target: phrase,
    target_type: 'thing',
    memory_id: memory.id,
  };
}

function recallOf({ memory, question }: Fact): StoredRecall {
  const { id, created_at } = memory;
  return {
    id: v7({ msecs: Date.parse(created_at) }),
    operation: 'search_memories',
    key_id: null,
    ...ownersOf(memory),
    created_at,
    asked: { query: question },
    ranking: rankingVersion,
    tokens: 30,
    total: 1,
    hits: [{ id, score: 0.5 }],
  };
}

function searchOf({ memory, question }: Fact): StoredEvent {
  const { created_at: at } = memory;
  const owners = ownersOf(memory);
  return {
    id: v7({ msecs: Date.parse(at) }),
    event_type: 'SEARCH',
    status: 'SUCCEEDED',
    payload: { query: question, user_id: memory.user_id },
    metadata: null,
    results: [],
    error: null,
    graph_status: null,
    created_at: at,
    updated_at: at,
    started_at: at,
    completed_at: at,
    latency: 0,
    key_id: null,
    ...owners,
  };
}

function ownersOf({ user_id, agent_id, app_id, run_id }: NewMemory) {
  return { user_id, agent_id, app_id, run_id };
}
