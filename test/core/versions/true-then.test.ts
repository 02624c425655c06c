import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isPostgres } from '../../support/database.ts';
import { type Engine, owner, startEngine } from '../../support/engine.ts';
import { longTries, timeFor } from '../../support/rounds.ts';
import { directTarget, type Target } from '../../support/targets.ts';

/** A version of a memory by both clocks; null is open. */
type Version = {
  text: string;
  recorded_from: string;
  recorded_until: string | null;
  valid_from: string | null;
  valid_until: string | null;
  superseded_at: string | null;
};
type Model = Map<string, Version[]>;

let engine: Engine;
let target: Target;
let users = 0;

beforeAll(async () => {
  engine = await startEngine();
  target = directTarget(engine, owner);
});
afterAll(() => engine.stop());

const words = ['apple', 'river', 'copper', 'violin'] as const;
const days = [null, '2020-01-01', '2021-01-01', '2022-01-01', '2023-01-01'] as const;
/** Between and around the days on which something begins or ends. */
const asked = ['2019-06-01', '2020-06-01', '2021-06-01', '2022-06-01', '2099-06-01'] as const;

const step = fc.record({
  what: fc.constantFrom('add', 'add', 'supersede', 'supersede', 'reword', 'date', 'delete', 'undo'),
  which: fc.nat(1000),
  word: fc.constantFrom(...words),
  from: fc.constantFrom(...days),
  until: fc.constantFrom(...days),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

it(
  'a random log answers by both clocks as a small model does',
  async () => {
    const logs = fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 10 }),
      async (steps) => {
        users += 1;
        const user_id = `user ${users}`;
        const model: Model = new Map();
        const times: string[] = [];
        for (const [index, one] of steps.entries()) {
          times.push(engine.clock.now());
          engine.clock.advance(60_000);
          await carryOut(one, { text: `${one.word} number ${index}`, user_id, model });
        }
        for (const [index, as_of] of [...times, engine.clock.now(), undefined].entries()) {
          const valid_at = asked[(users + index) % asked.length] ?? '';
          await compareAt({ as_of, valid_at }, model, user_id);
        }
      },
    );
    await fc.assert(logs, longTries(isPostgres ? 1000 : 10_000, isPostgres ? 20 : 150));
  },
  timeFor(1_800_000),
);

type ModelPlace = { text: string; user_id: string; model: Model };

/** Does it to the store and to the model. */
async function carryOut(one: Step, { text, user_id, model }: ModelPlace): Promise<void> {
  const { valid_from, valid_until } = intervalOf(one);
  if (one.what === 'add') {
    const input = { text, user_id, valid_from, valid_until };
    const { results } = await target.call('add_memory', input);
    model.set(String(results[0]?.id), [versionOf(text, { valid_from, valid_until })]);
    return;
  }
  const held = [...model].filter(([, versions]) => versions.at(-1)?.recorded_until === null);
  const [memory_id, versions] = held[one.which % Math.max(1, held.length)] ?? [];
  const last = versions?.at(-1);
  if (memory_id === undefined || versions === undefined || last === undefined) return;
  const { valid_from: from, valid_until: until } = last;
  if (one.what === 'delete') {
    await target.call('delete_memory', { memory_id });
    last.recorded_until = engine.clock.now();
  } else if (one.what === 'supersede' && valid_from !== null) {
    await target.call('update_memory', { memory_id, text, valid_from });
    last.superseded_at = from !== null && from > valid_from ? from : valid_from;
    replace(versions, versionOf(text, { valid_from, valid_until: null }));
  } else if (one.what === 'reword') {
    await target.call('update_memory', { memory_id, text });
    replace(versions, versionOf(text, { valid_from: from, valid_until: until }));
  } else if (one.what === 'date') {
    await target.call('update_memory', { memory_id, valid_from, valid_until });
    replace(versions, versionOf(last.text, { valid_from, valid_until }));
  } else if (one.what === 'undo' && versions.length > 1) {
    const before = versions.at(-2);
    if (before === undefined) return;
    await target.call('undo_changes', { memory_id });
    const { valid_from: then, valid_until: end } = before;
    if (before.text === last.text && then === from && end === until) return;
    replace(versions, versionOf(before.text, { valid_from: then, valid_until: end }));
  }
}

function intervalOf({ from, until }: Step) {
  const instant = (day: string | null) => (day === null ? null : `${day}T00:00:00.000Z`);
  const isOrdered = from === null || until === null || from < until;
  return { valid_from: instant(from), valid_until: isOrdered ? instant(until) : null };
}

function versionOf(text: string, validity: Pick<Version, 'valid_from' | 'valid_until'>): Version {
  const recorded_from = engine.clock.now();
  return { text, recorded_from, recorded_until: null, superseded_at: null, ...validity };
}

function replace(versions: Version[], version: Version): void {
  const last = versions.at(-1);
  if (last !== undefined) last.recorded_until = version.recorded_from;
  versions.push(version);
}

function answerOf(versions: readonly Version[], as_of: string, valid_at: string) {
  const isTrue = ({ valid_from, valid_until }: Version) =>
    (valid_from === null || valid_from <= valid_at) &&
    (valid_until === null || valid_until > valid_at);
  const held = versions.find(
    ({ recorded_from, recorded_until }) =>
      recorded_from <= as_of && (recorded_until === null || recorded_until > as_of),
  );
  if (held === undefined || isTrue(held)) return held?.text;
  const superseded = versions.findLast(
    (one) =>
      one.recorded_until !== null &&
      one.recorded_until <= as_of &&
      one.superseded_at !== null &&
      one.superseded_at > valid_at &&
      isTrue(one),
  );
  return superseded?.text;
}

async function compareAt(
  clocks: { as_of: string | undefined; valid_at: string },
  model: Model,
  user_id: string,
): Promise<void> {
  const as_of = clocks.as_of ?? engine.clock.now();
  const instant = `${clocks.valid_at}T23:59:59.999Z`;
  const texts = [...model.values()].map((versions) => answerOf(versions, as_of, instant));
  const known = texts.filter((text) => text !== undefined).sort();
  const input = { user_id, ...clocks };
  const { results } = await target.call('get_memories', { ...input, page_size: 1000 });
  expect(results.map(({ memory }) => memory).sort()).toEqual(known);
  const query = words[users % words.length] ?? '';
  const found = await target.call('search_memories', {
    ...input,
    query,
    keyword_search: true,
    threshold: 0,
    top_k: 1000,
  });
  const wanted = known.filter((text) => text.includes(query));
  expect(found.results.map(({ memory }) => memory).sort()).toEqual(wanted);
}
