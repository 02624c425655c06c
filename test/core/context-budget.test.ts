import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/contract/estimate-tokens.ts';
import { contextTemplates } from '../../src/contract/operations/context.ts';
import type { Input, OperationName } from '../../src/contract.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { longTries, seed, timeFor } from '../support/rounds.ts';

const subjects = ['ferry', 'bakery', 'cluster', 'garden', '自転車', 'крыша', 'Fähre'];
const words = [
  'leaves',
  'opens',
  'nine',
  'Gozo',
  'blue',
  'Monday',
  'rye',
  '猫',
  'зимой',
  '🙂',
  '—',
];

let engine: Engine;
/** The same numbers in every run with the same seed. */
let random: (below: number) => number;

beforeEach(async () => {
  engine = await startEngine();
  random = createRandom(seed);
});
afterEach(async () => {
  await engine.stop();
});

function createRandom(start: number) {
  let state = start >>> 0;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function call<N extends OperationName>(name: N, input: Input<N>) {
  return engine.invoke(name, input, { caller: owner, wait_ms: 10_000 });
}

const pick = (from: readonly string[]) => from[random(from.length)] ?? '';
const sentence = (length: number) =>
  [pick(subjects), ...Array.from({ length }, () => pick(words))].join(' ');

async function remember(text: string, more: object = {}): Promise<string> {
  const { results } = await call('add_memory', { text, user_id: 'ann', ...more });
  engine.clock.advance(1000);
  return results[0]?.id ?? '';
}

describe('a context', () => {
  it(`begins with the same bytes while unpinned memories come and go (seed ${seed})`, async () => {
    await remember('Ann is allergic to penicillin', { pinned: true });
    await remember('The flat is on the third floor', { pinned: true });
    const { text: head } = await call('get_context', { user_id: 'ann', query: 'Xylophone?' });
    expect(head).toContain('penicillin');
    const others: string[] = [];

    for (let round = 0; round < 1000; round += 1) {
      if (round % 4 === 0) others.push(await remember(`${sentence(4)} ${round}`));
      if (round % 7 === 6) {
        const [memory_id = ''] = others.splice(random(others.length), 1);
        if (memory_id !== '') await call('delete_memory', { memory_id });
      }
      const query = random(5) === 0 ? undefined : `Which ${sentence(2)}?`;
      const asked = { user_id: 'ann', ...(query !== undefined && { query }) };
      const { text } = await call('get_context', asked);
      expect(text.startsWith(head), `round ${round}: ${text}`).toBe(true);
    }
  }, 120_000);

  it(
    `never costs more than its budget (seed ${seed})`,
    async () => {
      for (let count = 0; count < 120; count += 1) {
        const text = `${sentence(random(3) === 0 ? 200 : 8)} ${count}`;
        const run_id = random(2) === 0 ? `run ${random(5)}` : undefined;
        await remember(text, { pinned: count % 10 === 0, ...(run_id !== undefined && { run_id }) });
      }

      for (let round = longTries(10_000, 500).numRuns; round > 0; round -= 1) {
        const max_tokens = random(3) === 0 ? 100 + random(100_000) : 100 + random(900);
        const template = contextTemplates[random(contextTemplates.length)] ?? 'plain';
        const cut = (['off', 'relaxed', 'strict'] as const)[random(3)] ?? 'off';
        const query = random(4) === 0 ? undefined : sentence(random(6));
        const input = { max_tokens, template, cut, ...(query !== undefined && { query }) };

        const { text, used } = await call('get_context', { user_id: 'ann', ...input });

        expect(used, JSON.stringify(input)).toBeLessThanOrEqual(max_tokens);
        expect(estimateTokens(text), JSON.stringify(input)).toBeLessThanOrEqual(max_tokens);
      }
    },
    timeFor(120_000),
  );
});
