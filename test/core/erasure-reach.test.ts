import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Input, OperationName } from '../../src/contract.ts';
import { selectAllMatching } from '../../src/core/memory/selection.ts';
import type { ErasureSubject, RowCounts } from '../../src/core/ports/index.ts';
import type { Erasure } from '../../src/storage/sql/schema/columns.ts';
import { tableOf } from '../../src/storage/sql/schema/tables.ts';
import { namesEnds, rowMentions } from '../../src/storage/tables/erasure/mentions.ts';
import { packId } from '../../src/storage/tables/work/packed-hits.ts';
import { seeded } from '../bench/sentences.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { readStoredRows } from '../support/stored-text.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
  await call('update_project', { keep_recalls: 'text' });
});
afterEach(async () => {
  await engine.stop();
});

function call<N extends OperationName>(name: N, input: Input<N> | object) {
  const { org_id, project_id } = engine.projects.own;
  return engine.invoke(name, { org_id, project_id, ...input }, { caller: owner, wait_ms: 10_000 });
}

const scopes = [
  { user_id: 'zoe' },
  { user_id: 'zoe', agent_id: 'bot' },
  { user_id: 'zoe', run_id: 'run-1', app_id: 'web' },
  { user_id: 'ann', agent_id: 'bot' },
  { user_id: 'ann', app_id: 'web' },
  { agent_id: 'bot', app_id: 'web' },
  { app_id: 'web' },
  { run_id: 'run-1' },
];
const texts = ['Likes tea', 'I live in Pemba.', 'My sister is called Mia.', 'Grows cloves', 'bot'];
const filters = [
  { OR: [{ user_id: 'zoe' }, { agent_id: 'bot' }] },
  { user_id: { in: ['zoe', 'ann'] } },
  { AND: [{ app_id: 'web' }, { NOT: [{ user_id: 'zoe' }] }] },
];

/** Calls of every kind that record something, on memories of any of the entities. */
async function fill(seed: number): Promise<string[]> {
  const random = seeded(seed);
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;
  const ids: string[] = [];
  const some = () => [...new Set([pick(ids), pick(ids), pick(ids)])];
  const add = async (input: object) => {
    const { results } = await call('add_memory', { ...pick(scopes), ...input });
    ids.push(...results.flatMap(({ id }) => (id === null ? [] : [id])));
  };
  const said = () => [pick(texts), pick(texts)].map((content) => ({ role: 'user', content }));
  const makers = [
    () => add({ text: pick(texts) }),
    () => add({ text: pick(texts) }),
    () => add({ messages: said(), infer: false }),
    () => add({ messages: said() }),
    () => call('update_memory', { memory_id: pick(ids), text: pick(texts) }),
    () =>
      call('batch_update_memories', {
        memories: some().map((memory_id) => ({ memory_id, text: pick(texts) })),
      }),
    () => call('delete_memory', { memory_id: pick(ids) }),
    () => call('batch_delete_memories', { memory_ids: some() }),
    () => call('delete_all_memories', { user_id: 'ann', filters: pick(filters) }),
    () => call('undo_changes', { memory_id: pick(ids), force: true }),
    () => call('undo_changes', { since: '2000-01-01T00:00:00Z', ...pick(scopes), force: true }),
    () => call('add_feedback', { memory_id: pick(ids), feedback: 'NEGATIVE' }),
    () => call('search_memories', { query: pick(texts), filters: pick(filters) }),
    () => call('search_memories', { query: pick(texts), ...pick(scopes) }),
    () => call('get_memories', { filters: pick(filters) }),
    () => call('create_export', { schema: { type: 'object' }, filters: pick(filters) }),
  ];
  for (const make of makers.slice(0, 4)) await make();
  // Some name what is gone.
  for (let count = 0; count < 80; count += 1) await Promise.resolve(pick(makers)()).catch(() => {});
  await engine.deps.flushEvents?.();
  await engine.worker.stop();
  return [...new Set(ids)];
}

type StoredRows = Awaited<ReturnType<typeof readStoredRows>>;

/** The rows of others that tell of the subject, by reading every row of every table. */
function countByReading(stored: StoredRows, subject: ErasureSubject): RowCounts {
  const counts: RowCounts = {};
  const { ids, entity } = subject;
  const ends = new Set([...ids].map(packId));
  for (const [name, rows] of stored) {
    const { columns, memory, belongsTo } = tableOf(name);
    if (belongsTo !== 'project') continue;
    const withRule = (rules: readonly Erasure[]) =>
      Object.entries(columns).flatMap(([column, { type, erasure }]) =>
        type === 'text' && erasure !== undefined && rules.includes(erasure) ? [column] : [],
      );
    const told = withRule(['row', 'items', 'emptied', 'named']);
    const count = rows.filter((row) => {
      const goes =
        memory !== undefined &&
        (ids.has(String(row[memory])) ||
          (entity !== null && row[`${entity.type}_id`] === entity.id));
      const tells = rowMentions(row, told, subject) || namesEnds(row, withRule(['ends']), ends);
      return !goes && tells;
    }).length;
    if (count > 0) counts[name] = count;
  }
  return counts;
}

type Wanted = Parameters<Engine['store']['erasure']['select']>[1];

/** The subject, and how many rows of others erasing finds. */
async function find(wanted: Wanted, entity: ErasureSubject['entity'] = null) {
  const project = await engine.store.projects.find(engine.projects.own);
  if (project === null) throw new Error('the project is there');
  const { erasure } = engine.store;
  const subject = await erasure.select(project, wanted, entity);
  const [all, own] = [
    await erasure.count(project, subject),
    await erasure.countOwn(project, subject),
  ];
  const counts = Object.entries(all).map(([name, count]) => [name, count - (own[name] ?? 0)]);
  return { subject, counts: Object.fromEntries(counts.filter(([, count]) => count !== 0)) };
}

it.each([1, 2])('erasing finds all that reading every row finds (%i)', async (seed) => {
  const ids = await fill(seed);
  const matching = (input: object) => ({ selection: selectAllMatching(input) });
  const subjects = [
    ...ids.map((id) => find({ ids: [id], owners: {} })),
    find({ ids, owners: {} }),
    ...scopes.map((scope) => find(matching(scope))),
    ...(['zoe', 'ann'] as const).map((id) => find(matching({ user_id: id }), { type: 'user', id })),
    find(matching({ agent_id: 'bot' }), { type: 'agent', id: 'bot' }),
    find(matching({ app_id: 'web' }), { type: 'app', id: 'web' }),
    find(matching({ run_id: 'run-1' }), { type: 'run', id: 'run-1' }),
  ];

  const found = await Promise.all(subjects);
  const stored = await readStoredRows(engine.data_dir);

  expect(ids.length).toBeGreaterThan(10);
  for (const { subject, counts } of found) {
    expect(counts).toEqual(countByReading(stored, subject));
  }
  const tables = new Set(found.flatMap(({ counts }) => Object.keys(counts)));
  expect([...tables]).toEqual(expect.arrayContaining(['events', 'history', 'recalls', 'exports']));
});

it('a memory that a search of somebody else names by its id is erased, and the id is left', async () => {
  const { results } = await call('add_memory', { text: 'Likes tea', user_id: 'zoe' });
  const [{ id } = { id: '' }] = results;
  await call('get_memories', { filters: { AND: [{ user_id: 'ann' }, { id: { in: [id] } }] } });

  await call('erase_memories', { memory_ids: [id] });
  const listed = await call('list_events', { event_type: 'GET_ALL' });

  expect(JSON.stringify(listed)).toContain(id);
});
