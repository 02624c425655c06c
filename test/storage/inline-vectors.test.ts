import { describe, expect, it } from 'vitest';
import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { hasVectors, isPostgres } from '../support/database.ts';
import { unit } from '../support/vectors.ts';
import { makeMemory, now } from './memory.ts';
import { nearestMemories } from './nearest.ts';
import { insert, makeStore, select } from './support.ts';

const scale = { unrelated: 0, related: 0.5, trust: 1 };

/** A direction for each letter that the text begins with; texts of other signs have no vector. */
function embed(text: string): Float32Array | null {
  const letter = text.toLowerCase().charCodeAt(0) - 97;
  if (letter < 0 || letter > 25) return null;
  return unit(Array.from({ length: 26 }, (_, index) => (index === letter ? 1 : 0)));
}

async function prepare(): Promise<{ store: Store; project: ProjectRef; model: EmbeddingModel }> {
  const { store, project } = await makeStore();
  const model = await store.vectors.openModel({ name: 'letters', dimension: 26, scale }, now);
  return { store, project, model };
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function nearestTo(
  { store, project, model }: Prepared,
  text: string,
): Promise<string | null> {
  const vector = embed(text) ?? new Float32Array(26);
  const query = { model, vector, size: 100, limit: 5 };
  const [first] = await nearestMemories({ store, project }, select(), query);
  return first !== undefined && first.similarity > 0.9 ? first.id : null;
}

describe.runIf(hasVectors)('a store that makes vectors itself', () => {
  it('gives a new memory its vector in the same transaction', async () => {
    const place = await prepare();
    place.store.embedInline({ model: place.model, embed });

    await insert(place.store, place.project, makeMemory({ id: 'a', memory: 'apple' }));

    expect(await nearestTo(place, 'avocado')).toBe('a');
  });

  it.skipIf(isPostgres)('leaves nothing to the worker in a store that began with it', async () => {
    const { store, project, model } = await prepare();
    store.embedInline({ model, embed });
    const memories = ['apple', '42', 'banana'].map((memory) => makeMemory({ id: memory, memory }));

    await insert(store, project, ...memories);

    expect(await store.vectors.getProgress(model)).toMatchObject({ pending: 0 });
  });

  it('lists memories with and without a vector, so that all can be made again', async () => {
    const { store, project, model } = await prepare();
    store.embedInline({ model, embed });
    const texts = ['apple', '42', 'banana'];
    for (const memory of texts) await insert(store, project, makeMemory({ id: memory, memory }));

    const [one, ...others] = await store.vectors.listAfter(0, 3);
    const later = await store.vectors.listAfter(one?.position ?? 0, 1);

    expect([one, ...others].map((listed) => listed?.memory)).toEqual(texts);
    expect(later).toEqual(others.slice(0, 1));
    expect(one).toMatchObject({ project: { key: project.key }, hash: expect.any(String) });
  });

  it('stores neither where the transaction fails', async () => {
    const place = await prepare();
    place.store.embedInline({ model: place.model, embed });

    const failing = place.store.transaction(async ({ memories }) => {
      await memories.insert(place.project, [makeMemory({ id: 'a', memory: 'apple' })]);
      throw new Error('full disk');
    });

    await expect(failing).rejects.toThrow('full disk');
    expect(await nearestTo(place, 'avocado')).toBeNull();
  });

  it('replaces the vector with the text, and deletes both together', async () => {
    const place = await prepare();
    const { store, project } = place;
    store.embedInline({ model: place.model, embed });
    await insert(store, project, makeMemory({ id: 'a', memory: 'apple' }));

    const patch = { memory: 'banana', hash: 'h2', terms: 'banana', speaker_terms: '' };
    await store.transaction(({ memories }) =>
      memories.update(project, 'a', { ...patch, updated_at: now }),
    );
    expect(await nearestTo(place, 'avocado')).toBeNull();
    expect(await nearestTo(place, 'blueberry')).toBe('a');
    await store.transaction(({ memories }) => memories.delete(project, ['a']));
    expect(await nearestTo(place, 'blueberry')).toBeNull();
  });

  it('stores a text that the embedder knows nothing of without a vector', async () => {
    const place = await prepare();
    place.store.embedInline({ model: place.model, embed });

    await insert(place.store, place.project, makeMemory({ id: 'a', memory: '42' }));

    expect(await place.store.memories.find(place.project, 'a')).toMatchObject({ memory: '42' });
    expect(await nearestTo(place, '42')).toBeNull();
  });

  it('leaves only what was there before to the worker', async () => {
    const place = await prepare();
    const { store, project, model } = place;
    for (const id of ['old-1', 'old-2']) {
      await insert(store, project, makeMemory({ id, memory: `${id} apple` }));
    }
    store.embedInline({ model, embed });
    await insert(store, project, makeMemory({ id: 'new', memory: 'banana' }));

    await store.vectors.skipEmbedded(model);
    expect(await store.vectors.getProgress(model)).toMatchObject({ pending: 3 });
    const old = (await store.vectors.listUnembedded(model, 2)) ?? [];
    const embedded = old.map(({ memory, ...rest }) => ({ ...rest, vector: embed(memory) }));
    await store.vectors.put(model, embedded);
    await store.vectors.skipEmbedded(model);

    expect(old.map(({ memory }) => memory)).toEqual(['old-1 apple', 'old-2 apple']);
    expect(await store.vectors.getProgress(model)).toMatchObject({ pending: 0 });
  });
});
