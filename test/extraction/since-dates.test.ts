import { expect, it } from 'vitest';
import { createRuleExtractor } from '../../src/core/extraction/rule-extractor.ts';
import { createDateReader } from '../../src/providers/dates/date-reader.ts';

const rules = createRuleExtractor({ dates: createDateReader() });
const said_at = '2026-11-22T09:26:53.000Z';

/** What kind of thing somebody tells, and on which day it is. */
async function understood(content: string): Promise<string> {
  const settings = { includes: null, excludes: null, instructions: null, categories: null };
  const messages = [{ role: 'user', content }];
  const conversation = { messages, known: [], now: said_at, said_at, settings, graph: false };
  const { decisions } = await rules.extract(conversation, new AbortController().signal);
  const [{ type = null, occurred = null } = {}] = decisions;
  return `${type} ${occurred?.at.slice(0, 10)}`;
}

it.each([
  ['I have been sober since February 2.', 'fact 2026-02-02'],
  ["I've been on the new team since January 5.", 'fact 2026-01-05'],
  ['My membership runs since March 3.', 'fact 2026-03-03'],
  ['My trial is running since March 3.', 'fact 2026-03-03'],
  ['The shop is closed since December 20.', 'event 2025-12-20'],
  ['The photo taken on January 5 is in the hall.', 'fact 2026-01-05'],
  ['I have been in Rome on January 5.', 'fact 2026-01-05'],
  ['Ich bin seit dem 2. Februar nüchtern.', 'fact 2026-02-02'],
  ['Je ne fume plus depuis le 2 février.', 'fact 2026-02-02'],
  ['No fumo desde el 2 de febrero.', 'fact 2026-02-02'],
  ['Non fumo dal 2 febbraio.', 'fact 2026-02-02'],
  ['Я не курю с 2 февраля.', 'fact 2026-02-02'],
  ['2月2日から新しいチームにいます。', 'fact 2026-02-02'],
  ['2月2日以来お酒を飲んでいません。', 'fact 2026-02-02'],
])('what began this year is no plan of the next: "%s"', async (content, expected) => {
  expect(await understood(content)).toBe(expected);
});

it.each([
  ['My flight is on January 5.', 'plan 2027-01-05'],
  ['My flight has been moved to January 5.', 'plan 2027-01-05'],
  ['My photo will be taken on January 5.', 'plan 2027-01-05'],
  ['Ich ziehe am 5. Januar nach Bonn.', 'plan 2027-01-05'],
])('what is to come is of the next year: "%s"', async (content, expected) => {
  expect(await understood(content)).toBe(expected);
});
