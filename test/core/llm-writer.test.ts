import { afterEach, describe, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { inOrder, promptIn, type Scripted, scripted, told } from '../support/language-model.ts';

let engine: Engine;
let model: Scripted;

afterEach(async () => {
  await engine.stop();
});

async function start(options: Record<string, unknown> = {}) {
  model = await scripted(options);
  engine = await startEngine({ writer: model.writer });
}

async function add(text: string): Promise<string> {
  const input = { text, infer: false, user_id: 'alice' };
  const { results } = await engine.invoke('add_memory', input, { caller: owner });
  engine.clock.advance(1000);
  return results[0]?.id ?? '';
}

async function addThree() {
  await add('Lives in Lisbon with two cats');
  await add('Turned 34 in spring');
  await add('Plays the cello in an orchestra');
}

const person = {
  type: 'object',
  properties: {
    home: { type: 'string' },
    instrument: { type: 'string' },
    cats: { type: 'integer' },
    children: { type: 'integer' },
    mood: { type: 'string', enum: ['happy', 'sad'] },
    facts: { type: 'array', items: { type: 'object', properties: { memory: { type: 'string' } } } },
  },
};

async function exported(more: object = {}) {
  const input = { schema: person, user_id: 'alice', ...more };
  const { id } = await engine.invoke('create_export', input, { caller: owner });
  const get = () => engine.invoke('get_export', { memory_export_id: id }, { caller: owner });
  await eventually(async () => expect((await get()).status).toBe('SUCCEEDED'));
  const event = await engine.invoke('get_event', { event_id: id }, { caller: owner });
  return { data: (await get()).data, metadata: event.metadata };
}

describe('an export that a language model fills', () => {
  it('holds what it found, in the form of the schema, and all memories where these are asked for', async () => {
    await start();
    await addThree();
    const found = { home: 'Lisbon', instrument: 'cello', cats: 2, mood: 'happy', facts: [] };
    model.server.reply = inOrder(told(JSON.stringify(found)));

    const { data, metadata } = await exported({ export_instructions: 'Be brief' });

    expect(data).toEqual({
      home: 'Lisbon',
      instrument: 'cello',
      cats: 2,
      children: null,
      mood: 'happy',
      facts: [
        { memory: 'Plays the cello in an orchestra' },
        { memory: 'Turned 34 in spring' },
        { memory: 'Lives in Lisbon with two cats' },
      ],
    });
    expect(metadata).toMatchObject({ by: 'tiny', cost: { calls: 1, input_tokens: 100 } });
    expect(promptIn(model.server.requests[0]).system).toContain('Be brief');
  });

  it('holds nothing that is made up or does not fit', async () => {
    await start();
    await addThree();
    const wrong = { home: 'Reykjavik', instrument: 7, cats: 9, children: '3', mood: 'angry' };
    model.server.reply = inOrder(told(JSON.stringify({ ...wrong, admin: true })));

    const { data } = await exported();

    expect(data).toMatchObject({ instrument: null, children: null, mood: null });
    expect(data).not.toHaveProperty('admin');
    expect(JSON.stringify(data)).not.toContain('Reykjavik');
    expect(JSON.stringify(data)).not.toContain('9');
  });

  it.each([
    ['is away', { status: 401 }],
    ['refuses', told(null, { message: { refusal: 'no' } })],
    ['answers prose', told('I would rather not.')],
  ])('is filled by rules where the model %s, and its event says so', async (_, reply) => {
    await start();
    await addThree();
    model.server.reply = () => reply;

    const { data, metadata } = await exported();

    expect(data).toMatchObject({ facts: [{}, {}, {}] });
    expect(metadata).toMatchObject({ by: 'rules' });
    expect(metadata?.notice).toContain('written by rules instead of the language model');
  });

  it('is filled from the newest memories, as many as fit into a request', async () => {
    await start({ llm_input_tokens: 1000 });
    for (let index = 0; index < 60; index += 1)
      await add(`Fact ${index}: ${'owns boats '.repeat(5)}`);
    model.server.reply = inOrder(told('{}'));

    await exported();

    const { user } = promptIn(model.server.requests[0]);
    expect(user).toContain('Fact 59');
    expect(user).not.toContain('Fact 1:');
  });
});

describe('a summary that a language model writes', () => {
  const filters = { user_id: 'alice' };
  const summary = () => engine.invoke('get_summary', { filters }, { caller: owner });

  it('is asked for once, until a memory changes', async () => {
    await start();
    await addThree();
    model.server.reply = inOrder(told('Alice lives in Lisbon.'), told('Alice left.'));

    const first = await summary();
    const again = await summary();
    const requests = model.server.requests.length;
    await add('Left Lisbon');
    const later = await summary();

    expect(first).toMatchObject({ summary: 'Alice lives in Lisbon.', memory_count: 3 });
    expect(again.summary).toBe('Alice lives in Lisbon.');
    expect(requests).toBe(1);
    expect(later.summary).toBe('Alice left.');
  });

  it('never tells what was deleted', async () => {
    await start();
    const id = await add('Lives in Lisbon');
    model.server.reply = inOrder(told('Alice lives in Lisbon.'));
    await summary();
    await engine.invoke('delete_memory', { memory_id: id }, { caller: owner });

    expect(await summary()).toMatchObject({ summary: '', memory_count: 0 });
  });

  it('is written by rules where the model is away', async () => {
    await start();
    await addThree();
    model.server.reply = () => ({ status: 503, headers: { 'Retry-After': '3600' } });

    expect((await summary()).summary).toContain('- Turned 34 in spring');
  });
});

describe('a profile that a language model makes', () => {
  const alice = { entity_type: 'user', entity_id: 'alice' };
  const profile = () => engine.invoke('get_profile', alice, { caller: owner });

  it('holds what memories say by topic, and nothing else', async () => {
    await start();
    await addThree();
    const answer = { music: ['Plays the cello'], travel: ['Flew to Mars'], family: [] };
    model.server.reply = inOrder(told(JSON.stringify(answer)));

    expect(await profile()).toMatchObject({
      status: 'succeeded',
      profile: { music: ['Plays the cello'] },
    });
    expect((await profile()).profile).not.toHaveProperty('travel');
    expect(model.server.requests).toHaveLength(1);
  });

  it('has the shape and follows the instructions of the settings', async () => {
    await start();
    await addThree();
    const schema = { type: 'object', properties: { instrument: { type: 'string' } } };
    const entities = { user: { schema, custom_instructions: 'Be brief' } };
    await engine.invoke('update_profile_settings', { entities }, { caller: owner });
    model.server.reply = inOrder(told('{"instrument": "cello"}'));

    expect((await profile()).profile).toEqual({ instrument: 'cello' });
    expect(promptIn(model.server.requests[0]).system).toContain('Be brief');
  });

  it('is made by rules where the model is away', async () => {
    await start();
    await addThree();
    model.server.reply = () => ({ status: 404 });

    expect((await profile()).profile).toMatchObject({ general: expect.any(Array) });
  });
});
