import { describe, expect, it, onTestFinished } from 'vitest';
import { decisions, told } from '../support/language-model.ts';
import { startModelServer } from '../support/model-server.ts';
import { runIn, temporaryFolder } from './support.ts';

async function prepare() {
  const run = runIn(temporaryFolder());
  const server = await startModelServer();
  onTestFinished(server.close);
  return { run, server, env: { MNEME_LLM_URL: server.url, MNEME_LLM_MODEL: 'tiny' } };
}

describe('the program with a language model', () => {
  it('has it read what is added', async () => {
    const { run, server, env } = await prepare();
    server.reply = () => decisions({ text: 'User likes tea' });
    const messages = JSON.stringify([{ role: 'user', content: 'I like tea' }]);

    const { stdout } = await run(['call', 'add_memory', '--messages', messages], { env });

    expect(stdout).toContain('User likes tea');
    expect(server.requests).toHaveLength(1);
  });

  it('has doctor ask it, and say what that cost', async () => {
    const { run, server, env } = await prepare();
    server.reply = () => decisions({ text: 'User has a cat called Miso' });

    const { stdout } = await run(['doctor'], { env });

    expect(stdout).toMatch(/Language model +tiny responds: 100 tokens in, 20 out, \d+ ms/);
  });

  it('has doctor say when it is away, or sees nothing', async () => {
    const { run, server, env } = await prepare();
    server.reply = () => ({ status: 401 });
    const away = await run(['doctor'], { env });
    server.reply = () => told('{"decisions": []}');

    const blind = await run(['doctor'], { env });

    expect(away.code).toBe(1);
    expect(away.stdout.replace(/\s+/g, ' ')).toContain('llm_api_key is missing or wrong');
    expect(blind.stdout).toMatch(/warning +Language model/);
  });
});
