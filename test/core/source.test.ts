import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationName } from '../../src/contract.ts';
import { exportProject } from '../../src/core/archive/export-project.ts';
import { importLines } from '../../src/core/archive/import-lines.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

const openSqlite = await loadSqlite();

let engine: Engine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.stop());

function invoke<N extends OperationName>(name: N, input: Record<string, unknown>) {
  return engine.invoke(name, input, { caller: owner });
}

const user = { user_id: 'ann', run_id: 's1' };

/** Adds what somebody says, understood by rules; answers the first result's id. */
async function say(content: string, input: Record<string, unknown> = {}): Promise<string> {
  const messages = [{ role: 'user', content }];
  const add = { messages, infer: true, async_mode: false, ...user, ...input };
  const { results } = await invoke('add_memory', add);
  return results[0]?.id ?? '';
}

const sourceOf = async (memory_id: string) => (await invoke('get_memory', { memory_id })).source;
const inputsOf = async (memory_id: string) =>
  (await invoke('get_history', { memory_id })).results.map(({ input }) => input);

/** The tables that may hold anything that was said. */
const tables = [
  'memories',
  'history',
  'events',
  'jobs',
  'job_steps',
  'relations',
  'feedback',
  'deliveries',
  'exports',
  'documents',
  'idempotency_keys',
];

/** All of their rows as text. */
function everything(): string {
  const sqlite = openSqlite(storePath(engine.data_dir));
  try {
    return JSON.stringify(tables.map((name) => sqlite.prepare(`select * from ${name}`).all()));
  } finally {
    sqlite.close();
  }
}

describe('the source of a memory', () => {
  it('is the message, who said it, its session and its time', async () => {
    const content = 'Hello! I live in Porto. What is new?';

    const id = await say(content, { timestamp: 1_700_000_000 });

    expect(await sourceOf(id)).toEqual({
      role: 'user',
      name: null,
      content,
      run_id: 's1',
      created_at: '2023-11-14T22:13:20.000Z',
    });
  });

  it('names who said it', async () => {
    const messages = [{ role: 'user', name: 'Bea', content: 'I live in Faro.' }];

    const { results } = await invoke('add_memory', { messages, infer: false, ...user });

    expect(await sourceOf(results[0]?.id ?? '')).toMatchObject({ role: 'user', name: 'Bea' });
  });

  it('is the newer message once that has changed the memory', async () => {
    const id = await say('I live in Porto.');
    await say('I moved from Porto to Rome.');
    await invoke('update_memory', { memory_id: id, metadata: { seen: true } });

    expect(await sourceOf(id)).toMatchObject({ content: 'I moved from Porto to Rome.' });
  });

  it('is none for what an update wrote', async () => {
    const id = await say('I live in Porto.');

    await invoke('update_memory', { memory_id: id, text: 'User lives in Braga' });

    expect(await sourceOf(id)).toBeNull();
  });

  it('comes back with a text that an undo brings back', async () => {
    const id = await say('I live in Porto.');
    await invoke('update_memory', { memory_id: id, text: 'User lives in Braga' });
    await invoke('undo_changes', { memory_id: id });

    expect(await sourceOf(id)).toMatchObject({ content: 'I live in Porto.' });
  });

  it('holds no secrets', async () => {
    const id = await say(`I live in Porto, and my password is correct-horse-7`);

    expect((await sourceOf(id))?.content).toContain('[REDACTED:password]');
    expect(everything()).not.toContain('correct-horse-7');
  });

  it('is nobody else’s: in another project there is none', async () => {
    const id = await say('I live in Porto.');
    const { org_id, project_id } = engine.projects.sibling;
    const { memory } = await invoke('get_memory', { memory_id: id });

    const asked = invoke('get_memory', { memory_id: id, org_id, project_id });

    await expect(asked).rejects.toMatchObject({ code: 'not_found' });
    expect(
      await engine.store.history.findSource(engine.projects.sibling, { id, memory }),
    ).toBeNull();
  });

  it.each([
    ['the memory', (id: string) => invoke('delete_memory', { memory_id: id })],
    ['a batch', (id: string) => invoke('batch_delete_memories', { memory_ids: [id] })],
    ['a filter', () => invoke('delete_all_memories', { run_id: 's1' })],
  ])('goes with %s, and others stay', async (_, remove) => {
    const other = await say('I work as a baker.', { run_id: 's2' });
    const id = await say('I live in Porto.');

    await remove(id);

    expect(await inputsOf(id)).toEqual([[], []]);
    expect(await inputsOf(other)).toEqual([[{ role: 'user', content: 'I work as a baker.' }]]);
  });

  it.each(['user', 'run'])('goes with the %s', async (entity_type) => {
    await say('I live in Porto. The weather there is a secret joy.');
    const entity_id = entity_type === 'user' ? 'ann' : 's1';

    await invoke('delete_entity', { entity_type, entity_id });

    expect(everything()).not.toContain('secret joy');
  });

  it('is exported and imported', async () => {
    const id = await say('I live in Porto.');
    const copy = await startEngine();
    const [from, to] = await Promise.all(
      [engine, copy].map(({ store }) => store.projects.find({})),
    );
    if (!from || !to) throw new Error('a new store has a project');
    const lines = async function* () {
      let number = 0;
      for await (const value of exportProject(engine.deps, { project: from, ids: {} })) {
        if (number++ > 0) yield [{ place: `line ${number}`, value }];
      }
    };

    await importLines(copy.deps, lines(), { project: to });
    const got = await copy.invoke('get_memory', { memory_id: id }, { caller: owner });
    copy.deps.keep_source = false;
    const bare = await startEngine();
    bare.deps.keep_source = false;
    const third = await bare.store.projects.find({});
    if (third !== null) await importLines(bare.deps, lines(), { project: third });
    const less = await bare.invoke('get_memory', { memory_id: id }, { caller: owner });
    await Promise.all([copy.stop(), bare.stop()]);

    expect(got.source).toMatchObject({ role: 'user', content: 'I live in Porto.', run_id: 's1' });
    expect(less).toMatchObject({ memory: 'User lives in Porto.', source: null });
  });
});

