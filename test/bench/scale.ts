// A large store with vectors, without a face: `npm run bench:scale`. What is measured, flags and
// results: README.md.
import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { v7 } from 'uuid';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import { createInvoke } from '../../src/core/invoke.ts';
import { createMeaning } from '../../src/core/meaning/meaning.ts';
import type { Deps, Embedder, Project, Store } from '../../src/core/ports.ts';
import { createOfflineUnderstander } from '../../src/core/understanding/offline.ts';
import { openStore, storePath } from '../../src/storage/store.ts';
import { owner } from '../support/engine.ts';
import { createTestSender } from '../support/sender.ts';
import { withFolder } from './client.ts';
import { fillStore } from './large-store.ts';
import { makeSentences, type Sentence } from './sentences.ts';
import { percentile, timed } from './statistics.ts';
import { milliseconds, table } from './table.ts';
import { clusteredVector, dotProduct } from './vectors.ts';

const { values: flags } = parseArgs({
  options: {
    memories: { type: 'string', default: '100000' },
    /** Memories of one user. */
    each: { type: 'string', default: '1000' },
    calls: { type: 'string', default: '100' },
    dimension: { type: 'string', default: '384' },
  },
});
const memories = Number(flags.memories);
const each = Number(flags.each);
const calls = Number(flags.calls);
const dimension = Number(flags.dimension);
/** A prime: steps of it reach every place of a store of another size. */
const stride = 7919;

const sentences = makeSentences(memories, 1);
const userOf = (index: number) => `user-${Math.floor(index / each)}`;
const vectorOf = (index: number) => clusteredVector(index, dimension);
/** The question of a search is the number of a memory; its vector is near that memory's. */
const embedder: Embedder = {
  name: 'bench',
  embed: async (texts) => texts.map((text) => vectorOf(numbers.get(text) ?? 0)),
  close: async () => {},
};
const numbers = new Map<string, number>();

await withFolder(async (data_dir) => {
  const filled = await timed(() => fillStore(data_dir, sentences.map(toOwned)));
  const settings = { data_dir, synchronous: 'normal', busy_timeout_ms: 10_000 } as const;
  const filling = await openStore({ ...settings, log: () => {} });
  const embedded = await timed(() => embedAll(filling));
  await filling.close();

  const opened = await timed(() => openStore({ ...settings, log: () => {} }));
  const store = opened.value;
  const project = await store.projects.find({});
  if (project === null) throw new Error('an opened store has a project');
  const rows: string[][] = [];
  for (const [name, run] of works(store, project)) rows.push(await measure(name, run));
  rows.push(await measure('comparing all vectors in JavaScript', bruteForce()));

  const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;
  console.log(`\n${memories} memories, ${each} of each user, ${dimension} dimensions`);
  console.log(
    `stored in ${milliseconds(filled.ms)} ms, vectors in ${milliseconds(embedded.ms)} ms`,
  );
  console.log(
    `opened in ${milliseconds(opened.ms)} ms, file ${megabytes(statSync(storePath(data_dir)).size)}`,
  );
  console.log(
    `vectors in memory ${megabytes(store.vectors.bytes())}, process ${megabytes(process.memoryUsage.rss())}`,
  );
  console.log(table(['one call after the other', 'first ms', 'p50 ms', 'p95 ms'], rows));
  await store.close();
});

function toOwned({ text }: Sentence, index: number) {
  return { text, user_id: userOf(index), run_id: `run-${Math.floor(index / 50)}` };
}

async function embedAll(store: Store): Promise<void> {
  const scale = { unrelated: 0, related: 0.5, trust: 1 };
  const now = new Date().toISOString();
  const space = await store.vectors.openSpace({ name: embedder.name, dimension, scale }, now);
  for (let done = 0; ; ) {
    const wanted = await store.vectors.unembedded(space, 2000);
    if (wanted.length === 0) return store.vectors.completeSpace(space);
    const vectors = wanted.map(({ memory: _, ...one }, index) => ({
      ...one,
      vector: vectorOf(done + index),
    }));
    await store.vectors.put(space, vectors);
    done += wanted.length;
  }
}

type Run = (sentence: Sentence, index: number) => Promise<unknown>;

function works(store: Store, project: Project): [name: string, run: Run][] {
  const deps = depsOf(store);
  const byWords = createInvoke(deps);
  const byBoth = createInvoke({
    ...deps,
    meaning: createMeaning(deps, { embedder, search_timeout_ms: 60_000 }),
  });
  const search = (invoke: typeof byWords, filters?: object): Run => {
    return async ({ question }, index) => {
      numbers.set(question, index);
      const scope = filters ?? { user_id: userOf(index) };
      await invoke('search_memories', { query: question, filters: scope }, { caller: owner });
    };
  };
  const add: Run = ({ text }, index) => {
    const messages = [{ role: 'user', content: `${text}, again ${index} ${numbers.size}` }];
    const input = { messages, infer: false, user_id: userOf(index) };
    return byWords('add_memory', input, { caller: owner });
  };
  const everyone = { user_id: '*' };
  return [
    ['search of a user, words', search(byWords)],
    ['search of a user, with vectors', search(byBoth)],
    ['search of the project, words', search(byWords, everyone)],
    ['search of the project, with vectors', search(byBoth, everyone)],
    ['list of a user', (_, index) => list(byWords, { user_id: userOf(index) })],
    ['list of the project', () => list(byWords, everyone)],
    ['entities', () => byWords('list_entities', {}, { caller: owner })],
    ['add', add],
    [
      'add, while the project is searched',
      async (sentence, index) => {
        const searching = search(byBoth, everyone)(sentence, index);
        const adding = timed(() => add(sentence, index));
        await searching;
        return adding;
      },
    ],
    ['delete', (_, index) => deleteOne(store, project, index)],
  ];
}

function list(invoke: ReturnType<typeof createInvoke>, filters: object) {
  return invoke('get_memories', { filters, page_size: 20 }, { caller: owner });
}

async function deleteOne(store: Store, project: Project, index: number): Promise<void> {
  const filter: Filter = { field: 'user_id', path: [], operator: 'eq', value: userOf(index) };
  const selection = { filter, latest_only: true, not_expired_on: null };
  const [memory] = await store.memories.take(project, selection, 1);
  if (memory === undefined) return;
  await store.transaction((tables) => tables.memories.delete(project, [memory.id]));
}

function bruteForce(): Run {
  const count = Math.min(memories, 100_000);
  const all = Array.from({ length: count }, (_, index) => vectorOf(index));
  return async (_, index) => {
    const question = vectorOf(index);
    const near = all.map((vector) => dotProduct(vector, question));
    return near.sort((one, other) => other - one).slice(0, 10);
  };
}

/** The first call apart: it is the one that reads segments of vectors. */
async function measure(name: string, run: Run): Promise<string[]> {
  const times: number[] = [];
  for (let call = 0; call <= calls; call += 1) {
    const index = (call * stride) % memories;
    const sentence = sentences[index];
    if (sentence !== undefined) times.push((await timed(() => run(sentence, index))).ms);
  }
  const [first = 0, ...rest] = times;
  return [name, ...[first, percentile(rest, 50), percentile(rest, 95)].map(milliseconds)];
}

function depsOf(store: Store): Deps {
  return {
    store,
    clock: { now: () => new Date().toISOString() },
    ids: { next: () => v7() },
    understander: createOfflineUnderstander(),
    random: randomBytes,
    sender: createTestSender(),
    log: () => {},
    wake: () => {},
    recordLater: () => {},
  };
}
