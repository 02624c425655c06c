import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deletePastRetention } from '../../../src/core/jobs/retention.ts';
import { isPostgres } from '../../support/database.ts';
import { type Engine, owner, startEngine } from '../../support/engine.ts';
import { longTries, timeFor } from '../../support/rounds.ts';
import { directTarget, type Target } from '../../support/targets.ts';

type Remembered = { memory: string; topic: string; pinned: boolean };
/** What a user's memories are, by id. */
type State = ReadonlyMap<string, Remembered>;
/** Each state with the time since when it is so. */
type Log = { at: string; state: State }[];

let engine: Engine;
let target: Target;
let users = 0;

beforeAll(async () => {
  engine = await startEngine();
  target = directTarget(engine, owner);
});
afterAll(() => engine.stop());

const words = ['apple', 'river', 'copper', 'violin', 'meadow', 'lantern'] as const;

const homePrefix = 'User now lives in';
const dayMs = 86_400_000;
const kept = {
  retention_days: 9999,
  export_retention_days: 0,
  expired_retention_days: 0,
  audit_retention_days: 0,
};

const step = fc.record({
  what: fc.constantFrom(
    'add',
    'add',
    'add',
    'tell',
    'tell',
    'reword',
    'file',
    'pin',
    'delete',
    'batch',
    'clear',
    'undo',
    'undo since',
    'snapshot',
  ),
  which: fc.nat(1000),
  word: fc.constantFrom(...words),
  other: fc.constantFrom(...words),
  /** Some changes share a millisecond. */
  passes: fc.constantFrom(0, 1, 1, 60_000, 86_400_000),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

it(
  'a random log answers at each of its times as a small model does',
  async () => {
    const logs = fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      async (steps) => {
        users += 1;
        const user_id = `user ${users}`;
        const log: Log = [{ at: engine.clock.now(), state: new Map() }];
        engine.clock.advance(1000);
        for (const [index, one] of steps.entries()) {
          engine.clock.advance(one.passes);
          const state = await carryOut(one, { index, user_id, log });
          log.push({ at: engine.clock.now(), state });
        }
        for (const { at } of log) await compareAt(at, stateAt(log, at), user_id);
        await compareDiffs(log, user_id);
        await deletePastRetention(engine.deps, { ...kept, history_days: 1 });
        for (const { at } of log) await compareAt(at, keptAt(log, at), user_id);
      },
    );
    await fc.assert(logs, longTries(isPostgres ? 1000 : 10_000, isPostgres ? 20 : 150));
  },
  timeFor(1_800_000),
);

/** Of changes at one time, the last holds from then on. */
function stateAt(log: Log, at: string): State {
  return log.findLast((entry) => entry.at <= at)?.state ?? new Map();
}

/** What is left of the past, once versions that ended more than a day ago are gone. */
function keptAt(log: Log, at: string): State {
  const kept_since = new Date(Date.parse(engine.clock.now()) - dayMs).toISOString();
  const isKept = ([id, was]: [string, Remembered]) => {
    const changed = log.find((entry) => entry.at > at && !isSame(entry.state.get(id), was));
    return changed === undefined || changed.at >= kept_since;
  };
  return new Map([...stateAt(log, at)].filter(isKept));
}

function isSame(one: Remembered | undefined, other: Remembered): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type LogPlace = { index: number; user_id: string; log: Log };

/** Does it to the store and to the model; returns the state of the model. */
async function carryOut(one: Step, { index, user_id, log }: LogPlace): Promise<State> {
  const before = log.at(-1)?.state ?? new Map();
  const after = new Map(before);
  const ids = [...before.keys()];
  const id = ids[one.which % Math.max(1, ids.length)];
  const old = id === undefined ? undefined : before.get(id);
  const text = `${one.word} and ${one.other}, number ${index}`;
  if (one.what === 'add') {
    const metadata = { topic: `${one.word} ${index}` };
    const { results } = await target.call('add_memory', { text, user_id, metadata });
    after.set(String(results[0]?.id), { memory: text, topic: metadata.topic, pinned: false });
  } else if (one.what === 'tell') {
    const home = `User now lives in ${one.word === 'river' ? 'Rome' : 'Oslo'}.`;
    const messages = [{ role: 'user', content: home.replace('User now lives', 'I now live') }];
    const input = { messages, user_id, metadata: { topic: home }, async_mode: false };
    const { results } = await target.call('add_memory', input);
    const [known] = [...before].find(([, { memory }]) => memory.startsWith(homePrefix)) ?? [];
    const told = known ?? String(results[0]?.id);
    const { memory, pinned = false } = before.get(told) ?? {};
    if (memory !== home) after.set(told, { memory: home, topic: home, pinned });
  } else if (one.what === 'clear') {
    await target.call('delete_all_memories', { user_id });
    after.clear();
  } else if (one.what === 'undo') {
    // The last change, which is that of the step before: all is as it was before that.
    if (log.length < 2) return after;
    const { event_id } = await target.call('undo_changes', { user_id });
    if (event_id !== null) return changedBack(log);
  } else if (one.what === 'undo since') {
    const since = log[one.which % log.length]?.at ?? '';
    await target.call('undo_changes', { user_id, since });
    return stateAt(log, since);
  } else if (one.what === 'snapshot') {
    await target.call('create_snapshot', { name: `${user_id} ${index}` }).catch(() => {});
  } else if (id !== undefined && old !== undefined) {
    const isHome = old.memory.startsWith(homePrefix);
    const what = isHome && (one.what === 'reword' || one.what === 'batch') ? 'file' : one.what;
    const changed = await changeOne(
      { ...one, what },
      { id, old, text, topic: `${one.word} ${index}` },
    );
    if (changed === null) after.delete(id);
    else after.set(id, changed);
  }
  return after;
}

/** The last state that differs from the present one. */
function changedBack(log: Log): State {
  const now = JSON.stringify([...(log.at(-1)?.state ?? [])].sort());
  const before = log.findLast(({ state }) => JSON.stringify([...state].sort()) !== now);
  return before?.state ?? new Map();
}

async function changeOne(
  { what }: Step,
  { id: memory_id, old, text, topic }: { id: string; old: Remembered; text: string; topic: string },
): Promise<Remembered | null> {
  if (what === 'delete') {
    await target.call('delete_memory', { memory_id });
    return null;
  }
  const update =
    what === 'reword' || what === 'batch'
      ? { text }
      : what === 'file'
        ? { metadata: { topic } }
        : { pinned: !old.pinned };
  if (what === 'batch') {
    await target.call('batch_update_memories', { memories: [{ memory_id, ...update }] });
  } else await target.call('update_memory', { memory_id, ...update });
  return {
    memory: what === 'reword' || what === 'batch' ? text : old.memory,
    topic: what === 'file' ? topic : old.topic,
    pinned: what === 'pin' ? !old.pinned : old.pinned,
  };
}

async function compareAt(as_of: string, known: State, user_id: string): Promise<void> {
  const { results } = await target.call('get_memories', { user_id, as_of, page_size: 1000 });
  const listed = results.map(({ id, memory, metadata, pinned }) => [
    id,
    { memory, topic: metadata?.topic, pinned },
  ]);
  expect(listed.sort()).toEqual([...known].sort());
  const query = words[users % words.length] ?? '';
  const found = await target.call('search_memories', {
    query,
    user_id,
    as_of,
    keyword_search: true,
    threshold: 0,
    top_k: 1000,
  });
  const wanted = [...known].filter(([, { memory }]) => memory.includes(query)).map(([id]) => id);
  expect(found.results.map(({ id }) => id).sort()).toEqual(wanted.sort());
}

async function compareDiffs(log: Log, user_id: string): Promise<void> {
  const last = log.at(-1)?.at ?? '';
  for (const { at: from } of log) {
    const [then, now] = [stateAt(log, from), stateAt(log, last)];
    const diff = await target.call('diff_changes', { from, to: last, user_id, limit: 1000 });
    const idsOf = (some: readonly { id: string }[]) => some.map(({ id }) => id).sort();
    expect(idsOf(diff.added)).toEqual([...now.keys()].filter((id) => !then.has(id)).sort());
    expect(idsOf(diff.removed)).toEqual([...then.keys()].filter((id) => !now.has(id)).sort());
    for (const { id, old_memory, memory } of diff.changed) {
      expect([old_memory, memory]).toEqual([then.get(id)?.memory, now.get(id)?.memory]);
    }
  }
}
