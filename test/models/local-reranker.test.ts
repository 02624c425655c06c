import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openReranker } from '../../src/app/models/search-models.ts';
import { configFromOptions } from '../../src/config/load-config.ts';
import { optionNames } from '../../src/config/options.ts';
import { owner, startEngine } from '../support/engine.ts';
import { writeTinyEmbedder, writeTinyReranker } from '../support/tiny-models.ts';
import { installRuntime, installTimeoutMs } from './installed.ts';
import { temporaryFolder } from './support.ts';

let local_models_dir: string;

beforeAll(async () => {
  local_models_dir = await installRuntime();
}, installTimeoutMs);

function prepare(write: (folder: string) => void, given: Record<string, unknown> = {}) {
  const local_reranker = join(temporaryFolder(), 'judge');
  write(local_reranker);
  const common = { local_reranker, local_models_dir, reranker_timeout_ms: 20_000 };
  const reranker = openReranker(configFromOptions({ ...common, ...given }, optionNames), {
    log: () => {},
  });
  if (reranker === null) throw new Error('a reranker was configured');
  onTestFinished(reranker.close);
  return reranker;
}

describe('a reranker on this machine', () => {
  it('reads the question with each text, and answers a share for each in their order', async () => {
    const reranker = prepare(writeTinyReranker);
    const texts = ['jazz', 'A vehicle was parked', `${'dog '.repeat(2000)}car`, '', 'A car'];

    const shares = await reranker.rerank('Which automobile?', texts, {});

    expect(shares).toHaveLength(5);
    expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true);
    const [jazz = 0, vehicle = 0, long = 0, nothing = 0, car = 0] = shares;
    expect(Math.min(vehicle, car)).toBeGreaterThan(0.9);
    expect(Math.max(jazz, nothing, long)).toBeLessThan(0.5);
  });

  it('orders what a search with rerank has found', async () => {
    const engine = await startEngine({ reranker: prepare(writeTinyReranker) });
    onTestFinished(engine.stop);
    for (const content of ['Tom wants the tall lamp', 'Tom wants the tall lamp of his dog']) {
      const input = { messages: [{ role: 'user', content }], infer: false, user_id: 'ann' };
      await engine.invoke('add_memory', input, { caller: owner });
    }
    const search = (rerank: boolean) => {
      const input = { query: 'tall lamp, pets', filters: { user_id: 'ann' }, rerank };
      return engine.invoke('search_memories', input, { caller: owner });
    };

    const usual = await search(false);
    const { results, warning } = await search(true);

    expect(usual.results[0]?.memory).toBe('Tom wants the tall lamp');
    expect(results[0]?.memory).toBe('Tom wants the tall lamp of his dog');
    expect(results[0]?.score_breakdown?.semantic).toBeGreaterThan(0.4);
    expect(warning).toBeUndefined();
  });

  it('is left out, with a warning, when it can not be had or takes too long', async () => {
    const missing = { local_models_dir: temporaryFolder() };
    const late = { reranker_timeout_ms: 10 };
    for (const given of [missing, late]) {
      const engine = await startEngine({ reranker: prepare(writeTinyReranker, given) });
      onTestFinished(engine.stop);
      const input = { messages: [{ role: 'user', content: 'tea' }], infer: false, user_id: 'ann' };
      await engine.invoke('add_memory', input, { caller: owner });

      const search = { query: 'tea', filters: { user_id: 'ann' }, rerank: true };
      const { results, warning } = await engine.invoke('search_memories', search, {
        caller: owner,
      });

      expect(results).toHaveLength(1);
      expect(warning).toBe('The reranker does not respond: results were not reranked.');
    }
  });

  it('refuses a model that is none', async () => {
    const reranker = prepare(writeTinyEmbedder);

    await expect(reranker.rerank('car', ['car'], {})).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching('it is not a reranker'),
    });
  });
});
