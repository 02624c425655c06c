import { describe, expect, it } from 'vitest';
import { openExtractionModels } from '../../src/app/extraction-models.ts';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';
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
    'takes at most three times as long when %j comes twice as often',
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
});
