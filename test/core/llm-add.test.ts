import { afterEach, describe, expect, it } from 'vitest';
import { createDeferred } from '../support/deferred.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { extractorFrom } from '../support/extractor.ts';
import { isDue } from '../support/jobs.ts';
import { decisions, inOrder, promptIn, scripted } from '../support/language-model.ts';

let engine: Engine;

afterEach(async () => {
  await engine.stop();
});

async function add(content: string, more: Record<string, unknown> = {}) {
  const input = { messages: [{ role: 'user', content }], user_id: 'alice', ...more };
  return engine.invoke('add_memory', { async_mode: false, ...input }, { caller: owner });
}

describe('an add that a language model reads', () => {
  it('tells in its event who read it and what that cost', async () => {
    const { server, extractor } = await scripted();
    server.reply = inOrder(decisions({ text: 'User likes tea', reason: 'a taste' }));
    engine = await startEngine({ extractor });

    const { event_id, results } = await add('I like tea');
    const event = await engine.invoke('get_event', { event_id }, { caller: owner });

    expect(results).toMatchObject([{ event: 'ADD', memory: 'User likes tea' }]);
    expect(event.metadata).toMatchObject({
      by: 'tiny',
      cost: { calls: 1, input_tokens: 100, output_tokens: 20 },
    });
    expect(event.metadata).not.toHaveProperty('notice');
  });

  it('changes the memory that it names, and keeps what was in its history', async () => {
    const { server, extractor } = await scripted();
    engine = await startEngine({ extractor });
    server.reply = inOrder(
      decisions({ text: 'User lives in Paris' }),
      decisions({ event: 'UPDATE', memory: 'm1', text: 'User lives in Rome' }),
    );

    const first = await add('I live in Paris');
    const second = await add('I live in Rome now, no longer in Paris');

    const memory_id = first.results[0]?.id ?? '';
    const history = await engine.invoke('get_history', { memory_id }, { caller: owner });
    expect(second.results).toMatchObject([{ event: 'UPDATE', id: memory_id }]);
    expect(history.results).toMatchObject([
      { event: 'ADD', new_memory: 'User lives in Paris' },
      { event: 'UPDATE', old_memory: 'User lives in Paris', new_memory: 'User lives in Rome' },
    ]);
  });

  it('says in its event why rules read it, and stores it all the same', async () => {
    const { server, extractor } = await scripted();
    server.reply = () => ({ status: 401 });
    engine = await startEngine({ extractor });

    const { event_id, status, results } = await add('I like tea');
    const event = await engine.invoke('get_event', { event_id }, { caller: owner });

    expect(status).toBe('SUCCEEDED');
    expect(results).toMatchObject([{ event: 'ADD', memory: 'I like tea' }]);
    expect(event.metadata).toMatchObject({ by: 'rules' });
    expect(event.metadata?.notice).toContain('llm_api_key is missing or wrong');
  });

  it("follows the project's settings, and the request where it says more", async () => {
    const { server, extractor } = await scripted();
    server.reply = inOrder(decisions());
    engine = await startEngine({ extractor });
    const { org_id, project_id } = engine.projects.own;
    await engine.invoke(
      'update_project',
      {
        org_id,
        project_id,
        custom_instructions: 'Note tastes only',
        agent_custom_instructions: 'Note promises',
        custom_categories: [{ drinks: 'what they drink' }],
      },
      { caller: owner },
    );

    await add('I like tea');
    await add('I like tea', { custom_instructions: 'Note nothing', excludes: 'tea' });

    const [first, second] = server.requests.map((request) => promptIn(request).system);
    expect(first).toContain('Note tastes only');
    expect(first).toContain('For what an assistant says: Note promises');
    expect(first).toContain('drinks: what they drink');
    expect(second).toContain('Note nothing');
    expect(second).toContain('Never remember: tea');
  });

  it('is not read by it where facts are to be stored as they are', async () => {
    const { server, extractor } = await scripted();
    engine = await startEngine({ extractor });

    const { results } = await add('I like tea', { infer: false });

    expect(results).toMatchObject([{ event: 'ADD', memory: 'I like tea' }]);
    expect(server.requests).toEqual([]);
  });

  it('can only change memories of the same owners', async () => {
    const { server, extractor } = await scripted();
    engine = await startEngine({ extractor });
    server.reply = inOrder(
      decisions({ text: 'User lives in Paris' }),
      decisions({ event: 'UPDATE', memory: 'm1', text: 'User lives in Rome' }),
    );

    await add('I live in Paris', { user_id: 'bob' });
    const { results } = await add('I live in Rome', { user_id: 'alice' });

    expect(promptIn(server.requests[1]).user).not.toContain('Paris');
    expect(results).toMatchObject([{ event: 'ADD', memory: 'User lives in Rome' }]);
  });
});

describe('subscribers', () => {
  it('are told of the categories of a memory when they change', async () => {
    const { server, extractor } = await scripted();
    engine = await startEngine({ extractor });
    const url = 'https://hooks.example.com/';
    const { webhook_id } = await engine.invoke('create_webhook', { url }, { caller: owner });
    const custom_categories = { home: 'where they live', work: 'what they do' };
    server.reply = inOrder(
      decisions({ text: 'User lives in Paris', categories: ['home'] }),
      decisions({
        event: 'UPDATE',
        memory: 'm1',
        text: 'User lives in Rome',
        categories: ['home', 'work'],
      }),
      decisions({
        event: 'UPDATE',
        memory: 'm1',
        text: 'User lives in Oslo',
        categories: ['work', 'home'],
      }),
    );

    await add('I live in Paris', { custom_categories });
    await add('I live in Rome', { custom_categories });
    await add('I live in Oslo', { custom_categories });

    const sent = await engine.invoke('list_webhook_deliveries', { webhook_id }, { caller: owner });
    expect(sent.results.map(({ event_type }) => event_type).toSorted()).toEqual([
      'memory:add',
      'memory:categorize',
      'memory:categorize',
      'memory:update',
      'memory:update',
    ]);
  });
});

describe('work that takes longer than its lease', () => {
  const lease_ms = 90;

  it('keeps it, so that no other process does it too', async () => {
    const thinking = createDeferred();
    const extractor = extractorFrom(async () => {
      await thinking.promise;
      return [];
    });
    engine = await startEngine({ extractor, lease_ms });

    await add('I like tea', { async_mode: true });
    await eventually(async () => expect(await isDue(engine, lease_ms - 1)).toBe(false));
    engine.clock.advance(60);

    await eventually(async () => expect(await isDue(engine, lease_ms - 10)).toBe(false));
    thinking.resolve();
  });

  it('ends when it is lost', async () => {
    let ended = false;
    const extractor = extractorFrom(
      (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            ended = true;
            reject(signal.reason);
          });
        }),
    );
    engine = await startEngine({ extractor, lease_ms });

    const { event_id } = await add('I like tea', { async_mode: true });
    await eventually(async () => expect(await isDue(engine, lease_ms - 1)).toBe(false));
    await engine.store.transaction((tables) =>
      tables.jobs.revokeLeases(engine.projects.own, [event_id]),
    );

    await eventually(() => expect(ended).toBe(true));
  });
});
