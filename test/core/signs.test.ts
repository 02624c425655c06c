import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { questionTermsOf } from '../../src/core/language/question-terms.ts';
import { englishQuery } from '../../src/core/language/resolve-languages.ts';
import { analyze } from '../../src/core/language/terms-of-text.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
});

afterEach(() => engine.stop());

/** What each question finds first among the memories. */
async function firstOf(memories: readonly string[], questions: readonly string[]) {
  for (const text of memories) {
    await engine.invoke('add_memory', { text, user_id: 'ann' }, { caller: owner });
    engine.clock.advance(1000);
  }
  const found: Record<string, string | undefined> = {};
  for (const query of questions) {
    const asked = { query, user_id: 'ann' };
    const { results } = await engine.invoke('search_memories', asked, { caller: owner });
    found[query] = results[0]?.memory;
  }
  return found;
}

describe('signs tell apart', () => {
  it('languages of programs', async () => {
    const [sharp, plain, plus, go] = ['Max writes C#', 'Ann writes C', 'Joe writes C++', 'Go: Kim'];

    const asked = ['who writes C', 'who writes c++?', 'who writes C++', 'who writes C#'];
    expect(await firstOf([sharp, plain, plus, go], asked)).toEqual({
      'who writes C': plain,
      'who writes c++?': plus,
      'who writes C++': plus,
      'who writes C#': sharp,
    });
  });

  it('names that begin with a full stop', async () => {
    const [net, fish, env] = ['Ann prefers .NET', 'The fishing net broke', 'Keys are in .env'];

    expect(await firstOf([net, fish, env], ['.NET', 'fishing net', 'where is .env'])).toEqual({
      '.NET': net,
      'fishing net': fish,
      'where is .env': env,
    });
  });

  it('letters that are words elsewhere', async () => {
    const memories = [
      'Takes vitamin K in spring',
      'Takes vitamin A in winter',
      'Plan E: sell',
      'Plan A: let',
    ];
    const [, a, sell, rent] = memories;

    const asked = ['vitamin A', 'what is vitamin a for', 'what is plan E', 'what is plan a'];
    expect(await firstOf(memories, asked)).toEqual({
      'vitamin A': a,
      'what is vitamin a for': a,
      'what is plan E': sell,
      'what is plan a': rent,
    });
  });

  it('blood types and marks', async () => {
    const memories = [
      'Her blood type is AB−',
      'His blood type is A+',
      'Their son has blood type A-',
    ];
    const [ab, plus, minus] = memories;

    const asked = ['blood type A+', 'blood type A-', 'blood type AB-'];
    expect(await firstOf(memories, asked)).toEqual({
      'blood type A+': plus,
      'blood type A-': minus,
      'blood type AB-': ab,
    });
  });

  it('numbers: below zero, of a version, of percent and of money', async () => {
    const memories = ['The bedroom has 18 degrees', 'The freezer has -18 degrees', 'It runs 1.2.0'];
    const others = [
      'Staging runs 1.2',
      'The discount is 5%',
      'The ticket is 5€',
      'It shows .5 more',
    ];
    const [above, below, patch] = memories;
    const [minor, percent, euro, half] = others;

    const asked = ['18 degrees', '-18 degrees', 'runs 1.2', 'runs 1.2.0', '5%', '€5', '.5'];
    expect(await firstOf([...memories, ...others], asked)).toEqual({
      '18 degrees': above,
      '-18 degrees': below,
      'runs 1.2': minor,
      'runs 1.2.0': patch,
      '5%': percent,
      '€5': euro,
      '.5': half,
    });
  });

  it('emoji and flags', async () => {
    const memories = [
      'The 🔴 bin goes out on Monday',
      'The 🔵 bin on Friday',
      'Moved to 🇳🇴',
      'Left 🇸🇪',
    ];
    const [red, blue, norway] = memories;

    expect(await firstOf(memories, ['when does the 🔴 bin go out', '🔵', '🇳🇴'])).toEqual({
      'when does the 🔴 bin go out': red,
      '🔵': blue,
      '🇳🇴': norway,
    });
  });
});

describe('the name of a part of a program', () => {
  it.each(['getUserById', 'get_user_by_id', 'get-user-by-id', 'get user by id'])(
    'is found however it is written: %s',
    async (written) => {
      const memory = `${written} is slow`;
      const asked = ['getUserById', 'get_user_by_id', 'get user by id'];

      const found = await firstOf([memory, 'orderByName is cached'], asked);
      expect(Object.values(found)).toEqual([memory, memory, memory]);
    },
  );

  it('is not the name of a product', () => {
    expect(analyze('JavaScript')).toEqual(['javascript']);
    expect(questionTermsOf('Java', englishQuery)).toEqual([['java']]);
  });
});

describe('one word in two spellings is found', () => {
  it.each([
    ['המורה שלי היא דינה', 'הַמּוֹרָה'],
    ['كتابي المفضل هو ألف ليلة', 'کتابی'],
    ['أذهب إلى المدرسة كل يوم', 'المدرسه'],
    ['اسم أخي مصطفى', 'مصطفي'],
    ['من می‌خواهم به تهران بروم', 'میخواهم'],
    ['میرا نام ہاشم ہے', 'هاشم'],
    ['Моє ім’я Олена', 'імʼя'],
    ['La col·lecció de segells', 'collecció'],
    ['朝はコーヒーを飲む', 'こーひー'],
    ['らーめんが好き', 'ラーメン'],
    ['वह रोज़ पढ़ती है', 'पढती'],
  ])('%s: %s', async (memory, query) => {
    expect(await firstOf([memory, 'Peter plays chess'], [query])).toEqual({ [query]: memory });
  });
});

describe('words that are written like function words', () => {
  it('are looked for: ill is no "I\'ll"', async () => {
    const memory = 'I was ill in the spring';

    expect(await firstOf([memory, 'Peter plays chess'], ['ill?'])).toEqual({ 'ill?': memory });
    expect(questionTermsOf("I'll ask if I'd", englishQuery)).toEqual([['ask']]);
  });
});

it('signs are read in a time that grows with the length of a text', () => {
  for (const text of [
    '1.',
    '.a',
    '-1 ',
    'c+',
    '$1.',
    'aB',
    'a_',
    'A ',
    '🍕',
    'a- ',
    '5 ',
    'ab A ',
  ]) {
    const long = text.repeat(100_000 / text.length);
    const started = performance.now();
    analyze(long);
    questionTermsOf(long, englishQuery);
    expect(performance.now() - started).toBeLessThan(2000);
  }
});
