import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createRuleExtractor } from '../../src/core/extraction/rule-extractor.ts';
import { createDateReader } from '../../src/providers/dates/date-reader.ts';

const rules = createRuleExtractor({ dates: createDateReader() });

/** Since when and until when what somebody tells is true. */
async function validity(content: string, said_at = '2026-07-15T09:26:53.000Z'): Promise<string> {
  const settings = { includes: null, excludes: null, instructions: null, categories: null };
  const messages = [{ role: 'user', content }];
  const conversation = { messages, known: [], now: said_at, said_at, settings, graph: false };
  const { decisions } = await rules.extract(conversation, new AbortController().signal);
  const found = decisions.map(({ validity: of }) => of).find((one) => one !== undefined);
  const day = (instant: string | null | undefined) => instant?.slice(0, 10) ?? '…';
  return `${day(found?.valid_from)} to ${day(found?.valid_until)}`;
}

type Sentence = { said: string; text: string; from: string | null; until: string | null };

it.each([
  ['I have been vegan since March.', '2026-03-01 to …'],
  ["I've lived in Rome since 2020.", '2020-01-01 to …'],
  ['Until 2023 I worked at Acme.', '… to 2023-01-01'],
  ['I worked at Acme until March 2024.', '… to 2024-03-01'],
  ['My sister is staying with us until Friday.', '… to 2026-07-18'],
  ['From 2019 to 2021 I lived in Oslo.', '2019-01-01 to 2022-01-01'],
  ['I lived in Oslo between 2019 and 2021.', '2019-01-01 to 2022-01-01'],
  ['I worked as a nurse in Oslo 2019-2021.', '2019-01-01 to 2022-01-01'],
  ['As of next Monday I work at Acme.', '2026-07-20 to …'],
  ['I am on parental leave until the end of September.', '… to 2026-10-01'],
  ['Bis 2023 habe ich bei Acme gearbeitet.', '… to 2023-01-01'],
  ['Ich wohne seit März 2021 in Köln.', '2021-03-01 to …'],
  ['Von 2019 bis 2021 habe ich in Oslo gewohnt.', '2019-01-01 to 2022-01-01'],
  ["J'habite à Lyon depuis mars 2022.", '2022-03-01 to …'],
  ["J'ai travaillé chez Acme jusqu'en 2023.", '… to 2023-01-01'],
  ['Vivo en Madrid desde 2020.', '2020-01-01 to …'],
  ['Trabajé en Acme hasta 2023.', '… to 2023-01-01'],
  ['Vivo a Torino dal 2020.', '2020-01-01 to …'],
  ['Ho lavorato alla Acme fino al 2023.', '… to 2023-01-01'],
  ['Moro em Lisboa desde 2020.', '2020-01-01 to …'],
  ['Trabalhei na Acme até 2023.', '… to 2023-01-01'],
  ['Я живу в Казани с 2020 года.', '2020-01-01 to …'],
  ['Я работал в Яндексе до 2023 года.', '… to 2023-01-01'],
  ['2020年から京都に住んでいます。', '2020-01-01 to …'],
  ['2019年から2021年まで大阪で働いていました。', '2019-01-01 to 2022-01-01'],
  ['我从2020年开始住在上海。', '2020-01-01 to …'],
  ['2019年到2021年我在北京工作。', '2019-01-01 to 2022-01-01'],
])('%s is true %s', async (content, expected) => {
  expect(await validity(content)).toBe(expected);
});

it.each([
  'I work from Monday to Friday.',
  'The office is open from 9am until 5pm.',
  'I live in Rome since I love the food.',
  'I flew from Paris to Rome in May 2024.',
  'I can spend from 2000 to 2500 euros on a bike.',
  'I went to Lisbon in 2023.',
])('%s does not say when something is true', async (content) => {
  expect(await validity(content)).toBe('… to …');
});

it('half of what others wrote is read, and hardly any of it wrongly', async () => {
  const lines = readFileSync('test/extraction/validity/acceptance.jsonl', 'utf8').trim();
  const counts = { right: 0, wrong: 0, unheard: 0, silent: 0 };
  for (const line of lines.split('\n')) {
    const { said, text, from, until }: Sentence = JSON.parse(line);
    const wanted = `${from ?? '…'} to ${until ?? '…'}`;
    const found = await validity(text, `${said}T12:00:00.000Z`);
    if (found === wanted) counts[wanted === '… to …' ? 'silent' : 'right'] += 1;
    else counts[found === '… to …' ? 'unheard' : 'wrong'] += 1;
  }

  expect(counts.right).toBeGreaterThanOrEqual(51);
  expect(counts.wrong).toBeLessThanOrEqual(7);
  expect(counts.silent).toBeGreaterThanOrEqual(47);
});
