import { expect, it } from 'vitest';
import { judgeConversations, readConversations } from './judge-conversations.ts';

it('of conversations with an assistant, what is stored is mostly what a reader would keep', async () => {
  const verdicts = await judgeConversations(readConversations('development'));
  const count = (of: (verdict: (typeof verdicts)[number]) => number) =>
    verdicts.reduce((sum, one) => sum + of(one), 0);
  const expected = count(({ conversation }) => conversation.expected.length);

  const precision = count(({ right }) => right.length) / count(({ stored }) => stored.length);
  expect(precision).toBeGreaterThan(0.48);
  expect(1 - count(({ missing }) => missing.length) / expected).toBeGreaterThan(0.65);
}, 120_000);
