import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Embedder } from '../../src/core/ports/index.ts';
import { conceptVector } from '../support/concept-vectors.ts';
import { createDeferred } from '../support/deferred.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

type Fake = Embedder & {
  embedded: string[];
  dimension: number;
  before: (texts: readonly string[], purpose: string) => Promise<void>;
};

function createFake(name = 'concepts'): Fake {
  const fake: Fake = {
    name,
    embedded: [],
    dimension: 64,
    before: async () => {},
    embed: async (texts, { purpose, signal }) => {
      await Promise.race([fake.before(texts, purpose), aborted(signal)]);
      if (purpose === 'memory') fake.embedded.push(...texts);
      return texts.map((text) => {
        const vector = conceptVector(text, fake.dimension);
        const length = Math.hypot(...vector);
        return Float32Array.from(vector, (value) => value / length);
      });
    },
    close: async () => {},
  };
  return fake;
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  // One of its own: the worker's lives as long as the worker.
  const ending = signal && AbortSignal.any([signal]);
  return new Promise((_, reject) => {
    ending?.addEventListener('abort', () => reject(ending.reason), { once: true });
  });
}

async function prepare(embedder = createFake()) {
  const engine = await startEngine({ embedder });
  onTestFinished(engine.stop);
  return { engine, embedder };
}

async function add(engine: Engine, text: string, more: object = {}): Promise<string> {
  const messages = [{ role: 'user', content: text }];
  const input = { messages, infer: false, user_id: 'ann', ...more };
  const { results } = await engine.invoke('add_memory', input, { caller: owner });
  return String(results[0]?.id);
}

/** Until all that was added has its vector. */
async function settle(engine: Engine, name = 'concepts'): Promise<void> {
  await vi.waitFor(
    async () => {
      engine.embedding?.wake();
      const model = await engine.store.vectors.findModel(name);
      if (model === null) throw new Error('not begun');
      const { pending } = await engine.store.vectors.getProgress(model);
      expect({ pending, complete: model.complete }).toEqual({ pending: 0, complete: true });
    },
    { timeout: 10_000 },
  );
}

async function search(engine: Engine, query: string, more: object = {}) {
  const input = { query, filters: { user_id: 'ann' }, ...more };
  const { results, warning } = await engine.invoke('search_memories', input, { caller: owner });
  return { warning, results, texts: results.map(({ memory }) => memory) };
}

describe('search by meaning', () => {
  it('finds what shares no word with the question, above the default threshold', async () => {
    const { engine } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await add(engine, 'Jazz makes me happy');
    await settle(engine);

    const { texts, results, warning } = await search(engine, 'Which automobile?');

    expect(texts).toEqual(['The vehicle is parked behind the house']);
    expect(results[0]?.score_breakdown).toMatchObject({ keyword: 0, entity: 0, temporal: 0 });
    expect(results[0]?.score_breakdown?.semantic).toBe(results[0]?.score);
    expect(warning).toBeUndefined();
  });

  it('keeps what words find, whatever the model thinks of it', async () => {
    const { engine } = await prepare();
    await add(engine, 'Zanzibar 4711 was the booking number');
    for (let index = 0; index < 60; index += 1) await add(engine, `The car ${index} is a vehicle`);
    await settle(engine);

    const { texts, results } = await search(engine, 'automobile booking number Zanzibar 4711');

    expect(texts[0]).toBe('Zanzibar 4711 was the booking number');
    const {
      semantic = 0,
      keyword = 0,
      entity = 0,
      temporal = 0,
    } = {
      ...results[0]?.score_breakdown,
    };
    expect(semantic + keyword + entity + temporal).toBeCloseTo(results[0]?.score ?? 0, 4);
  });

  it('finds nothing of others, and does not come back short for a filter', async () => {
    const { engine } = await prepare();
    for (let index = 0; index < 30; index += 1)
      await add(engine, `My car has ${index} doors`, { user_id: 'bob' });
    await add(engine, 'She drives a vehicle of red colour');
    await settle(engine);

    const { texts } = await search(engine, 'Which automobile?');

    expect(texts).toEqual(['She drives a vehicle of red colour']);
  });

  it('goes by words alone for keyword_search', async () => {
    const { engine } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await settle(engine);

    expect((await search(engine, 'automobile', { keyword_search: true })).texts).toEqual([]);
  });

  it('goes by words, with a warning, while the model is away', async () => {
    const { engine, embedder } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await settle(engine);
    embedder.before = async () => {
      throw new Error('no network');
    };

    const { texts, warning } = await search(engine, 'vehicle house');

    expect(texts).toHaveLength(1);
    expect(warning).toBe('The embedding model does not respond: only words were matched.');
  });

  it('does not wait for a slow model, nor ask it again at once', async () => {
    const { engine, embedder } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await settle(engine);
    let asked = 0;
    embedder.before = () => {
      asked += 1;
      return createDeferred().promise;
    };

    const first = await search(engine, 'vehicle house');
    const second = await search(engine, 'house vehicle');

    expect([first.texts, second.texts].map(({ length }) => length)).toEqual([1, 1]);
    expect(second.warning).toMatch('only words were matched');
    expect(asked).toBe(1);
  });
});

