import { beforeAll, describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { calibrateScale } from '../../src/core/search/semantic/vector-scale.ts';
import { e5Prefixes, startE5 } from '../bench/models/e5-service.ts';
import { type InstalledModels, installModels } from '../bench/models/install.ts';
import { owner, startEngine } from '../support/engine.ts';
import { installRuntime, installTimeoutMs } from './installed.ts';
import { embedderOf } from './support.ts';

let local_models_dir: string;
let real: InstalledModels | { problem: string };

beforeAll(async () => {
  local_models_dir = await installRuntime();
  real = await installModels();
}, 2 * installTimeoutMs);

/** Skips a test, with the reason, where the weights can't be had. */
function requireModels({ skip }: Pick<TestContext, 'skip'>): InstalledModels {
  if ('problem' in real) skip(real.problem);
  return real as InstalledModels; // otherwise it was skipped
}

function cosine(one?: Float32Array | null, other?: Float32Array | null): number {
  return Array.from(one ?? []).reduce((sum, value, at) => sum + value * (other?.[at] ?? 0), 0);
}

describe('all-MiniLM-L6-v2 on this machine', () => {
  it('has the vectors of the published model', async (context) => {
    const { minilm: local_embedder } = requireModels(context);
    const { embedder } = embedderOf({ local_embedder, local_models_dir });
    embedder.preload?.();

    const { dimension, scale } = await calibrateScale(embedder);
    const texts = ['That is a happy person', 'That is a happy dog', 'That is a very happy person'];
    const [person, dog, very] = await embedder.embed(texts, { purpose: 'memory' });

    expect(dimension).toBe(384);
    expect(scale.trust).toBeGreaterThan(0.9);
    // The similarities that the page of the model states for these sentences.
    expect(cosine(person, very)).toBeCloseTo(0.943, 2);
    expect(cosine(person, dog)).toBeCloseTo(0.695, 2);
  });

  it('finds what shares no word with the question', async (context) => {
    const { minilm: local_embedder } = requireModels(context);
    const { embedder } = embedderOf({ local_embedder, local_models_dir });
    embedder.preload?.();
    const engine = await startEngine({ embedder });
    onTestFinished(engine.stop);
    for (const content of ['Our beagle Otis turned four', 'The bakery opens at seven']) {
      const input = { messages: [{ role: 'user', content }], infer: false, user_id: 'ann' };
      await engine.invoke('add_memory', input, { caller: owner });
    }
    await expect
      .poll(async () => (await engine.store.vectors.findModel(embedder.name))?.complete, {
        timeout: 20_000,
      })
      .toBe(true);

    const input = { query: 'Does he have pets?', filters: { user_id: 'ann' } };
    const { results } = await engine.invoke('search_memories', input, { caller: owner });

    expect(results[0]?.memory).toBe('Our beagle Otis turned four');
  });
});

describe('multilingual-e5-small behind an address', () => {
  it('finds an answer in another language than the question', async (context) => {
    const { python } = requireModels(context);
    const service = await startE5(python);
    onTestFinished(service.close);
    const given = { embedder_url: service.url, embedder_model: 'e5', ...e5Prefixes };
    const { embedder } = embedderOf(given);

    const [question] = await embedder.embed(['Hat er Haustiere?'], { purpose: 'question' });
    const facts = ['Our beagle Otis turned four', 'The bakery opens at seven'];
    const [dog, bakery] = await embedder.embed(facts, { purpose: 'memory' });

    expect(question).toHaveLength(384);
    expect(cosine(question, dog)).toBeGreaterThan(cosine(question, bakery));
  });
});
