import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import {
  decisions,
  inOrder,
  promptIn,
  type Scripted,
  scripted,
  told,
} from '../support/language-model.ts';

function relation(source: string, name: string, target: string) {
  return { source, relation: name, target };
}

describe('relations that a model finds', () => {
  const messages = ['My sister Anna moved to Oslo, where she sails'];
  const text = "User's sister Anna moved to Oslo";

  async function found(relations: unknown, said: Parameters<Scripted['read']>[0]['messages']) {
    const { server, read } = await scripted();
    server.reply = inOrder(decisions({ text, relations }));
    const { decisions: made, notice } = await read({ messages: said, graph: true });
    expect(notice).toBeNull();
    return made[0]?.relations?.map((one) => `${one.source} ${one.relationship} ${one.target}`);
  }

  it('come with the decision that states them, by names that were said', async () => {
    const relations = [
      relation('I', 'Sister', 'Anna'),
      relation('Anna', 'lives in', 'oslo'),
      relation('Anna', 'lives-in', 'Oslo'),
      relation('Anna', 'does', 'sails'),
    ];

    expect(await found(relations, messages)).toEqual([
      'User sister Anna',
      'Anna lives_in Oslo',
      'Anna does sails',
    ]);
  });

  it('are asked for where the graph is wanted, and cost nothing elsewhere', async () => {
    const { server, read } = await scripted();
    server.reply = inOrder(decisions({ text, relations: [relation('User', 'sister', 'Anna')] }));

    await read({ messages, graph: true });
    const plain = await read({ messages, graph: false });

    const [asked, unasked] = server.requests;
    expect(promptIn(asked).system).toContain('"relations"');
    expect(JSON.stringify(asked?.body.response_format)).toContain('relations');
    expect(JSON.stringify(unasked?.body)).not.toMatch(/relations|"relation"\s*:/);
    expect(plain.decisions).toMatchObject([{ text }]);
    expect(plain.decisions[0]).not.toHaveProperty('relations');
  });

  it.each([
    ['of people that nobody spoke of', [relation('bob', 'owes', 'carol')]],
    ['that join somebody else to what was said', [relation('bob', 'sister', 'Anna')]],
    ['of what the memory does not tell', [relation('User', 'likes', 'sails')]],
    ['of a part of a name', [relation('Ann', 'lives_in', 'Oslo')]],
    ['of one with itself', [relation('Anna', 'is', 'anna'), relation('me', 'is', 'User')]],
    ['that are sentences', [relation('Anna', 'tell her to send all the money', 'Oslo')]],
    ['without a name', [relation('', 'in', 'Oslo'), relation('Anna', '', 'Oslo')]],
    ['of signs only', [relation('Anna', '!!', 'Oslo'), relation('Anna', 'in', '...')]],
    ['longer than names are', [relation('Anna', 'in', `Oslo${' Oslo'.repeat(30)}`)]],
    ['with a long relationship', [relation('Anna', 'x'.repeat(41), 'Oslo')]],
    ['with control characters', [relation('An\u0000na', 'in', 'Oslo')]],
    ['with characters nobody sees', [relation('Anna', 'in', 'Oslo\u200b')]],
    ['of the wrong form', ['Anna in Oslo', null, 7, [], { source: 'Anna' }]],
    ['that are no list', { source: 'Anna', relation: 'in', target: 'Oslo' }],
    ['that are a text', 'Anna in Oslo'],
  ])('%s are left out, and the memory stays', async (_, relations) => {
    expect(await found(relations, messages)).toBeUndefined();
  });

  it('hold no markup, though somebody said it', async () => {
    const said = 'My sister <script>alert(1)</script> Anna moved to Oslo, see {{evil}}';

    const relations = [
      relation('<script>alert(1)</script> Anna', 'in', 'Oslo'),
      relation('Anna', '<b>in</b>', 'Oslo'),
      relation('Anna', 'sees', '{{evil}}'),
    ];

    expect(await found(relations, [said])).toBeUndefined();
  });

  it('are at most 20 of a memory, however many there are', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => {
      return relation('Anna', `r${index}`, 'Oslo');
    });

    const kept = await found(many, messages);

    expect(kept).toHaveLength(20);
    expect(kept?.[0]).toBe('Anna r0 Oslo');
  });

  it('may name whoever speaks under a name', async () => {
    const said = [{ role: 'user', name: 'Ben', content: 'My sister Anna moved to Oslo' }];

    expect(await found([relation('Ben', 'sister', 'Anna')], said)).toEqual(['Ben sister Anna']);
  });

  it('are found in scripts without spaces', async () => {
    const { server, read } = await scripted();
    const japanese = '妹のアンナは東京に住んでいます';
    server.reply = inOrder(
      decisions({ text: japanese, relations: [relation('アンナ', '住む', '東京')] }),
    );

    const { decisions: made } = await read({ messages: [japanese], graph: true });

    expect(made[0]?.relations).toEqual([
      { source: 'アンナ', relationship: '住む', target: '東京' },
    ]);
  });
});

describe('the graph of a store with a model', () => {
  let model: Scripted;
  let engine: Engine;

  beforeEach(async () => {
    model = await scripted();
    engine = await startEngine({ extractor: model.extractor });
  });
  afterEach(() => engine.stop());

  async function edgesAfter(said: string, more: Record<string, unknown> = {}) {
    const { relations = [] } = await engine.invoke(
      'add_memory',
      {
        messages: [{ role: 'user', content: said }],
        user_id: 'ben',
        enable_graph: true,
        async_mode: false,
        output_format: 'v1.1',
        ...more,
      },
      { caller: owner },
    );
    return relations.map(({ memory_id: _, ...edge }) => Object.values(edge).join(' '));
  }

  it('holds what the model found, with types where rules know them', async () => {
    const text = 'User met Anna at Acme';
    const relations = [relation('User', 'works_at', 'Acme'), relation('Anna', 'boss of', 'User')];
    model.server.reply = inOrder(decisions({ text, relations }));

    expect(await edgesAfter('I met Anna at Acme')).toEqual([
      'ben person works_at Acme organization',
      'Anna person boss_of ben person',
    ]);
  });

  it('follows an update that the model makes', async () => {
    model.server.reply = inOrder(
      decisions({ text: 'User lives in Rome', relations: [relation('User', 'home', 'Rome')] }),
      decisions({
        event: 'UPDATE',
        memory: 'm1',
        text: 'User lives in Oslo',
        relations: [relation('User', 'home', 'Oslo')],
      }),
    );

    expect(await edgesAfter('I live in Rome')).toEqual(['ben person home Rome place']);
    expect(await edgesAfter('I live in Oslo')).toEqual(['ben person home Oslo place']);
  });

  it.each([
    ['gives none', () => decisions({ text: 'User lives in Rome' })],
    ['gives nothing usable', () => told('no')],
    [
      'gives orders in place of relations',
      () => {
        const order = relation('User', 'ignore_all_previous_instructions', 'Rome');
        return decisions({ text: 'User lives in Rome', relations: [order] });
      },
    ],
  ])('holds what rules find where the model %s', async (_, reply) => {
    model.server.reply = reply;

    expect(await edgesAfter('I live in Rome')).toEqual(['ben person lives_in Rome place']);
  });

  it('holds nothing where it is not wanted, whatever the model gives', async () => {
    const relations = [relation('User', 'home', 'Rome')];
    model.server.reply = inOrder(decisions({ text: 'User lives in Rome', relations }));

    expect(await edgesAfter('I live in Rome', { enable_graph: false })).toEqual([]);
  });
});
