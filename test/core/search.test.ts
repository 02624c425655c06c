import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

type Input = Record<string, unknown>;

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
});

afterEach(() => engine.stop());

async function remember(content: string, input: Input = {}): Promise<void> {
  const { role = 'user', name, ...rest } = input;
  const messages = [{ role, content, ...(name !== undefined && { name }) }];
  const add = { messages, infer: false, async_mode: false, user_id: 'ann', ...rest };
  await engine.invoke('add_memory', add, { caller: owner });
}

async function search(query: string, input: Input = {}) {
  const asked = { query, user_id: 'ann', threshold: 0, ...input };
  const { results } = await engine.invoke('search_memories', asked, { caller: owner });
  return results;
}

async function recall(query: string, input: Input = {}) {
  return (await search(query, input)).map(({ memory }) => memory);
}

function unixTime(day: string): number {
  return Date.parse(day) / 1000;
}

describe('words', () => {
  it('match in each of their forms, irregular ones too', async () => {
    await remember('We went to the mice exhibition');
    await remember('Nothing of interest');

    expect(await recall('go mouse exhibit')).toEqual(['We went to the mice exhibition']);
  });

  it('that few memories hold count more than those that many hold', async () => {
    for (const day of ['Monday', 'Tuesday', 'Friday']) await remember(`The piano lesson is ${day}`);
    await remember('The oboe is broken');

    expect((await recall('piano oboe'))[0]).toBe('The oboe is broken');
  });

  it('that stand together in the question count more where they stand together', async () => {
    await remember('A green house, and tea without sugar');
    await remember('A house, sugar without green tea');

    expect((await recall('green tea'))[0]).toBe('A house, sugar without green tea');
  });

  it('of a long text do not win by their number', async () => {
    const long = `${'We talked about this and that and the weather. '.repeat(60)} A dog was seen.`;
    await remember(long);
    await remember('My dog is called Rex');

    expect(await recall('dog')).toEqual(['My dog is called Rex', long]);
  });

  it('of a whole message count only where they are rare', async () => {
    const rare = 'oboe tractor lantern walrus pickle turban zebra glacier violin canoe'.split(' ');
    const common = 'monday coffee kitchen table window garden'.split(' ');
    for (const word of rare) await remember(`A ${word}`);
    for (let day = 1; day <= 3; day += 1) await remember(`${common.join(' ')} ${day}`);
    const message = rare.flatMap((word, index) => [word, common[index] ?? '']).join(' ');

    const found = await recall(message, { keyword_search: true, top_k: 20 });

    expect(found).toHaveLength(10);
    expect(found).toContain('A walrus');
    expect(await recall('monday coffee', { keyword_search: true })).toHaveLength(3);
  });
});

describe('who said it', () => {
  it('is found by name', async () => {
    await remember('I adopted a cat', { name: 'Caroline' });
    await remember('I adopted a cat as well', { name: 'Melanie' });

    expect((await recall('What did Melanie adopt?'))[0]).toBe('I adopted a cat as well');
    expect((await recall('What did Caroline adopt?'))[0]).toBe('I adopted a cat');
  });

  it('is the user, unless the question asks what the assistant said', async () => {
    await remember('The Thai restaurant by the lake', { role: 'user' });
    await remember('The Thai restaurant by the river', { role: 'assistant' });

    expect((await recall('Which Thai restaurant?'))[0]).toContain('lake');
    expect((await recall('Which Thai restaurant did you recommend?'))[0]).toContain('river');
  });
});

describe('context', () => {
  it('lends words to what was said beside it in the same run', async () => {
    await remember('How often do you go running?', { run_id: 'r1' });
    await remember('Three times a week!', { run_id: 'r1' });
    await remember('Four times a week!', { run_id: 'r2' });

    const found = await recall('How often is running?');

    expect(found).toContain('Three times a week!');
    expect(found).not.toContain('Four times a week!');
  });

  it('lends most to what somebody answers', async () => {
    await remember('You go running.', { run_id: 'r1', name: 'Ada' });
    await remember('Three times a week!', { run_id: 'r1', name: 'Ben' });
    await remember('You go running?', { run_id: 'r2', name: 'Ada' });
    await remember('Three times a week!', { run_id: 'r2', name: 'Ben' });

    const found = await search('running');

    const answers = found.filter(({ memory }) => memory === 'Three times a week!');
    expect(answers.map(({ run_id }) => run_id)).toEqual(['r2', 'r1']);
    expect(answers[0]?.score).toBeGreaterThan(answers[1]?.score ?? 1);
  });

  it('ends where the filter ends', async () => {
    await remember('How often do you go running?', { run_id: 'r1' });
    await remember('Three times a week!', { run_id: 'r1', user_id: 'bob' });
    await remember('Never on Sunday', { run_id: 'r1', expiration_date: '2026-03-01' });

    expect(await recall('running')).toEqual(['How often do you go running?']);
  });

  it('does not join those who have no run', async () => {
    await remember('How often do you go running?');
    await remember('Three times a week!');

    expect(await recall('running')).toEqual(['How often do you go running?']);
  });
});

