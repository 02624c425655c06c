import { randomBytes, randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { openOrderReader } from '../../src/app/models/classifiers.ts';
import type { Invoke } from '../../src/contract.ts';
import { createVerbatimDater } from '../../src/core/extraction/dates/text-dates.ts';
import { resemble } from '../../src/core/extraction/resemblance.ts';
import { createRuleExtractor } from '../../src/core/extraction/rule-extractor.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import type { Deps, Embedder, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { createCompletionSignal } from '../../src/core/queue/completion.ts';
import { createQueryEmbedder } from '../../src/core/search/semantic/query-embedding.ts';
import { createDateReader } from '../../src/providers/dates/date-reader.ts';
import { owner } from '../support/engine.ts';
import { pause } from '../support/pause.ts';
import { createTestSender } from '../support/webhook-sender.ts';
import { toMemory } from './large-store.ts';
import { embedNew, type Made, modelName, type Sample, versionYear } from './scale-store.ts';
import { type Took, took } from './statistics.ts';
import { clusteredVector } from './vectors.ts';

/** What is asked of the store: `run` answers how long the part took that is measured. */
export type Work = {
  name: string;
  /** Calls, where not as many as of the others. */
  calls?: number;
  run: (made: Made) => Promise<Took>;
};

type Parts = { store: Store; project: ProjectRef; sample: Sample; versions: number };

export function worksOn(parts: Parts): Work[] {
  const { byWords, byBoth, byLate } = invokesOf(parts);
  const everyone = { user_id: '*' };
  const search = (invoke: Invoke, scope: (made: Made) => object, more = '') => {
    return (made: Made) =>
      took(() => {
        const query = `${made.question}${more}`;
        return invoke('search_memories', { query, ...scope(made) }, { caller: owner });
      });
  };
  const ofUser = ({ user_id }: Made) => ({ filters: { user_id } });
  const ofAll = () => ({ filters: everyone });
  const filed = () => ({ filters: { ...everyone, categories: { in: ['music'] } } });
  const list = (filters: (made: Made) => object) => (made: Made) =>
    took(() => byWords('get_memories', { ...filters(made), page_size: 20 }, { caller: owner }));
  const common = async () =>
    took(() => {
      const query = 'what was bought, kept and shared at the house';
      return byWords('search_memories', { query, ...ofAll() }, { caller: owner });
    });
  const searchAll = search(byBoth, ofAll);
  const context = (input: (made: Made) => object) => (made: Made) =>
    took(() => byWords('get_context', input(made), { caller: owner }));
  const asked = ({ question: query }: Made) => ({ query });
  return [
    { name: 'search of a user, words', run: search(byWords, ofUser) },
    { name: 'search of a user, with a date', run: search(byWords, ofUser, ' this week') },
    { name: 'search of a user, with vectors, the first', run: search(byBoth, ofUser) },
    {
      name: `search of a user, with vectors, the first, after a model of ${lateMs} ms`,
      run: async (made) => {
        const { ms, cpu_ms } = await search(byLate, ofUser)(made);
        return { ms: ms - lateMs, cpu_ms };
      },
    },
    { name: 'search of a user, with vectors', run: twice(search(byBoth, ofUser)) },
    { name: 'search of the project, words', run: search(byWords, ofAll) },
    { name: 'search of the project, common words', run: common },
    { name: 'search of the project, in May', run: search(byWords, ofAll, ' in May') },
    { name: 'search of the project, with vectors', run: searchAll },
    { name: 'search of a category, words', run: search(byWords, filed) },
    { name: 'search of a category, with vectors', run: search(byBoth, filed) },
    { name: 'context of a user', run: context((made) => ({ ...asked(made), ...ofUser(made) })) },
    { name: 'context of a user, no query', run: context(ofUser) },
    { name: 'context of the project', run: context((made) => ({ ...asked(made), ...ofAll() })) },
    { name: 'context of the project, no query', run: context(ofAll) },
    { name: 'list of a user', run: list(ofUser) },
    { name: 'list of the project', run: list(ofAll) },
    { name: 'list of a category', run: list(filed), calls: 20 },
    { name: 'entities', run: () => took(() => byWords('list_entities', {}, { caller: owner })) },
    ...writesOn(parts, byWords, searchAll),
    ...(parts.versions === 0 ? [] : pastWorks(parts, byWords, byBoth)),
  ];
}

/** Of a time at which each memory had its first version. */
function pastWorks(parts: Parts, byWords: Invoke, byBoth: Invoke): Work[] {
  const as_of = `${versionYear}-01-15T00:00:00Z`;
  const search = (invoke: Invoke) => (made: Made) =>
    took(() => {
      const input = { query: made.question, filters: { user_id: made.user_id }, as_of };
      return invoke('search_memories', input, { caller: owner });
    });
  return [
    { name: 'search of the past of a user, words', run: search(byWords) },
    { name: 'search of the past of a user, with vectors', run: search(byBoth) },
    {
      name: `undo of ${undone.toLocaleString('en-US')} deletes`,
      calls: 3,
      run: async (made) => {
        const user_id = await addUser(parts, made, undone);
        const gone = await byWords('delete_all_memories', { user_id }, { caller: owner });
        const { event_id } = gone as { event_id: string };
        const undoing = await took(() => byWords('undo_changes', { event_id }, { caller: owner }));
        await byWords(
          'delete_entity',
          { entity_type: 'user', entity_id: user_id },
          { caller: owner },
        );
        return undoing;
      },
    },
  ];
}

const undone = 10_000;

function twice(run: Work['run']): Work['run'] {
  return async (made) => {
    await run(made);
    return run(made);
  };
}

/** What is written goes again, so that a store that is kept stays as it is. */
function writesOn(parts: Parts, invoke: Invoke, searchAll: Work['run']): Work[] {
  const call = (name: Parameters<Invoke>[0], input: object) =>
    invoke(name, input, { caller: owner });
  const add = (made: Made) => {
    const text = `${made.text} Again, ${randomUUID()}`;
    const messages = [{ role: 'user', content: text }];
    return took(() => call('add_memory', { messages, infer: false, user_id: added }));
  };
  const removing = (made: Made) => async () => {
    await add(made);
    const { results } = (await call('get_memories', { user_id: added, page_size: 1 })) as {
      results: { id: string }[];
    };
    return took(() => call('delete_memory', { memory_id: results[0]?.id }));
  };
  return [
    { name: 'add', run: add },
    {
      name: 'add, while the project is searched',
      run: async (made) => {
        const searching = searchAll(made);
        const adding = await add(made);
        await searching;
        return adding;
      },
    },
    { name: 'delete', run: (made) => removing(made)() },
    {
      name: 'delete of a user of 1,000',
      calls: 5,
      run: async (made) => {
        const user_id = await addUser(parts, made);
        const entity = { entity_type: 'user', entity_id: user_id };
        return took(() => call('delete_entity', entity));
      },
    },
  ];
}

/** Whose the memories are that the benchmark adds. */
export const added = 'bench';

async function addUser(
  { store, project, sample }: Parts,
  made: Made,
  length = 1000,
): Promise<string> {
  const user_id = `user-${randomUUID()}`;
  const memories = Array.from({ length }, (_, index) => {
    const text = `${sample.made[index % sample.made.length]?.text} Again, ${index}`;
    const run_id = `${user_id}-${Math.floor(index / 50)}`;
    return toMemory({ ...made, text, user_id, run_id }, Date.now() + index);
  });
  await store.transaction((tables) => tables.memories.insert(project, memories));
  await embedNew(store, sample);
  return user_id;
}

/** Of a model that takes its time, as little as any: what is known before it answers goes on. */
const lateMs = 10;

/**
 * The engine without a model, with one that answers at once, as the store is what is measured, and
 * with one that does not.
 */
function invokesOf({ store, sample }: Parts) {
  const deps = depsOf(store);
  const numbers = new Map(sample.made.map(({ question, index }) => [question, index]));
  const embedder: Embedder = {
    name: modelName,
    // The vector of a question is that of its memory.
    embed: async (texts) =>
      texts.map((text) => clusteredVector(numbers.get(text) ?? 0, sample.dimension)),
    close: async () => {},
  };
  const lateEmbedder: Embedder = {
    ...embedder,
    embed: async (texts, options) => {
      const vectors = await embedder.embed(texts, options);
      await pause(lateMs);
      return vectors;
    },
  };
  const withModel = (model: Embedder) => {
    const queryEmbedder = createQueryEmbedder(deps, { embedder: model, search_timeout_ms: 60_000 });
    return createInvoke({ ...deps, queryEmbedder });
  };
  return {
    byWords: createInvoke(deps),
    byBoth: withModel(embedder),
    byLate: withModel(lateEmbedder),
  };
}

export function depsOf(store: Store): Deps {
  return {
    store,
    clock: { now: () => new Date().toISOString() },
    ids: { next: () => v7() },
    versions_kept: { undo_days: 30, history_days: 0 },
    extractor: createRuleExtractor({ dates: createDateReader() }),
    dateOf: createVerbatimDater(createDateReader()),
    resemble,
    ...openOrderReader(() => {}),
    random: randomBytes,
    sender: createTestSender(),
    log: () => {},
    wake: () => {},
    completions: createCompletionSignal(),
    recordEventLater: () => {},
  };
}
