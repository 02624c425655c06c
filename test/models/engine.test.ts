import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { writeTinyEmbedder } from '../support/tiny-models.ts';
import { installRuntime, installTimeoutMs } from './installed.ts';
import { embedderOf, temporaryFolder } from './support.ts';

let local_models_dir: string;

beforeAll(async () => {
  local_models_dir = await installRuntime();
}, installTimeoutMs);

type Wishes = Parameters<typeof writeTinyEmbedder>[1];

async function prepare(wishes: Wishes = {}, given: { data_dir?: string } = {}) {
  const local_embedder = join(temporaryFolder(), 'tiny');
  writeTinyEmbedder(local_embedder, wishes);
  const { embedder } = embedderOf({ local_embedder, local_models_dir });
  embedder.preload?.();
  const engine = await startEngine({ embedder, ...given });
  onTestFinished(engine.stop);
  return { engine, name: embedder.name };
}

async function add(engine: Engine, content: string): Promise<void> {
  const input = { messages: [{ role: 'user', content }], infer: false, user_id: 'ann' };
  await engine.invoke('add_memory', input, { caller: owner });
}

async function search(engine: Engine, query: string) {
  const input = { query, filters: { user_id: 'ann' } };
  const { results, warning } = await engine.invoke('search_memories', input, { caller: owner });
  return { warning, texts: results.map(({ memory }) => memory) };
}

async function settled(engine: Engine, name: string): Promise<void> {
  await vi.waitFor(
    async () => {
      engine.embedding?.wake();
      const model = await engine.store.vectors.findModel(name);
      expect(model?.complete).toBe(true);
      if (model !== null) expect((await engine.store.vectors.getProgress(model)).pending).toBe(0);
    },
    { timeout: 25_000, interval: 100 },
  );
}

describe('the engine with an embedding model on this machine', () => {
  it('finds by meaning what shares no word with the question', async () => {
    const { engine, name } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await add(engine, 'Jazz makes me happy');
    await settled(engine, name);

    const { texts, warning } = await search(engine, 'Which automobile?');

    expect(texts).toEqual(['The vehicle is parked behind the house']);
    expect(warning).toBeUndefined();
  });

  it('adds and searches while many memories are being embedded', { timeout: 60_000 }, async () => {
    const { engine, name } = await prepare({ slow: 400 });
    const messages = Array.from({ length: 1000 }, (_, at) => {
      return { role: 'user', content: `Note ${at}: ${'the dog and the car '.repeat(40)}` };
    });
    for (let first = 0; first < messages.length; first += 100) {
      const some = messages.slice(first, first + 100);
      const input = { messages: some, infer: false, user_id: 'ann' };
      await engine.invoke('add_memory', input, { caller: owner });
    }
    const pending = async () => {
      engine.embedding?.wake();
      const model = await engine.store.vectors.findModel(name);
      return model === null ? null : (await engine.store.vectors.getProgress(model)).pending;
    };
    await vi.waitFor(async () => expect(await pending()).toBeLessThan(1000), { timeout: 25_000 });

    await add(engine, 'The key lies under the third pot');
    const { texts, warning } = await search(engine, 'third pot key');

    expect(texts[0]).toBe('The key lies under the third pot');
    expect(warning).toMatch(/\d+ of \d+ memories are embedded: only words were matched/);
    expect(await pending()).toBeGreaterThan(0);
  });

  it('embeds all anew for another model, and searches meanwhile', async () => {
    const { engine, name } = await prepare();
    await add(engine, 'The vehicle is parked behind the house');
    await settled(engine, name);
    await engine.embedding?.stop();

    const next = await prepare({ dimension: 32 }, { data_dir: engine.data_dir });
    const meanwhile = await search(next.engine, 'vehicle house');
    await settled(next.engine, next.name);
    const after = await search(next.engine, 'Which automobile?');

    expect(next.name).not.toBe(name);
    expect(meanwhile.texts).toHaveLength(1);
    expect(meanwhile.warning).toMatch('only words were matched');
    expect(after).toEqual({
      texts: ['The vehicle is parked behind the house'],
      warning: undefined,
    });
  });

  it('keeps a scale for each model, as the same cosine means another likeness', async () => {
    const { engine, name } = await prepare();
    await settled(engine, name);

    const model = await engine.store.vectors.findModel(name);

    expect(model?.scale.trust).toBeGreaterThan(0.8);
    expect(model?.scale.related).toBeGreaterThan(model?.scale.unrelated ?? 1);
  });

  it('goes by words, and says so, when the model can not be had', async () => {
    const given = { local_embedder: join(temporaryFolder(), 'none'), local_models_dir };
    const { embedder } = embedderOf(given);
    const engine = await startEngine({ embedder });
    onTestFinished(engine.stop);
    await add(engine, 'The vehicle is parked behind the house');
    await vi.waitFor(
      () => expect(engine.embedding?.lastError()).toMatch('none has no config.json'),
      {
        timeout: 10_000,
      },
    );

    const { texts, warning } = await search(engine, 'vehicle house');

    expect(texts).toHaveLength(1);
    expect(warning).toBe(
      'The embedding model cannot be loaded (mneme doctor says why): only words were matched.',
    );
  });
});
