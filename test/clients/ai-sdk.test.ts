import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listOf, ownerKey } from '../e2e/service.ts';
import { importClient, installClients, installTimeoutMs, runProgram } from './installed.ts';
import { refused } from './only-loopback.mjs';
import { type Server, startServer } from './server.ts';

type Prompt = readonly { role: string; content: unknown }[];

/** What a model is asked, and a part of what it answers. */
type Asked = { prompt: Prompt; tools?: { name: string }[] };
type Part = { type: 'text' | 'tool-call'; [field: string]: string };

type MockModel = new (
  model: object & { doGenerate(asked: Asked): Promise<object> },
) => { doGenerateCalls: Asked[] };

/** The programs of docs/integrations/vercel-ai-sdk.md, unchanged, with the SDK's own mock model. */
describe('AI SDK 6', () => {
  let server: Server;
  let Model: MockModel;
  const { argv } = process;

  beforeAll(async () => {
    await installClients();
    const sdk: { MockLanguageModelV3: MockModel } = await importClient('ai/dist/test/index.mjs');
    Model = sdk.MockLanguageModelV3;
    server = await startServer();
  }, installTimeoutMs);

  afterEach(() => {
    process.argv = argv;
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  afterAll(async () => {
    await server.stop();
    expect(refused).toEqual([]);
  });

  /** What a program prints for a prompt, and what it asks the model. */
  const run = async (program: string, prompt: string, answer: (asked: Prompt) => Part) => {
    const model = new Model({
      doGenerate: async ({ prompt }) => {
        const part = answer(prompt);
        const finishReason = { unified: part.type === 'text' ? 'stop' : 'tool-calls' };
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
        return { content: [part], finishReason, usage, warnings: [] };
      },
    });
    vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', { languageModel: () => model });
    vi.stubEnv('KEY', ownerKey);
    vi.stubEnv('URL', server.url);
    process.argv = [process.execPath, program, prompt];
    const print = vi.spyOn(console, 'log').mockReturnValue();
    await runProgram(readFileSync(join('examples', program), 'utf8'));
    const printed = print.mock.calls.map((words) => words.join(' ')).join('\n');
    print.mockRestore();
    return { printed, asked: model.doGenerateCalls };
  };

  const memories = async () => listOf(await server.send('GET', '/v1/memories/?user_id=ada'));

  it('calls the tools of mneme over MCP', async () => {
    const fact = 'Ada is allergic to hazelnuts';
    const adds = callOf('add_memory', { text: fact });
    const searches = callOf('search_memories', { query: 'allergic' });

    const told = await run('vercel-ai-sdk.mjs', `Remember that ${fact}`, adds);
    const asked = await run('vercel-ai-sdk.mjs', 'What am I allergic to?', searches);

    expect(told.asked[0]?.tools).toHaveLength(7);
    expect(told.printed).toContain(`tool: add_memory {"text":"${fact}"}`);
    expect(await memories()).toMatchObject([{ memory: fact }]);
    expect(asked.printed).toContain('tool: search_memories {"query":"allergic"}');
    expect(asked.printed).toMatch(/^answer: .*Ada is allergic to hazelnuts/m);
  });

  it('recalls and remembers with the package of mem0', async () => {
    const recites = ([first]: Prompt): Part => ({ type: 'text', text: JSON.stringify(first) });
    const before = await memories();

    const told = await run('vercel-ai-sdk-mem0.mjs', 'I play the cello. Any tips?', recites);
    await expect.poll(memories).toHaveLength(before.length + 1);
    const asked = await run('vercel-ai-sdk-mem0.mjs', 'What do I play?', recites);

    expect(told.printed).not.toContain('User plays the cello');
    expect(asked.printed).toContain('Memory: User plays the cello');
  });
});

/** A model that calls a tool once and then says what it returned. */
function callOf(toolName: string, input: object) {
  return (prompt: Prompt): Part => {
    const last = prompt.at(-1);
    return last?.role === 'tool'
      ? { type: 'text', text: JSON.stringify(last.content) }
      : { type: 'tool-call', toolCallId: 'c1', toolName, input: JSON.stringify(input) };
  };
}