describe('without keep_source', () => {
  beforeEach(() => {
    engine.deps.keep_source = false;
  });

  it('nothing of a turn is kept but what it became', async () => {
    const id = await say('Hello! I live in Porto. Could you close that window?');
    await say('I live in Porto.');
    await say('What a window is that?');

    expect(await sourceOf(id)).toBeNull();
    expect(await inputsOf(id)).toEqual([[]]);
    const all = everything();
    expect(all).toContain('User lives in Porto.');
    for (const said of ['Hello', 'I live in', 'window']) {
      expect(all).not.toContain(said);
    }
  });

  it('an update by a newer statement keeps none either', async () => {
    const id = await say('I live in Porto.');
    await say('Guess what! I live in Rome now.');

    expect((await invoke('get_memory', { memory_id: id })).memory).toContain('Rome');
    expect(await inputsOf(id)).toEqual([[], []]);
    expect(everything()).not.toContain('Guess what');
  });

  it('the event of a verbatim add tells what it did, without the messages', async () => {
    const { event_id } = await invoke('add_memory', {
      text: 'Likes tea',
      metadata: { a: 1 },
      ...user,
    });

    const { payload, results } = await invoke('get_event', { event_id });

    expect(payload).toMatchObject({ user_id: 'ann', metadata: { a: 1 } });
    expect(payload).not.toHaveProperty('messages');
    expect(results).toMatchObject([{ event: 'ADD', memory: 'Likes tea' }]);
  });

  it('an add that fails leaves no messages in its event', async () => {
    await engine.stop();
    const extract = () => Promise.reject(new Error('broken'));
    engine = await startEngine({ extractor: { extract } });
    engine.deps.keep_source = false;
    const { event_id } = await invoke('add_memory', {
      messages: [{ role: 'user', content: 'Unheard words.' }],
      infer: true,
      ...user,
    });

    await expect.poll(() => statusOf(event_id), { timeout: 20_000 }).toBe('FAILED');
    expect(everything()).not.toContain('Unheard');
  });
});

async function statusOf(event_id: string): Promise<string> {
  engine.clock.advance(600_000);
  engine.deps.wake();
  return (await invoke('get_event', { event_id })).status;
}
