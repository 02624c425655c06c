import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ownerKey } from '../e2e/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { importClient, installClients, installTimeoutMs } from './installed.ts';
import { refused } from './only-loopback.mjs';
import type { Item } from './sdks.ts';
import { type Server, startServer } from './server.ts';

type Prompt = readonly { role: string; content: unknown }[];

type Model = { doGenerate(options: object): Promise<{ content: Item[] }> };

/** What a language model answers. */
const completion = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'any',
  choices: [{ index: 0, message: { role: 'assistant', content: 'None.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

type Provider = {
  addMemories(messages: Prompt | string, config: object): Promise<Item>;
  retrieveMemories(prompt: Prompt | string, config: object): Promise<string>;
  getMemories(prompt: Prompt | string, config: object): Promise<Item[]>;
  searchMemories(prompt: Prompt | string, config: object): Promise<{ results: Item[] }>;
  createMem0(options: object): { chat(model: string, settings: object): Model };
};

describe('@mem0/vercel-ai-provider 3.0.2', () => {
  let server: Server;
  let provider: Provider;
  const configOf = (user_id: string) => ({ user_id, mem0ApiKey: ownerKey, host: server.url });

  beforeAll(async () => {
    await installClients();
    vi.spyOn(console, 'error').mockReturnValue();
    server = await startServer();
    provider = await importClient('@mem0/vercel-ai-provider/dist/index.mjs');
  }, installTimeoutMs);

  afterAll(async () => {
    await server.stop();
    expect(refused).toEqual([]);
  });

  it('adds a prompt, in one text or in parts of which some are no text', async () => {
    const config = { ...configOf('ann'), infer: false, metadata: { from: 'chat' } };
    const image = { type: 'image', image_url: { url: 'https://example.com/cat.png' } };
    const content = [{ type: 'text', text: 'Has a cat named Tom' }, image];

    const one = await provider.addMemories('Likes jazz', config);
    const parts = await provider.addMemories([{ role: 'user', content }], config);

    expect(one).toMatchObject({ status: 'SUCCEEDED', results: [{ memory: 'Likes jazz' }] });
    expect(parts).toMatchObject({ results: [{ memory: 'Has a cat named Tom' }] });
    const { body } = await server.send('GET', '/v1/memories/?user_id=ann');
    expect(body).toMatchObject([{ metadata: { from: 'chat' } }, { memory: 'Likes jazz' }]);
  });

  it('adds in the background what facts are to be extracted from', async () => {
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'I live in Lyon.' }] }];

    const added = await provider.addMemories(prompt, configOf('bea'));

    expect(added).toMatchObject({ status: 'PENDING', event_id: expect.any(String) });
  });

  it('finds memories for a prompt, as items, as an answer, and as a text for a model', async () => {
    const config = { ...configOf('cleo'), top_k: 1, threshold: 0.1, rerank: true };
    await provider.addMemories('Plays the cello', { ...config, infer: false });
    await provider.addMemories('Works as a diver', { ...config, infer: false });
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Who plays the cello?' }] }];

    const items = await provider.getMemories(prompt, config);
    const answer = await provider.searchMemories('cello', config);
    const text = await provider.retrieveMemories(prompt, config);

    expect(items).toMatchObject([{ memory: 'Plays the cello', user_id: 'cleo' }]);
    expect(answer.results).toMatchObject([{ memory: 'Plays the cello' }]);
    expect(text).toContain('Memory: Plays the cello');
    expect(await provider.retrieveMemories('nothing like it', configOf('nobody'))).toBe('');
  });

  it('lets a model know what is remembered, with each prompt', async () => {
    const config = { ...configOf('dan'), threshold: 0.1 };
    await provider.addMemories('Is allergic to nuts', { ...config, infer: false });
    const llm = await startReceiver();
    llm.react((response) => response.setHeader('Content-Type', 'application/json').end(completion));
    const { mem0ApiKey, ...mem0Config } = config;
    const model = provider
      .createMem0({
        provider: 'openai',
        apiKey: 'none',
        mem0ApiKey,
        mem0Config,
        config: { baseURL: llm.url },
      })
      .chat('any', {});

    const content = [{ type: 'text', text: 'What nuts may I eat, allergic as I am?' }];
    const answer = await model.doGenerate({ prompt: [{ role: 'user', content }] });
    await llm.stop();

    expect(answer.content).toMatchObject([
      { type: 'text', text: 'None.' },
      { type: 'source', providerMetadata: { mem0: { memories: [{ user_id: 'dan' }] } } },
    ]);
    const asked = JSON.parse(llm.received[0]?.body ?? '{}');
    expect(asked.messages[0].content).toContain('Memory: Is allergic to nuts');
  });

  it('rejects without a known key', async () => {
    const config = { ...configOf('ann'), mem0ApiKey: 'mk_unknown' };

    await expect(provider.getMemories('jazz', config)).rejects.toThrow(/401/);
  });
});
