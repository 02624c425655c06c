import { describe, expect, it } from 'vitest';
import { openExtractionModels } from '../../src/app/models/classifiers.ts';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';
import { createMemoryReader } from '../../src/core/extraction/known-memories.ts';
import { createRuleExtractor } from '../../src/core/extraction/rule-extractor.ts';
import type { RelatedMemory } from '../../src/core/ports/index.ts';
import { createDateReader } from '../../src/providers/dates/date-reader.ts';
import { growthMax, timesAsLong } from '../support/growth.ts';

const models = openExtractionModels(() => {});

/** The text is what the assistant said, too. */
const extract = (content: string) => () =>
  extractStatements(
    [
      { role: 'assistant', content },
      { role: 'user', content },
    ],
    models,
  );

/** What rules look for, again and again, and never the end that they hope for. */
const repeated = [
  'haha',
  'jaja ',
  'хаха',
  '哈哈',
  'bye bye ',
  'hi there ',
  'hallo. ',
  'hola.  ',
  'Anna is now ',
  'Anna is currently also still ',
  'ich habe ge',
  'ich bin ver ',
  'ho mangiato e ',
  'je suis allé ',
  'used to ',
  'replaced my ',
  'von a auf b ',
  '今は',
  '私は、今',
  'vergessenicht',
  'J. ',
  'my new favourite is are ',
  'a, who is ',
  'and, ',
  'why, since it is so? ',
];

describe('a long text of what the rules look for', () => {
  it.each(repeated)(
    'takes at most 2.5 times as long when %j comes twice as often',
    async (unit) => {
      const [small, large] = [8_000, 16_000].map(
        (chars) => `${unit.repeat(chars / unit.length)} x9.`,
      );

      const growth = await timesAsLong(extract(small ?? ''), extract(large ?? ''));

      expect(growth).toBeLessThanOrEqual(growthMax);
    },
  );

  it('ends at once when somebody laughs for long', () => {
    const { statements } = extractStatements([
      { role: 'user', content: `${'ha'.repeat(60)} she said my cat Otis stole the fish` },
    ]);

    expect(statements.map(({ text }) => text)).toEqual([expect.stringContaining('Otis')]);
  });

  it('of many statements takes at most 2.5 times as long for twice as many', async () => {
    const rules = createRuleExtractor({ dates: createDateReader(), models });
    const told = (count: number) => () =>
      rules.extract(conversationOf(count), new AbortController().signal);

    const growth = await timesAsLong(told(400), told(800));

    expect(growth).toBeLessThanOrEqual(growthMax);
  });

  it('that is a list of facts is read in proportion to its length', async () => {
    const read = (count: number) => () => {
      const list = Array.from({ length: count }, (_, at) => `私は${at}番の本`).join('、');
      createMemoryReader()({
        id: 'a',
        memory: list,
        may_replace: [],
      } as Partial<RelatedMemory> as RelatedMemory);
    };

    const growth = await timesAsLong(read(1500), read(3000));

    expect(growth).toBeLessThanOrEqual(growthMax);
  });

  it('lets others have their turn', async () => {
    const rules = createRuleExtractor({ dates: createDateReader(), models });
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);

    await rules.extract(conversationOf(400), new AbortController().signal);
    clearInterval(others);

    // Without pauses there would be none or one; a fast machine needs few.
    expect(turns).toBeGreaterThan(2);
  });
});

/** So many statements, one a message. */
function conversationOf(count: number) {
  const said_at = '2026-11-23T09:00:00.000Z';
  const settings = { includes: null, excludes: null, instructions: null, categories: null };
  const messages = Array.from({ length: count }, (_, index) => ({
    role: 'user',
    content: `My colleague number ${index} plays the ${index % 7} string guitar in a band.`,
  }));
  return { messages, known: [], now: said_at, said_at, settings, graph: false };
}
