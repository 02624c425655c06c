import { afterAll, beforeAll, expect, it } from 'vitest';
import { openExtractionModels } from '../../../src/app/models/classifiers.ts';
import { createForgetReader } from '../../../src/core/extraction/forgetting/forget-requests.ts';
import type { Selection } from '../../../src/core/ports/index.ts';
import { type Engine, owner, startEngine } from '../../support/engine.ts';

const readForgetting = createForgetReader(openExtractionModels(() => {}));

let engine: Engine;
let users = 0;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

async function afterSaying(said: string, stored: readonly string[]) {
  users += 1;
  const user_id = `user-${users}`;
  for (const text of stored)
    await engine.invoke('add_memory', { text, user_id }, { caller: owner });
  const messages = [{ role: 'user', content: said }];
  const input = { messages, user_id, async_mode: false };
  const { results } = await engine.invoke('add_memory', input, { caller: owner });
  const found = await engine.store.memories.listOldest(engine.projects.own, ownOf(user_id), 10);
  return { results, left: found.map(({ memory }) => memory) };
}

function ownOf(user_id: string): Selection {
  return {
    filter: { field: 'user_id', path: [], operator: 'eq', value: user_id },
    latest_only: true,
    status: 'active',
    not_expired_on: null,
  };
}

const sister = "User's sister Ana lives in Kiel";
const job = 'User works at the port';

it('a request to forget deletes the one memory that it means', async () => {
  const said = 'Please forget what I told you about my sister.';
  const { results, left } = await afterSaying(said, [sister, job]);

  expect(results).toMatchObject([{ event: 'DELETE', memory: sister }]);
  expect(left).toEqual([job]);
});

it('a request that may mean several memories changes nothing, and says what was found', async () => {
  const other = "User's sister Ana plays chess";
  const { results, left } = await afterSaying('Forget about my sister Ana', [sister, other]);

  expect(results).toMatchObject([
    {
      event: 'NOOP',
      reason: expect.stringMatching(/several may be meant: [0-9a-f]{8} .*delete_memory/),
    },
  ]);
  expect(left).toHaveLength(2);
});

it.each([
  ['Forget everything', 'delete_all_memories'],
  ['Forget what I said about my boat', 'search_memories'],
])('"%s" changes nothing and names %s', async (said, tool) => {
  const { results, left } = await afterSaying(said, [sister]);

  expect(results).toMatchObject([{ event: 'NOOP', reason: expect.stringContaining(tool) }]);
  expect(left).toEqual([sister]);
});

it.each([
  ["User's brother Jan lives in Berlin", "Forget that Jan's brother lives in Berlin."],
  ['User moved from Paris to Rome', 'Forget that I moved from Rome to Paris.'],
  ['User prefers tea over coffee', 'Forget that I prefer coffee over tea.'],
  ['Lisa hat Paul das Fahrrad geliehen', 'Vergiss, dass Paul Lisa das Fahrrad geliehen hat.'],
  ['Prefiero el té al café', 'Olvida que prefiero el café al té.'],
  ['健太は花子に自転車を貸した', '花子が健太に自転車を貸したことを忘れて。'],
  ['私は田中さんに5000円借りている', '田中さんが私に5000円借りていることを忘れて。'],
])('"%s" stays: "%s" says it of others', async (stored, said) => {
  const { left } = await afterSaying(said, [stored]);

  expect(left).toEqual([stored]);
});

it.each([
  ['I sold the boat, so please forget that I work at the port', job],
  ['Moved inland!! forget that I work at the port pls', job],
  ["Forget that I work at the port, I don't do that any more", job],
  ['Delete this: works at the port', job],
  [
    'Forget the meeting with Olga, it was cancelled',
    'User has a meeting with Olga on Monday at 10',
  ],
  ["Oublie que j'habite à Lyon, j'ai déménagé", "J'habite à Lyon"],
  ['Vergiss, dass ich Vegetarierin bin, das stimmt nicht mehr', 'Ich bin Vegetarierin'],
  ['Забудь, что я живу в Казани, я переехал', 'Я живу в Казани'],
  ['请把我花生过敏这件事删掉', '我对花生过敏'],
])('"%s" forgets "%s", whatever is said beside it', async (said, memory) => {
  const { left } = await afterSaying(said, [sister, memory]);

  expect(left).toContain(sister);
  expect(left).not.toContain(memory);
});

it.each([
  ['Forget that I work at the port, I mean my brother', job],
  ['If I move, forget that I work at the port', job],
  ['Forget my sister, her name is Eva', sister],
])('"%s" does not forget "%s"', async (said, memory) => {
  const { left } = await afterSaying(said, [memory]);

  expect(left).toContain(memory);
});

it('a request that points back to a fact is not stored with it', async () => {
  const said = "I'm not diabetic at all. Scrap that from your memory please.";

  const { left } = await afterSaying(said, [job]);

  expect(left).toEqual([job, 'User is not diabetic at all.']);
});

it('what is said before a request to forget is remembered', async () => {
  const { left } = await afterSaying('I now live in Bern, so forget that I work at the port', [
    job,
  ]);

  expect(left).toEqual(['User now lives in Bern']);
});

it.each([
  'Delete that my landlord is Mr Okafor',
  'Cancella che il mio gruppo sanguigno è 0 negativo',
  'Vergiss bitte, was ich über Anna gesagt habe',
  'oublie ma sœur',
  'Olvida lo que te dije de mi trabajo',
  'Dimentica mio fratello',
  'Esqueça o meu endereço',
  'Забудь про Олега',
  '忘れてください',
  '请忘掉我的地址',
  'can you delete what I told you about my job?',
])('"%s" asks to forget', (said) => {
  expect(readForgetting(said)).toBe('forget');
});

it.each([
  "Don't forget my birthday",
  'Forget it',
  'Delete the second paragraph',
  'Delete that file',
  'drop the table users',
  'I forget names easily',
  'Vergiss den Termin nicht',
  "n'oublie pas le lait",
  'не забудь про встречу',
  '别忘了',
])('"%s" does not ask to forget', (said) => {
  expect(readForgetting(said)).toBeNull();
});
