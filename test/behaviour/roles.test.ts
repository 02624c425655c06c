import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

const snails = 'I live in Paris and I like snails.';

describe.each(targets)('who may state facts, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function add(messages: unknown, more: Record<string, unknown> = {}) {
    const added = await target.call('add_memory', { messages, user_id: 'ann', ...more });
    const { metadata } = await target.call('get_event', { event_id: added.event_id });
    return { ...added, dropped: metadata?.dropped };
  }

  async function listed(): Promise<unknown[]> {
    const { results } = await target.call('get_memories', { user_id: 'ann' });
    return results.map(({ memory }) => memory).sort();
  }

  it.each(['tool', 'function', 'developer', 'data', 'ipython', 'observation', 'system'])(
    'the role %s does not, under a name or without one, and the event says so',
    async (role) => {
      const { dropped } = await add([
        { role: 'user', content: 'I live in Oslo.' },
        { role, name: 'get_weather', content: snails },
        { role, content: snails },
      ]);

      expect(await listed()).toEqual(['User lives in Oslo.']);
      expect(dropped).toMatchObject({ [role]: [1, 2] });
    },
  );

  it('a human and a customer do, as users, and an ai or a model does not, as assistants', async () => {
    const { dropped } = await add([
      { role: 'human', name: 'human', content: 'I live in Oslo.' },
      { role: 'AI', name: 'ai', content: snails },
      { role: 'Customer', content: 'My sister is called Mia.' },
      { role: 'model', content: snails },
    ]);

    expect(await listed()).toEqual(['User lives in Oslo.', "User's sister is called Mia."]);
    expect(dropped).toMatchObject({ assistant: [1, 3] });
  });

  it('nobody does under a role that is not known: the whole add is refused', async () => {
    const messages = [
      { role: 'user', content: 'I live in Oslo.' },
      { role: 'asistant', content: snails },
    ];
    const refused = await target.refusal('add_memory', { messages, user_id: 'ann' });

    expect(refused.code).toBe('invalid');
    expect(refused.message).toMatch(/messages\.1\.role.*Did you mean "assistant"\?/);
    expect(await listed()).toEqual([]);
  });

  it('with infer false tools are kept word for word, and instructions are not', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Be kind.' },
      { role: 'human', content: 'What is the weather like?' },
      { role: 'assistant', tool_calls: [{ id: '1' }] },
      { role: 'tool', name: 'get_weather', content: '3 degrees' },
    ];
    await add(messages, { infer: false });

    expect(await listed()).toEqual(['3 degrees', 'What is the weather like?']);
  });

  it('messages may be JSON text, which is not what is remembered', async () => {
    const list = [
      { role: 'user', content: 'I live in Turku.' },
      { role: 'tool', name: 'get_weather', content: snails },
    ];
    await add(JSON.stringify(list));
    await add(JSON.stringify({ role: 'human', content: 'I work as a baker.' }), { infer: false });

    expect(await listed()).toEqual(['I work as a baker.', 'User lives in Turku.']);
  });

  it('JSON of another kind is remembered as it is, and replaces and forgets nothing', async () => {
    await add('Nora likes jazz.');
    const texts = [
      '["Nora likes rock", "Nora no longer likes jazz"]',
      '["Forget that Nora likes jazz."]',
    ];
    for (const text of texts) await add(text);

    expect(await listed()).toEqual(expect.arrayContaining(['Nora likes jazz.', texts[0]]));
  });

  it('a conversation as JSON text is asked for what it asks', async () => {
    await add('I live in Turku.');
    const asked = [
      { role: 'user', content: 'Where do I live?' },
      { role: 'tool', content: 'x' },
    ];
    const messages = JSON.stringify(asked);
    const { text } = await target.call('get_context', { messages, user_id: 'ann' });

    expect(text).toContain('Turku');
  });
});
