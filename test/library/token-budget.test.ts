import { expect, it, onTestFinished } from 'vitest';
import { createMemory } from '../../src/index.ts';
import { makeFolder } from '../storage/support.ts';
import { told } from '../support/language-model.ts';
import { startModelServer } from '../support/model-server.ts';

it('two engines on one store share the tokens of a day', async () => {
  const server = await startModelServer();
  server.reply = () => told('{"decisions": []}'); // 120 tokens
  const options = {
    data_dir: await makeFolder(),
    llm_url: server.url,
    llm_model: 'tiny',
    llm_daily_tokens: 240,
  };
  const engines = [createMemory(options), createMemory(options)];
  onTestFinished(async () => {
    for (const engine of engines) await engine.close();
    await server.close();
  });
  const noticeOf = async (index: number) => {
    const engine = engines[index];
    const added = await engine?.addMemory({
      messages: [{ role: 'user', content: `I like tea ${index}` }],
      user_id: 'ann',
      async_mode: false,
    });
    const event = await engine?.getEvent({ event_id: added?.event_id ?? '' });
    return event?.metadata?.notice ?? null;
  };

  const notices = [await noticeOf(0), await noticeOf(1), await noticeOf(0), await noticeOf(1)];

  expect(notices.slice(0, 2)).toEqual([null, null]);
  for (const notice of notices.slice(2)) expect(notice).toContain('llm_daily_tokens is used up');
  expect(server.requests).toHaveLength(2);
});
