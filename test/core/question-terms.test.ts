import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { otherSpellings } from '../../src/core/language/british-american.ts';
import { questionTermsOf } from '../../src/core/language/question-terms.ts';
import { englishQuery, resolveQueryLanguages } from '../../src/core/language/resolve-languages.ts';
import { analyze } from '../../src/core/language/terms-of-text.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
});

afterEach(() => engine.stop());

async function remember(...texts: string[]): Promise<void> {
  for (const text of texts) {
    await engine.invoke('add_memory', { text, user_id: 'ann' }, { caller: owner });
    engine.clock.advance(1000);
  }
}

async function search(query: string, input: Record<string, unknown> = {}) {
  const asked = { query, user_id: 'ann', ...input };
  const { results } = await engine.invoke('search_memories', asked, { caller: owner });
  return results;
}

async function recall(query: string, input: Record<string, unknown> = {}) {
  return (await search(query, input)).map(({ memory }) => memory);
}

describe('a letter that names one of several things', () => {
  it.each([
    ['What is plan A?', true],
    ['Who was in World War I?', true],
    ['Which options I can use?', false],
    ['Where do you think I should work?', false],
  ])('%s', (query, isLabel) => {
    const phrases = questionTermsOf(query, englishQuery).flat();

    expect(phrases.some((form) => / [a-z]$/.test(form))).toBe(isLabel);
  });
});

describe('a form of two words', () => {
  it.each([
    ['Where does she live?', 'User lives in Rome', 'Bought a life insurance'],
    ['nine life', 'A cat has nine lives', 'User stays in Rome'],
    ['Who founded the club?', 'Ann found a club with friends', 'Peter plays chess'],
    ['finding keys', 'Keys were found', 'Peter plays chess'],
    ['saws', 'A saw hangs in the shed', 'Peter plays chess'],
    ['Who did she see?', 'Ann saw Peter', 'Peter plays chess'],
    ['autumn leaf', 'Maple leaves', 'Peter plays chess'],
  ])('is found by both: %s', async (query, memory, other) => {
    await remember(memory, other);

    expect(await recall(query)).toEqual([memory]);
  });
});

describe('the user', () => {
  it('is not what a question is about that has another word', async () => {
    await remember('User drives a bus', 'Prefers tea');

    expect(await recall('What does the user prefer?')).toEqual(['Prefers tea']);
    expect(await recall("What is the user's tea?")).toEqual(['Prefers tea']);
  });

  it('is looked for where nothing else is asked for', async () => {
    await remember('User drives a bus', 'Prefers tea');

    expect(await recall('user')).toEqual(['User drives a bus']);
  });
});

describe('British and American spellings', () => {
  it.each([
    'colour color',
    'favourite favorite',
    'neighbourhoods neighborhoods',
    'behavioural behavioral',
    'organise organize',
    'realisation realization',
    'analysed analyzed',
    'centre center',
    'fibres fibers',
    'travelling traveling',
    'licence license',
    'defence defense',
    'practise practice',
    'grey gray',
    'tyres tires',
    'catalogue catalog',
    'programme program',
    'jewellery jewelry',
    'pyjamas pajamas',
    'mum mom',
    'marvellous marvelous',
    'skilful skillful',
    'judgement judgment',
    'moustache mustache',
    'paediatrician pediatrician',
    'leukaemia leukemia',
    'learnt learned',
  ])('find each other: %s', (pair) => {
    const [british = '', american = ''] = pair.split(' ');

    expect(questionTermsOf(british, englishQuery).flat()).toEqual(
      expect.arrayContaining(analyze(american)),
    );
    expect(questionTermsOf(american, englishQuery).flat()).toEqual(
      expect.arrayContaining(analyze(british)),
    );
  });

  it.each(['four', 'your', 'for', 'wise', 'size', 'sense', 'tea', 'x', 'fence', 'blog'])(
    'are not seen in %s',
    (word) => {
      expect(otherSpellings(word)).toEqual([]);
    },
  );

  it('are left to words that are in English', async () => {
    await remember('User loves the color green');

    expect(await recall('Which colour is best?')).toEqual(['User loves the color green']);
    const german = { ...englishQuery, sure: ['german'] as const };
    expect(questionTermsOf('colour', german)).toEqual([['colour']]);
  });
});

