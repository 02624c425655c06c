import { describe, expect, it, onTestFinished } from 'vitest';
import { openReranker } from '../../src/app/models/search-models.ts';
import { configFromOptions } from '../../src/config/load-config.ts';
import { optionNames } from '../../src/config/options.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

/** An engine whose reranker is behind an address, and two memories that share a word. */
async function prepare(given: Record<string, unknown> = {}) {
  const server = await startModelServer();
  const config = configFromOptions({ reranker_url: server.url, ...given }, optionNames);
  const reranker = openReranker(config, { log: () => {} });
  if (reranker === null) throw new Error('a reranker was configured');
  const engine = await startEngine({ reranker });
  onTestFinished(async () => {
    await engine.stop();
    await reranker.close();
    await server.close();
  });
  for (const content of ['The tea is green', 'The tea pot broke on Monday evening']) {
    const input = { messages: [{ role: 'user', content }], infer: false, user_id: 'ann' };
    await engine.invoke('add_memory', input, { caller: owner });
  }
  return { engine, server };
}

async function search(engine: Engine, more: object = { rerank: true }) {
  const input = { query: 'tea', filters: { user_id: 'ann' }, ...more };
  const { results, warning } = await engine.invoke('search_memories', input, { caller: owner });
  return { results, warning, texts: results.map(({ memory }) => memory) };
}

/** The server finds one answer in each memory that holds the word. */
function prefer(server: ModelServer, word: string, scores = [0.9, 0.1]): void {
  server.reply = ({ body }) => ({
    status: 200,
    body: {
      results: (body.documents as string[])
        .map((text, index) => ({ index, relevance_score: scores[text.includes(word) ? 0 : 1] }))
        .sort((one, other) => Number(other.relevance_score) - Number(one.relevance_score)),
    },
  });
}

describe('a search with rerank', () => {
  it('is ordered by what the model finds in question and memory together', async () => {
    const { engine, server } = await prepare({ reranker_model: 'judge', reranker_api_key: 'k' });
    const usual = (await search(engine, {})).texts;

    for (const word of ['green', 'pot']) {
      prefer(server, word);
      const { texts, results, warning } = await search(engine);

      expect(texts[0]).toMatch(word);
      expect([...texts].sort()).toEqual([...usual].sort());
      expect(warning).toBeUndefined();
      const parts = Object.values(results[0]?.score_breakdown ?? {});
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(results[0]?.score ?? 0, 3);
    }
    const [request] = server.requests;
    expect(request).toMatchObject({ path: '/v1/rerank', body: { model: 'judge', query: 'tea' } });
    expect(request?.headers.authorization).toBe('Bearer k');
  });

  it('reads scores that are no shares', async () => {
    const { engine, server } = await prepare();
    prefer(server, 'pot', [7.5, -4]);

    const { texts, results } = await search(engine, { rerank: true, threshold: 0 });

    expect(texts[0]).toMatch('pot');
    for (const { score } of results) expect(score).toBeLessThanOrEqual(1);
  });

  it('asks no model unless the call wants it', async () => {
    const { engine, server } = await prepare();

    await search(engine, {});

    expect(server.requests).toEqual([]);
  });

  it('answers as without a model, with a warning, when it fails, is slow or talks nonsense', async () => {
    const { engine, server } = await prepare({ reranker_timeout_ms: 100 });
    const { texts: usual } = await search(engine, {});

    for (const reply of [
      { status: 500 },
      'never' as const,
      { status: 200, body: { results: [{ index: 9, relevance_score: 1 }] } },
      { status: 200, body: { results: 'none' } },
    ]) {
      server.reply = () => reply;
      const { texts, warning } = await search(engine);

      expect(texts).toEqual(usual);
      expect(warning).toBe('The reranker does not respond: results were not reranked.');
    }
  });
});
