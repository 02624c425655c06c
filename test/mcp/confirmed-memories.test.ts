import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { callOn, connect, dataOf, optionsFor, textOf } from './support.ts';

type Fields = Record<string, unknown>;

let engine: Engine;
let tea: string;

beforeEach(async () => {
  engine = await startEngine();
  tea = await add('Ada likes tea');
  await add('Ada has a bike');
});
afterEach(() => engine.stop());

const deletes: [string, Fields][] = [
  ['delete_all_memories', { user_id: 'ada' }],
  ['erase_memories', { user_id: 'ada' }],
  ['delete_entity', { entity_type: 'user', entity_id: 'ada' }],
];

describe.each(deletes)('a confirmation of %s', (name, args) => {
  it.each<[string, () => Promise<unknown>]>([
    ['was added', () => add('Ada moved to Bern')],
    ['was changed', () => run('update_memory', { memory_id: tea, text: 'Ada likes mate' })],
    ['waits for a review', addWaiting],
    [
      'replaced another one',
      async () => {
        await run('delete_memory', { memory_id: tea });
        await add('Ada moved to Bern');
      },
    ],
  ])('does not cover a memory that %s afterwards', async (_, change) => {
    const call = callOn(optionsFor(engine.invoke));
    const { confirm } = dataOf(await call(name, args));
    await change();
    const before = await texts('ada');

    const refused = await call(name, { ...args, confirm });

    expect(textOf(refused)).toContain('what matches has changed since it was shown');
    expect(dataOf(refused).error).toMatchObject({ code: 'conflict' });
    expect(await texts('ada')).toEqual(before);
  });

  it('holds while others change', async () => {
    const call = callOn(optionsFor(engine.invoke));
    const { confirm } = dataOf(await call(name, args));
    await add('Bob has a car', 'bob');

    const deleted = await call(name, { ...args, confirm });

    expect(deleted.isError).toBeFalsy();
    expect([await texts('ada'), await texts('bob')]).toEqual([[], ['Bob has a car']]);
  });
});

it('a confirmation by filter holds while a memory changes that does not match', async () => {
  const call = callOn(optionsFor(engine.invoke));
  const args = { filters: { id: tea } };
  const { confirm } = dataOf(await call('delete_all_memories', args));
  await add('Ada moved to Bern');

  await call('delete_all_memories', { ...args, confirm });

  expect(await texts('ada')).toEqual(['Ada moved to Bern', 'Ada has a bike']);
});

it.each(['legacy', 'auto'] as const)('a form covers what it was about (%s)', async (era) => {
  const late = async (name: OperationName, input: Fields, options: object) => {
    const answer = await engine.invoke(name, input, options as never);
    if (name === 'get_memories' && (await texts('ada')).length === 2) await add('Ada is in Bern');
    return answer;
  };
  const answer = { action: 'accept', content: { confirm: true } } as const;
  const client = await connect(optionsFor(late as never), era, { answer });

  const args = { user_id: 'ada' };
  const refused = await client.callTool({ name: 'delete_all_memories', arguments: args });

  expect(textOf(refused)).toContain('what matches has changed');
  expect(await texts('ada')).toHaveLength(3);
});

async function run(name: OperationName, input: Fields): Promise<Fields> {
  return { ...(await engine.invoke(name, input as never, { caller: owner })) };
}

async function add(text: string, user_id = 'ada'): Promise<string> {
  const { results } = await run('add_memory', { text, user_id });
  const [added] = results as { id: string }[];
  return String(added?.id);
}

async function addWaiting(): Promise<void> {
  const { org_id, project_id } = engine.projects.own;
  await run('update_project', { org_id, project_id, trust_min: 'user' });
  await run('add_memory', { text: 'Ada is rich', user_id: 'ada', source_class: 'tool' });
}

async function texts(user_id: string): Promise<string[]> {
  const { results } = await run('get_memories', { user_id, show_waiting: true });
  return (results as { memory: string }[]).map(({ memory }) => memory);
}