describe('embedding in the background', () => {
  it('has vectors at hand before the model has answered', async () => {
    const { engine, embedder } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await settle(engine);
    const answer = createDeferred();
    embedder.before = () => answer.promise;
    expect(engine.store.vectors.cachedBytes()).toBe(0);

    const searching = search(engine, 'Which automobile?');
    await vi.waitFor(() => expect(engine.store.vectors.cachedBytes()).toBeGreaterThan(0));
    answer.resolve();

    expect((await searching).texts).toEqual(['The vehicle is parked behind the house']);
  });

  it.each([
    ['deleted', 'delete_memory', {}],
    ['told otherwise', 'update_memory', { text: 'Jazz makes me happy' }],
    ['filed elsewhere', 'update_memory', { metadata: { team: 'b' } }],
  ] as const)('does not find what is %s while the model reads the question', async (...change) => {
    const [, operation, patch] = change;
    const { engine, embedder } = await prepare();
    const metadata = { team: 'a' };
    const changed = await add(engine, 'The vehicle is parked behind the house', { metadata });
    await add(engine, 'My car is red', { metadata });
    await settle(engine);
    const answer = createDeferred();
    embedder.before = (_texts, purpose) =>
      purpose === 'question' ? answer.promise : Promise.resolve();
    const gathered = vi.spyOn(engine.store.vectors, 'preload');

    const filters = { user_id: 'ann', metadata: { team: 'a' } };
    const searching = search(engine, 'Which automobile?', { filters });
    await vi.waitFor(() => expect(gathered).toHaveResolved());
    await engine.invoke(operation, { memory_id: changed, ...patch }, { caller: owner });
    answer.resolve();

    expect((await searching).texts).toEqual(['My car is red']);
  });

  it('lets no add wait for the model', async () => {
    const { engine, embedder } = await prepare();
    await settle(engine);
    const gate = createDeferred();
    embedder.before = () => gate.promise;

    const id = await add(engine, 'The vehicle is parked behind the house');

    expect(id).not.toBe('undefined');
    expect(embedder.embedded).not.toContain('The vehicle is parked behind the house');
    gate.resolve();
    await settle(engine);
    expect(embedder.embedded).toContain('The vehicle is parked behind the house');
  });

  it('embeds a changed text anew, and finds it by its new meaning', async () => {
    const { engine } = await prepare();
    const memory_id = await add(engine, 'The vehicle is parked behind the house');
    await settle(engine);

    const input = { memory_id, text: 'Jazz is what she listens to' };
    await engine.invoke('update_memory', input, { caller: owner });
    await settle(engine);

    expect((await search(engine, 'Which automobile?')).texts).toEqual([]);
    expect((await search(engine, 'What music?')).texts).toEqual(['Jazz is what she listens to']);
  });

  it('goes by words until another model has seen all memories, then by its meaning', async () => {
    const { engine } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await settle(engine);
    await engine.embedding?.stop();
    const gate = createDeferred();
    const second = createFake('second');
    second.dimension = 48;
    second.before = (_, purpose) => (purpose === 'memory' ? gate.promise : Promise.resolve());

    const next = await startEngine({ embedder: second, data_dir: engine.data_dir });
    onTestFinished(next.stop);
    const before = await search(next, 'vehicle house');
    gate.resolve();
    await settle(next, 'second');

    expect(before.texts).toHaveLength(1);
    expect(before.warning).toMatch('only words were matched');
    expect((await search(next, 'Which automobile?')).texts).toHaveLength(1);
  });

  it('begins anew when the model answers vectors of another length', async () => {
    const { engine, embedder } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await settle(engine);
    embedder.dimension = 32;

    expect((await search(engine, 'Which automobile?')).warning).toMatch('only words were matched');
    await add(engine, 'Jazz makes me happy');
    await vi.waitFor(async () => {
      engine.embedding?.wake();
      expect((await engine.store.vectors.findModel('concepts'))?.dimension).toBe(32);
    });
    await settle(engine);

    expect(
      (await search(engine, 'Which vehicle?')).results[0]?.score_breakdown?.semantic,
    ).toBeGreaterThan(0);
  });

  it('trusts a model that tells nothing apart with nothing', async () => {
    const blind = createFake();
    blind.embed = async (texts) => texts.map(() => Float32Array.of(1, 0));
    const { engine } = await prepare(blind);
    await add(engine, 'The vehicle is parked behind the house');
    await settle(engine);

    expect((await search(engine, 'Jazz')).texts).toEqual([]);
  });

  it('says what is wrong, and goes on when the model is back', async () => {
    const embedder = createFake();
    embedder.before = async () => {
      throw new Error('no network');
    };
    const { engine } = await prepare(embedder);
    await vi.waitFor(() => expect(engine.embedding?.lastError()).toBe('no network'));

    embedder.before = async () => {};
    engine.clock.advance(60_000);
    await settle(engine);

    expect(engine.embedding?.lastError()).toBeNull();
  });
});
