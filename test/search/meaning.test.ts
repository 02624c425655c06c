import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMemory, type EmbeddedMemory, type MemoryOptions } from '../../src/index.ts';
import { type AskedEngine, askParaphrases, hitRate, isEnglish } from './paraphrase.ts';

function makeFolder(): string {
  const data_dir = mkdtempSync(join(tmpdir(), 'mneme-meaning-'));
  onTestFinished(() => rmSync(data_dir, { recursive: true, force: true }));
  return data_dir;
}

function open(options: MemoryOptions = {}): EmbeddedMemory {
  const memory = createMemory({ data_dir: makeFolder(), ...options });
  onTestFinished(() => memory.close());
  return memory;
}

function engineOf(memory: EmbeddedMemory): AskedEngine {
  return {
    add: async (input) => {
      const { results = [] } = await memory.addMemory(input);
      return results.map(({ id }) => id ?? '');
    },
    search: async (input) => ({ hits: (await memory.searchMemories(input)).results }),
  };
}

describe('a search without a configured model', () => {
  it('understands a turn by what is said beside it', async () => {
    const memory = open();
    const say = (content: string, run_id: string) =>
      memory.addMemory({
        messages: [{ role: 'user', content }],
        infer: false,
        async_mode: false,
        user_id: 'ada',
        run_id,
      });
    await say('I train taekwondo on Tuesdays', 'r1');
    await say('It was lovely', 'r1');
    await say('The plumber comes at nine', 'r2');
    await say('It was lovely', 'r2');

    const { results } = await memory.searchMemories({
      query: 'any martial arts?',
      user_id: 'ada',
      threshold: 0,
    });

    const turns = results.filter(({ memory: text }) => text === 'It was lovely');
    expect(turns[0]).toMatchObject({ run_id: 'r1' });
    expect(turns[0]?.score).toBeGreaterThan(turns[1]?.score ?? 0);
  });

  it('finds what was said in other words, at once', async () => {
    const memory = open();
    await memory.addMemory({ text: 'Our beagle Otis turned four', user_id: 'ada' });
    await memory.addMemory({ text: 'The car needs new tyres', user_id: 'ada' });
    await memory.addMemory({ text: 'I train taekwondo on Tuesdays', user_id: 'ada' });

    const { results } = await memory.searchMemories({ query: 'any martial arts?', user_id: 'ada' });

    expect(results[0]).toMatchObject({ memory: 'I train taekwondo on Tuesdays' });
    expect(results[0]?.score_breakdown?.semantic).toBeGreaterThan(0);
  });

  it('finds a new text by its meaning, and the old one no more', async () => {
    const memory = open();
    const { results } = await memory.addMemory({ text: 'I train taekwondo', user_id: 'ada' });
    const memory_id = results?.[0]?.id ?? '';
    await memory.updateMemory({ memory_id, text: 'I play the violin' });
    const ask = async (query: string) =>
      (await memory.searchMemories({ query, user_id: 'ada' })).results.length;

    expect(await ask('which musical instrument?')).toBe(1);
    expect(await ask('any martial arts?')).toBe(0);
  });

  it('never finds what belongs to somebody else', async () => {
    const memory = open();
    await memory.addMemory({ text: 'I train taekwondo', user_id: 'bob' });

    const { results } = await memory.searchMemories({ query: 'martial arts', user_id: 'ada' });

    expect(results).toEqual([]);
  });

  it('matches words only with keyword_search, and with static_embedder off', async () => {
    for (const [options, asked] of [
      [{}, { keyword_search: true }],
      [{ static_embedder: false }, {}],
    ] as const) {
      const memory = open(options);
      await memory.addMemory({ text: 'I train taekwondo', user_id: 'ada' });
      const find = async (query: string) =>
        (await memory.searchMemories({ query, user_id: 'ada', ...asked })).results.length;

      expect(await find('any martial arts?')).toBe(0);
      expect(await find('taekwondo')).toBe(1);
    }
  });

  it('finds memories in another language, and questions in one find those in another', async () => {
    const memory = open();
    for (const text of [
      'Otis, unser Dackel, ist vier Jahre alt',
      'Das Auto braucht neue Reifen',
      'Mi hermana trabaja como enfermera',
      'Я играю на скрипке',
      '毎週火曜日に空手を習っています',
    ])
      await memory.addMemory({ text, user_id: 'ada' });
    const ask = async (query: string) =>
      (await memory.searchMemories({ query, user_id: 'ada', threshold: 0 })).results[0]?.memory;

    expect(await ask('Welche Haustiere haben wir?')).toContain('Dackel');
    expect(await ask('What pets do we have?')).toContain('Dackel');
    expect(await ask('¿Quién de la familia tiene una profesión sanitaria?')).toContain('enfermera');
    expect(await ask('Какой музыкальный инструмент?')).toContain('скрипке');
    expect(await ask('Which martial art do I practise?')).toContain('空手');
  });

  it('scores a question in a language that the tables do not know by its words alone', async () => {
    const options = [{}, { static_embedder: false }];
    const [on = [], off = []] = await Promise.all(
      options.map(async (given) => {
        const memory = open(given);
        for (const text of ['Mijn zus woont in Leiden', 'Ik kan niet tegen hazelnoten'])
          await memory.addMemory({ text, user_id: 'ada' });
        const query = 'In welke stad woont mijn zus?';
        return (await memory.searchMemories({ query, user_id: 'ada' })).results;
      }),
    );

    expect(on.map(({ score }) => score)).toEqual(off.map(({ score }) => score));
    expect(on[0]).toMatchObject({ memory: 'Mijn zus woont in Leiden' });
  });

  it('reads a store that was filled without the table, as soon as it is embedded', async () => {
    const data_dir = makeFolder();
    const before = createMemory({ data_dir, static_embedder: false });
    await before.addMemory({ text: 'I train taekwondo', user_id: 'ada' });
    await before.close();

    const memory = open({ data_dir });

    await expect
      .poll(
        async () =>
          (await memory.searchMemories({ query: 'martial arts?', user_id: 'ada' })).results.length,
        { timeout: 20_000 },
      )
      .toBe(1);
  });
});