describe('dates', () => {
  it('of the question find what was said then, also in other words', async () => {
    await remember('Bought a tent', { timestamp: unixTime('2026-03-04') });
    await remember('Bought a boat', { timestamp: unixTime('2025-07-01') });

    expect(await recall('What did I buy last week?', { reference_date: '2026-03-12' })).toEqual([
      'Bought a tent',
      'Bought a boat',
    ]);
    expect(await recall('anything new in July 2025')).toEqual(['Bought a boat']);
  });

  it('are counted from reference_date where it is given', async () => {
    await remember('Bought a tent', { timestamp: unixTime('2026-03-04') });

    expect(await recall('yesterday', { reference_date: '2026-03-05' })).toEqual(['Bought a tent']);
    expect(await recall('yesterday', { reference_date: '2026-03-06' })).toEqual([]);
  });

  it('come with each hit', async () => {
    await remember('Bought a tent', { timestamp: unixTime('2026-03-04') });

    const [hit] = await search('tent');

    expect(hit?.created_at).toBe('2026-03-04T00:00:00.000Z');
  });

  it('find what happens then, whenever it was said', async () => {
    const timestamp = unixTime('2026-03-10');
    await remember('My sister marries on 7 June 2026.', { infer: true, timestamp });
    await remember('I ran the Boston marathon last week.', { infer: true, timestamp });
    await remember('I planted an apple tree in 2019.', { infer: true, timestamp });
    await remember('Somebody else has a dentist appointment on 8 June 2026.', {
      infer: true,
      timestamp,
      user_id: 'bob',
    });
    const asked = { reference_date: '2026-03-12' };

    expect(await recall('anything in June', asked)).toEqual([
      "User's sister marries on 7 June 2026.",
    ]);
    expect((await recall('what happened last week', asked))[0]).toContain('Boston marathon');
    expect(await recall('what happened in 2019', asked)).toEqual([
      expect.stringContaining('apple tree'),
    ]);
    expect(await recall('anything in July', asked)).toEqual([]);
  });

  it('prefer the exact day of an event to the year of another', async () => {
    const timestamp = unixTime('2026-03-10');
    await remember('I painted the kitchen in 2024.', { infer: true, timestamp });
    await remember('I painted the garage on 3 May 2024.', { infer: true, timestamp });

    const [first, second] = await search('what did I paint in May 2024');

    expect(first?.memory).toContain('garage');
    expect(first?.occurred_at).toBe('2024-05-03T00:00:00.000Z');
    expect(first?.score_breakdown?.temporal).toBeGreaterThan(
      second?.score_breakdown?.temporal ?? 1,
    );
  });

  it('find what is there among years of others', async () => {
    for (let month = 1; month <= 12; month += 1) {
      const day = `2024-${String(month).padStart(2, '0')}-15`;
      await remember(`Paid rent number ${month}`, { timestamp: unixTime(day) });
    }

    expect((await recall('rent in May'))[0]).toBe('Paid rent number 5');
  });
});

describe('how it is put', () => {
  it('counts: "when" is answered by a word of time', async () => {
    await remember('The dentist is kind');
    await remember('The dentist is tomorrow');

    expect((await recall('When is the dentist?'))[0]).toBe('The dentist is tomorrow');
  });
});

describe('the score', () => {
  it('is 1 for a memory that holds every word of the question', async () => {
    await remember('Violin lessons cost ninety euros');
    await remember('Something else entirely, and of usual length');

    const [hit] = await search('violin lessons cost');

    expect(hit?.score).toBeGreaterThan(0.9);
    expect(hit?.score).toBeLessThanOrEqual(1);
  });

  it('means the same in a small store and in a large one', async () => {
    await remember('Violin lessons cost ninety euros');
    const [small] = await search('violin shop');
    for (let index = 0; index < 60; index += 1) await remember(`Note ${index} of other things`);
    const [large] = await search('violin shop');

    expect(Math.abs((small?.score ?? 0) - (large?.score ?? 0))).toBeLessThan(0.15);
  });

  it('is under the usual threshold where hardly a word of the question is there', async () => {
    for (let index = 0; index < 30; index += 1) await remember(`Meeting number ${index}`);

    const query = 'Which meeting dealt with the warranty of the espresso machine in Turin?';

    expect(await recall(query, { threshold: 0.3 })).toEqual([]);
    expect(await recall('meeting', { threshold: 0.3 })).not.toEqual([]);
  });

  it('is told apart into words, who said it, and when', async () => {
    const said = { name: 'Melanie', timestamp: unixTime('2026-03-13') };
    await remember('I adopted a cat', said);

    const [hit] = await search('What did Melanie adopt yesterday?');
    const { semantic = -1, keyword = 0, entity = 0, temporal = 0 } = hit?.score_breakdown ?? {};

    expect(semantic).toBe(0);
    expect(Math.min(keyword, entity, temporal)).toBeGreaterThan(0);
    expect(keyword + entity + temporal).toBeCloseTo(hit?.score ?? 0, 3);
  });

  it('is told apart only where fields name that, once they are named', async () => {
    await remember('I adopted a cat');

    const [plain] = await search('cat', { fields: ['memory'] });
    const [broken] = await search('cat', { fields: ['score_breakdown'] });

    expect(plain).not.toHaveProperty('score_breakdown');
    expect(broken).toHaveProperty('score_breakdown.keyword');
    expect(broken).not.toHaveProperty('memory');
  });
});