describe('what is written as one or in parts', () => {
  it('is not what belongs to somebody and what follows', async () => {
    const turkish = await resolveQueryLanguages("damages to John's car", ['turkish']);

    const terms = questionTermsOf("damages to John's car", turkish);

    expect(terms.filter((forms) => forms.includes('john'))).toEqual([['john']]);
  });

  it.each([
    ['Wi-Fi', 'wifi'],
    ['Wi-Fi', 'wi fi'],
    ['3pm', '3 pm'],
    ['3pm', '3 p.m.'],
    ['node.js', 'nodejs'],
    ['e-mail', 'email'],
    ['covid-19', 'covid19'],
    ['+1 (555) 010-9999', '5550109999'],
    ['+1 (555) 010-9999', '555-010-9999'],
    ['+44 20 7946 0958', '020 7946 0958'],
    ['010-9999', '0109999'],
  ])('is found in the other way: %s and %s', async (one, other) => {
    await remember(`Note that ${one} matters`, 'Peter plays chess');
    expect(await recall(other)).toEqual([`Note that ${one} matters`]);

    await remember(`Remark that ${other} counts`);
    expect((await recall(one)).toSorted()).toEqual([
      `Note that ${one} matters`,
      `Remark that ${other} counts`,
    ]);
  });

  it('leaves dates, ordinals and numbers as they are', () => {
    expect(analyze('2024-05-12')).toEqual(['2024', '05', '12']);
    expect(analyze('3.5')).toEqual(['3', '5', '3⊙5']);
    expect(questionTermsOf('10th', englishQuery)).toEqual([['10th']]);
  });

  it('is read in a time that grows with the length of a text', () => {
    for (const text of ['x', '-', '1', 'a-', '1-', '(1 ', 'a.', '. ']) {
      const started = performance.now();
      analyze(text.repeat(100_000 / text.length));
      questionTermsOf(text.repeat(8000 / text.length), englishQuery);
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });
});

describe('a question without a word for what it is about', () => {
  it.each([
    'What do you know about me?',
    'Tell me about myself',
    'What do you remember about the user?',
    'everything',
    '*',
    'Who am I?',
    'Кто я?',
    'Was weißt du über mich?',
    'Que sais-tu de moi ?',
    '¿Qué sabes de mí?',
  ])('is answered by the newest memories: %s', async (query) => {
    await remember('Likes tea', 'Knows Python', 'Owns a boat');

    const found = await search(query, { top_k: 2, threshold: 0.3 });

    expect(found).toMatchObject([
      { memory: 'Owns a boat', score: 0.3, score_breakdown: { keyword: 0.3, semantic: 0 } },
      { memory: 'Knows Python', score: 0.3 },
    ]);
    expect(await recall(query, { keyword_search: true })).toHaveLength(3);
  });

  it('is answered from the selection only', async () => {
    await remember('Likes tea');

    expect(await recall('everything', { user_id: 'bob' })).toEqual([]);
  });

  it('is not one that names somebody, or that has another word', async () => {
    await remember('Will plays the flute', 'Likes tea');

    expect(await recall('Who is Will?')).toEqual(['Will plays the flute']);
    expect(await recall('Weiss')).toEqual([]);
    expect(await recall('What do you know about tea?')).toEqual(['Likes tea']);
    expect(await recall('What do you know about boats?')).toEqual([]);
  });
});

describe('a question for all that is known', () => {
  it.each([
    'all memories',
    'Show my memories',
    'show everything',
    'List all facts',
    'memories',
    'Alle Erinnerungen',
    'Zeige alle Erinnerungen',
    'Tous les souvenirs',
    'Montre-moi tout',
    'Todos los recuerdos',
    'Muéstrame todo',
    'Cosa sai di me?',
    'Mostrami tutto',
    'Todas as memórias',
    'O que você sabe sobre mim?',
    'Все воспоминания',
    'Покажи всё',
    'Что ты знаешь обо мне?',
    '你知道我什么',
    '所有记忆',
    'すべての記憶',
    '全部見せて',
  ])('is answered with the newest memories: %s', async (query) => {
    await remember('Prefers tea', 'Drives a bus');

    expect(await recall(query)).toEqual(['Drives a bus', 'Prefers tea']);
  });

  it('is none where a word says what about', async () => {
    await remember('Prefers tea', 'Has a good memory for faces');

    expect((await recall('Show all memories of tea'))[0]).toBe('Prefers tea');
    expect(await recall('good memory')).toEqual(['Has a good memory for faces']);
    expect(await recall('Show me the garden')).toEqual([]);
  });
});

describe('a question for the name of the user', () => {
  it.each([
    'What is my name?',
    "what's my name",
    'What am I called?',
    'Wie heiße ich?',
    'Was ist mein Name?',
    "Comment je m'appelle ?",
    'Quel est mon nom ?',
    '¿Cómo me llamo?',
    '¿Cuál es mi nombre?',
    'Come mi chiamo?',
    'Qual è il mio nome?',
    'Como me chamo?',
    'Qual é o meu nome?',
    'Как меня зовут?',
    'Какое моё имя?',
    '我叫什么名字',
    '私の名前は？',
  ])('needs no word of the answer: %s', async (query) => {
    await remember('User is Ann.');

    expect(await recall(query)).toEqual(['User is Ann.']);
  });

  it('finds the memory with that word first', async () => {
    await remember("User's name is Ann.", 'Prefers tea');

    expect(await recall('What is my name?')).toEqual(["User's name is Ann."]);
  });

  it('is not one for another name', async () => {
    await remember('User is Ann.');

    expect(await recall("What is my dog's name?")).toEqual([]);
  });
});
