import type { Client } from 'pg';
import { createInvoke } from '../../src/core/invoke.ts';
import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { owner } from '../support/engine.ts';
import { chunks } from './fill-store.ts';
import { toMemory } from './large-store.ts';
import { depsOf } from './scale-operations.ts';
import { makeSentences } from './sentences.ts';
import { timed } from './statistics.ts';
import { perSecond } from './table.ts';
import { clusteredVector } from './vectors.ts';

type Parts = {
  store: Store;
  client: Client;
  model: EmbeddingModel;
  small: ProjectRef;
  large: ProjectRef;
};

const batch = 1_000;
const inBatches = 10_000;
const alone = 100;
const embedded = 4_000;

/** Memories in batches and one by one, and vectors of a model that begins anew. */
export async function writeSome({ store, model, small, large }: Parts): Promise<string[][]> {
  const memories = makeSentences(inBatches, 3).map(({ text }, index) =>
    toMemory(
      { text, user_id: `new-${index % 10}`, run_id: `new-${Math.floor(index / 50)}` },
      index,
    ),
  );
  const batches = await timed(async () => {
    for (const part of chunks(memories, batch)) {
      await store.transaction((tables) => tables.memories.insert(small, part));
    }
  });
  const invoke = createInvoke(depsOf(store));
  const { org_id, project_id } = small;
  const adds = await timed(async () => {
    for (const { text } of makeSentences(alone, 4)) {
      const messages = [{ role: 'user', content: text }];
      const input = { messages, infer: false, user_id: 'one by one', org_id, project_id };
      await invoke('add_memory', input, { caller: owner });
    }
  });
  return [
    [`memories in transactions of ${batch}`, perSecond(inBatches, batches.ms)],
    ['add_memory, one after the other', perSecond(alone, adds.ms)],
    ['vectors of another model, to no graph', await reembed(store, model.dimension)],
    ['vectors to a project with a graph', await replaceVectors(store, { model, large })],
  ];
}

/** What storing costs when all memories are embedded anew; a model costs its own time on top. */
async function reembed(store: Store, dimension: number): Promise<string> {
  const scale = { unrelated: 0, related: 0.5, trust: 1 };
  const now = new Date().toISOString();
  const model = await store.vectors.openModel({ name: 'other', dimension, scale }, now);
  const { ms } = await timed(async () => {
    for (let done = 0; done < embedded; ) {
      const wanted = (await store.vectors.listUnembedded(model, batch)) ?? [];
      await store.vectors.put(model, wanted.map(withVector(dimension)));
      done += wanted.length;
    }
  });
  return perSecond(embedded, ms);
}

function withVector(dimension: number) {
  return <T extends { position: number; memory: string }>({ memory: _, ...one }: T) => ({
    ...one,
    vector: clusteredVector(one.position, dimension),
  });
}

async function replaceVectors(
  store: Store,
  { model, large }: Pick<Parts, 'model' | 'large'>,
): Promise<string> {
  const selection = {
    filter: { all: [] },
    latest_only: false,
    not_expired_on: null,
    status: 'active' as const,
  };
  const found = await store.memories.listOldest(large, selection, 200);
  const entries = found.map(({ id, position, hash }) => ({
    id,
    position,
    hash,
    memory: '',
    project: large,
  }));
  const { ms } = await timed(() =>
    store.vectors.put(model, entries.map(withVector(model.dimension))),
  );
  return perSecond(entries.length, ms);
}

/** A hundredth of the large project is deleted, and what is left behind taken away. */
export async function rewriteSome(
  client: Client,
  { large, model }: Pick<Parts, 'large' | 'model'>,
): Promise<string[][]> {
  const one = `project_key = ${large.key} and position % 100 = 0`;
  const deleting = await timed(async () => {
    await client.query(`delete from vectors where ${one} and model_key = ${model.key}`);
    await client.query(`delete from memory_fts where ${one}`);
    await client.query(`delete from memories where ${one}`);
  });
  const rows = [['deleting one in a hundred, s', (deleting.ms / 1000).toFixed(1)]];
  for (const table of ['memories', 'memory_fts', 'vectors']) {
    const { ms } = await timed(() => client.query(`vacuum (parallel 0) ${table}`));
    rows.push([`vacuum of ${table}, s`, (ms / 1000).toFixed(1)]);
  }
  return rows;
}