describe('options', () => {
  it('keyword_search answers only what holds a word of the query itself', async () => {
    await remember('How often do you go running?', { run_id: 'r1' });
    await remember('Three times a week!', { run_id: 'r1' });
    await remember('Bought a tent', { timestamp: unixTime('2026-03-13') });

    const found = await recall('running yesterday', { keyword_search: true });

    expect(found).toEqual(['How often do you go running?']);
    expect(await recall('running yesterday')).toHaveLength(3);
  });

  it('filter_memories leaves out what is less than half as good as the best', async () => {
    await remember('The violin lesson in Porto costs ninety euros');
    for (let index = 0; index < 9; index += 1) await remember(`Train ${index} to Porto`);
    for (const other of ['Tea at noon', 'A red bike', 'Snow in May']) await remember(other);

    const query = 'violin lesson Porto euros';

    expect(await recall(query)).toHaveLength(10);
    expect(await recall(query, { filter_memories: true })).toHaveLength(1);
  });

  it('rerank reads further down the list', async () => {
    const owls = 'owl owl owl owl';
    for (let index = 0; index < 230; index += 1) await remember(`${owls} number ${index}`);
    for (let index = 0; index < 40; index += 1)
      await remember(`A long walk, and one owl, ${index}`);

    expect(await recall('owl', { top_k: 260 })).toHaveLength(260);
    expect(await recall('owl', { rerank: true, top_k: 3 })).toHaveLength(3);
    expect((await recall('owl', { rerank: true, top_k: 1000 })).length).toBe(270);
  });
});

describe('a filtered search', () => {
  it('is never short of what matches, however many others are likelier', async () => {
    for (let index = 0; index < 250; index += 1) await remember(`tea tea tea ${index}`);
    const rare = { metadata: { kind: 'rare' } };
    for (let index = 0; index < 5; index += 1) {
      await remember(`Once a year there is tea from far away, ${index}`, rare);
    }

    expect(await recall('tea', { metadata: { kind: 'rare' } })).toHaveLength(5);
  });
});

describe('text of all kinds', () => {
  it.each([
    ['八月的北京很热', '北京 热', 'Chinese'],
    ['東京タワーに登りました', '東京タワー', 'Japanese'],
    ['한국어를 공부합니다', '한국어', 'Korean'],
    ['أحب القهوة مع الحليب', 'القهوة', 'Arabic'],
    ['Ich wohne in München', 'München', 'German'],
    ['Я живу в Санкт-Петербурге', 'живу', 'Russian'],
    ['ฉันชอบกินข้าว', 'ข้าว', 'Thai'],
  ])('is found: %s by %s (%s)', async (memory, query) => {
    await remember(memory);
    await remember('Something else');

    expect(await recall(query)).toEqual([memory]);
  });

  it.each([
    ['8,000 characters of words', 'word '.repeat(1600).trim()],
    ['many different words', Array.from({ length: 300 }, (_, n) => `w${n}`).join(' ')],
  ])('is read or refused in a sentence: %s', async (_, query) => {
    await remember('a word of many');

    const answer = await search(query).catch((error: Error) => error.message);

    if (typeof answer === 'string') expect(answer).toContain('query');
    else expect(answer.length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['only stop words', 'what is it that you are'],
    ['only punctuation', '?!.,;:()[]{}"\'`~@#$%^&*'],
    ['operators of the index', 'tea* OR NEAR(a b, 3) AND NOT "x" ^scope : {p1}'],
    ['emoji', '🍵🎻👩‍👩‍👧'],
    ['a lone surrogate', 'tea \uD800 \uDC00'],
    ['control characters', 'tea \u0001\u0002'],
    ['patterns', '.*+?^{}$()|[]\\ (a+)+$ \\b\\d{4}'],
    ['names of properties', '__proto__ constructor toString hasOwnProperty'],
    ['numbers beyond all', '99999999999999999999 days ago, 2026-99-99, 0000-00-00'],
  ])('does no harm as a query: %s', async (_, query) => {
    await remember('Alice drinks tea');
    await remember('constructor of bridges');

    const found = await search(query);

    for (const { score } of found) expect(score).toBeGreaterThanOrEqual(0);
    expect(await recall('tea')).toEqual(['Alice drinks tea']);
  });

  it('does no harm as a name, a run or a role', async () => {
    await remember('tea', { name: '(.*)', run_id: '__proto__' });
    await remember('more tea', { name: 'constructor', run_id: '__proto__' });

    expect((await recall('(.*) constructor __proto__ tea')).length).toBe(2);
  });
});
