import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

type Input = Record<string, unknown>;

describe('"yesterday" is counted where the user is', () => {
  const dishes = { 24: 'dumplings', 25: 'sushi', 26: 'pasta' };
  let engine: Engine;

  const add = (input: Input) => {
    const given = { async_mode: false, user_id: 'ann', ...input };
    return engine.invoke('add_memory', given, { caller: owner });
  };
  const first = async (query: string, asked: Input) => {
    const given = { query, user_id: 'ann', threshold: 0, ...asked };
    const { results } = await engine.invoke('search_memories', given, { caller: owner });
    return results[0]?.memory;
  };

  beforeAll(async () => {
    engine = await startEngine({ timezone: 'America/Los_Angeles' });
    for (const [day, dish] of Object.entries(dishes)) {
      const content = `On ${day} November 2026 I ate ${dish} for dinner.`;
      await add({ messages: [{ role: 'user', content }] });
      for (const [user_id, at] of [
        ['early', `2026-11-${day}T07:00:00-08:00`],
        ['late', `2026-11-${day}T21:00:00-08:00`],
        ['east', `2026-11-${day}T07:00:00+08:00`],
      ] as const) {
        await add({ text: `I ate ${dish} for dinner`, user_id, timestamp: at });
      }
    }
  });
  afterAll(() => engine.stop());

  it.each([
    ['ann', '2026-11-27T02:00:00Z', {}, 'sushi'],
    ['early', '2026-11-27T02:00:00Z', {}, 'sushi'],
    ['late', '2026-11-27T02:00:00Z', {}, 'sushi'],
    ['late', '2026-11-27', {}, 'pasta'],
    ['ann', '2026-11-26T23:30:00Z', { timezone: 'Asia/Shanghai' }, 'pasta'],
    ['east', '2026-11-26T23:30:00Z', { timezone: 'Asia/Shanghai' }, 'pasta'],
    ['ann', '2026-11-27T02:00:00Z', { timezone: 'UTC' }, 'pasta'],
  ])('for %s at %s with %j', async (user_id, reference_date, zone, dish) => {
    const asked = { user_id, reference_date, ...zone };

    expect(await first('what did I eat yesterday', asked)).toContain(dish);
  });

  it.each([
    ['two days ago', 'dumplings'],
    ['today', 'pasta'],
  ])('as "%s" is', async (when, dish) => {
    const reference_date = '2026-11-27T02:00:00Z';

    for (const user_id of ['ann', 'early', 'late'])
      expect(await first(`what did I eat ${when}`, { user_id, reference_date })).toContain(dish);
  });

  it('in contexts too', async () => {
    const asked = { query: 'what did I eat yesterday', user_id: 'late', max_tokens: 100 };
    const zone = { reference_date: '2026-11-27T02:00:00Z', timezone: 'America/Los_Angeles' };
    const { text } = await engine.invoke('get_context', { ...asked, ...zone }, { caller: owner });

    expect(text.indexOf('sushi')).toBeGreaterThan(0);
    expect(text.split('\n').find((line) => line.startsWith('- '))).toContain('sushi');
  });

  it.each(['search_memories', 'get_context'] as const)(
    'and %s names a zone that there is not',
    async (operation) => {
      const asked = { query: 'tea', user_id: 'ann', timezone: 'Berlin' };

      await expect(engine.invoke(operation, asked, { caller: owner })).rejects.toThrow(
        /timezone.*Europe\/Berlin/,
      );
    },
  );
});

