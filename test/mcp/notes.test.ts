import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '../support/engine.ts';
import { callOn, dataOf, optionsFor, textOf } from './support.ts';

type Args = Record<string, unknown>;

let engine: Engine;
let call: ReturnType<typeof callOn>;

beforeAll(async () => {
  engine = await startEngine();
  call = callOn(optionsFor(engine.invoke, { secret: engine.store.secret }));
});
afterAll(() => engine.stop());

async function added(args: Args): Promise<string> {
  const { results } = dataOf(await call('add_memory', args)) as { results: { id: string }[] };
  return String(results[0]?.id);
}

describe('a fact that is over', () => {
  it('is marked in a search, in a list and by itself', async () => {
    const user_id = 'ada';
    const memory_id = await added({
      text: 'Ada lives in Paris',
      user_id,
      valid_from: '2019-01-01',
      valid_until: '2020-10-01',
    });

    const search = await call('search_memories', { query: 'Where does Ada live?', user_id });
    const list = await call('get_memories', { user_id });
    const one = await call('get_memory', { memory_id });

    for (const result of [search, list, one]) {
      expect(textOf(result)).toContain('validity: no longer valid since 2020-10-01');
    }
  });

  it('is told when it will be over', async () => {
    await added({ text: 'Bob works at Acme', user_id: 'bob', valid_until: '2999-10-01' });

    const list = await call('get_memories', { user_id: 'bob' });

    expect(textOf(list)).toContain('validity: until 2999-10-01');
  });
});

describe('an update', () => {
  it('says that nothing changed', async () => {
    const memory_id = await added({ text: 'Cid has a dog', user_id: 'cid' });

    const same = await call('update_memory', { memory_id, text: 'Cid has a dog' });
    const other = await call('update_memory', { memory_id, text: 'Cid has a cat' });

    expect(textOf(same)).toContain('Nothing changed.');
    expect(dataOf(same)).toMatchObject({ message: 'Nothing changed.' });
    expect(textOf(other)).not.toContain('Nothing changed');
  });

  it('names a memory of the same owner that says the same', async () => {
    const first = await added({ text: 'Dan has a dog', user_id: 'dan' });
    const memory_id = await added({ text: 'Dan owns a boat', user_id: 'dan' });

    const result = await call('update_memory', { memory_id, text: 'Dan has a dog' });

    expect(textOf(result)).toContain(`It says the same as memory ${first.slice(-8)} now.`);
  });
});