describe('the development set of questions in other words', () => {
  it('is answered as well as when it was last measured', async () => {
    const outcomes = await askParaphrases(engineOf(open()), 'development');
    const english = outcomes.filter(isEnglish);
    const rate = (kind: string, within: number) => hitRate(english, { kind, within });

    // Measured: 35, 64 and 100 (test/bench/README.md).
    expect(rate('other-words', 1)).toBeGreaterThanOrEqual(32);
    expect(rate('other-words', 5)).toBeGreaterThanOrEqual(60);
    expect(rate('same-words', 5)).toBeGreaterThanOrEqual(97);

    // 13 and 5 questions in each other language, of which words alone answer none and all.
    for (const [language, otherWords] of Object.entries(measured)) {
      const asked = outcomes.filter(({ scope }) => scope === language);
      const within = hitRate(asked, { kind: 'other-words', within: 5 });
      expect(within, language).toBeGreaterThanOrEqual(otherWords - 8);
      expect(hitRate(asked, { kind: 'same-words', within: 1 }), language).toBe(100);
    }
    // Measured: 96 and 86 (docs/search.md).
    const own = english.filter(({ kind }) => kind !== 'foreign');
    const passing = own.filter(({ hits }) => (hits[0]?.score ?? 0) >= 0.3);
    expect(passing.length / own.length).toBeGreaterThanOrEqual(0.95);
    const sure = english.flatMap(({ hits }) => hits.filter(({ score }) => score >= 0.9));
    const right = sure.filter(({ isRight }) => isRight);
    expect(right.length / sure.length).toBeGreaterThanOrEqual(0.8);
  }, 60_000);
});

/** Percent of the questions in other words with their answer among the first five. */
const measured = { de: 69, es: 54, fr: 69, it: 31, ja: 77, pt: 54, ru: 77, zh: 69 };