describe('a question that is only a day', () => {
  const now = '2026-11-26T12:00:00Z';
  let engine: Engine;

  const ask = async (query: string, asked: Input = {}) => {
    const given = { query, user_id: 'ann', reference_date: now, top_k: 50, ...asked };
    return engine.invoke('search_memories', given, { caller: owner });
  };
  const daysOf = async (query: string) => {
    const { results, note } = await ask(query);
    return [
      ...new Set(results.map(({ created_at = '' }) => Number(created_at.slice(8, 10)))),
    ].concat(note === undefined ? [] : [0]);
  };

  beforeAll(async () => {
    engine = await startEngine();
    for (let day = 15; day <= 26; day += 1) {
      for (const [hour, text] of Object.entries({
        '08': `Ran ${day} laps in the park`,
        '12': `Lunch with Bob, soup number ${day}`,
        '17': `Fixed bug ${day} of the parser`,
        '21': `Watched episode ${day} of the series`,
      })) {
        const timestamp = `2026-11-${day}T${hour}:00:00Z`;
        const add = { text, user_id: 'ann', async_mode: false, timestamp };
        await engine.invoke('add_memory', add, { caller: owner });
      }
    }
  });
  afterAll(() => engine.stop());

  it.each([
    ['what did I do yesterday', 25],
    ['what did I do on 2026-11-21', 21],
    ['2026-11-21', 21],
    ['21.11.2026', 21],
    ['what happened yesterday?', 25],
    ['What happened last night?', 25],
    ['what was I doing the day before yesterday', 24],
    ['what did we talk about three days ago?', 23],
    ['what did I do on the 21st?', 21],
    ['what did I do on 20 November 2026', 20],
    ['what do you remember from 20 November?', 20],
    ['what did I do last Friday', 20],
    ['qué hice ayer', 25],
    ['¿Qué hice anteayer?', 24],
    ['qué pasó anoche', 25],
    ['¿Qué hice hace tres días?', 23],
    ['¿Qué hicimos el 21 de noviembre?', 21],
    ['qué hice el lunes pasado', 23],
    ['was habe ich gestern gemacht', 25],
    ['Was war vorgestern los?', 24],
    ['was ist letzte Nacht passiert', 25],
    ['Was habe ich vor drei Tagen gemacht?', 23],
    ['was habe ich am 21. November 2026 gemacht', 21],
    ['Was habe ich am 21. gemacht?', 21],
    ['was war letzten Freitag', 20],
    ["qu'est-ce que j'ai fait hier ?", 25],
    ["Qu'ai-je fait avant-hier ?", 24],
    ["que s'est-il passé il y a trois jours ?", 23],
    ["Qu'ai-je fait le 21 novembre 2026 ?", 21],
    ["qu'est-ce que j'ai fait vendredi dernier", 20],
    ['cosa ho fatto ieri', 25],
    ["Cosa è successo l'altro ieri?", 24],
    ['cosa ho fatto tre giorni fa', 23],
    ['Cosa ho fatto il 21 novembre?', 21],
    ['o que eu fiz ontem?', 25],
    ['o que aconteceu anteontem', 24],
    ['o que fiz há três dias', 23],
    ['O que eu fiz em 21 de novembro de 2026?', 21],
    ['что я делал вчера?', 25],
    ['Что произошло позавчера', 24],
    ['что было три дня назад', 23],
    ['Что я делал 21 ноября?', 21],
    ['昨日何をしましたか？', 25],
    ['一昨日は何をした', 24],
    ['3日前に何をした？', 23],
    ['11月21日に何がありましたか', 21],
    ['我昨天做了什么？', 25],
    ['前天发生了什么事', 24],
    ['三天前我做了什么', 23],
    ['2026年11月21日我做了什么？', 21],
  ])('"%s" is answered with all of that day', async (query, day) => {
    const { results } = await ask(query);

    expect(await daysOf(query)).toEqual([day]);
    expect(results.map(({ created_at = '' }) => created_at.slice(11, 13))).toEqual([
      '21',
      '17',
      '12',
      '08',
    ]);
  });

  it.each([
    ['what did I do last week', '2026-11-22', 7 * 4],
    ['was habe ich letzte Woche gemacht', '2026-11-22', 7 * 4],
    ['我上周做了什么', '2026-11-22', 7 * 4],
  ])('"%s" asks for all of its days, the latest first', async (query, last, count) => {
    const { results } = await ask(query);

    expect(results).toHaveLength(count);
    expect(results[0]?.created_at).toContain(last);
  });

  it.each([
    ['what did I do on 2026-10-17', '2026-10-17'],
    ['3 March 2024', '2024-03-03'],
    ['what happened two months ago', '2026-09-01 to 2026-09-30'],
    ['qué hice el 17 de octubre de 2026', '2026-10-17'],
    ['vor zwei Monaten', '2026-09-01 to 2026-09-30'],
    ['what do I have tomorrow', '2026-11-27'],
    ['what happens on 8 December', '2025-12-08 or 2026-12-08'],
    ['what is on 10 November', '2026-11-10'],
  ])('"%s" is answered with nothing where the day has nothing', async (query, day) => {
    const { results, note } = await ask(query, { threshold: 0 });

    expect(results).toEqual([]);
    expect(note).toBe(`Nothing is remembered about ${day}`);
  });

  it.each([
    'what did I have for lunch yesterday',
    'did Bob call yesterday',
    'qué comí ayer con Bob',
    'was hat Bob gestern gegessen',
    'what happened between 2026-11-20 and 2026-11-22',
    'when did I fix bug 21',
    '29 February 2026',
  ])('"%s" asks for more', async (query) => {
    expect((await ask(query)).note).toBeUndefined();
  });

  it('lists what happened then by its own date, whenever it was said', async () => {
    const add = { user_id: 'cy', async_mode: false, timestamp: '2026-11-26T09:00:00Z' };
    const messages = [{ role: 'user', content: 'Yesterday I bought a red bike.' }];
    await engine.invoke('add_memory', { ...add, messages }, { caller: owner });
    const textsOf = async (query: string) => {
      const { results } = await ask(query, { user_id: 'cy' });
      return results.map(({ memory }) => memory);
    };

    expect(await textsOf('what did I do yesterday')).toEqual([expect.stringMatching('red bike')]);
    expect(await textsOf('what did I do today')).toEqual([]);
    expect(await textsOf('what did I tell you today')).toEqual([expect.stringMatching('red bike')]);
  });

  it.each(['markdown', 'plain', 'xml', 'json'])('says so in a context (%s)', async (template) => {
    const asked = { query: 'what did I do on 2026-10-17', user_id: 'ann', template };
    const { text } = await engine.invoke('get_context', asked, { caller: owner });

    expect(text).toContain('Nothing is remembered about 2026-10-17');
    expect(text).not.toContain('laps');
    if (template === 'json') expect(() => JSON.parse(text)).not.toThrow();
  });
});

describe('what expires on a day is there', () => {
  it.each([
    ['America/Los_Angeles', {}, '2026-03-15T06:59:00.000Z', true],
    ['America/Los_Angeles', {}, '2026-03-15T07:01:00.000Z', false],
    ['Asia/Shanghai', {}, '2026-03-14T15:59:00.000Z', true],
    ['Asia/Shanghai', {}, '2026-03-14T16:01:00.000Z', false],
    ['UTC', { timezone: 'America/Los_Angeles' }, '2026-03-15T06:59:00.000Z', true],
  ])('in %s, asked with %j at %s: %s', async (timezone, asked, now, isThere) => {
    const engine = await startEngine({ timezone });
    try {
      engine.clock.set('2026-03-14T09:00:00.000Z');
      const add = { text: 'Parking permit 12', user_id: 'ann', expiration_date: '2026-03-14' };
      await engine.invoke('add_memory', add, { caller: owner });
      engine.clock.set(now);
      const given = { user_id: 'ann', ...asked };
      const found = await engine.invoke('get_memories', given, { caller: owner });
      const query = 'parking permit';
      const { results } = await engine.invoke(
        'search_memories',
        { query, ...given },
        {
          caller: owner,
        },
      );

      expect([found.total, results.length]).toEqual(isThere ? [1, 1] : [0, 0]);
    } finally {
      await engine.stop();
    }
  });
});
