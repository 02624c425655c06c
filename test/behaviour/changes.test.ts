import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { owner } from '../support/engine.ts';
import { type Input, type Target, targets } from '../support/targets.ts';

/** It is no tool. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(faces)('changes after a cursor, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, more: Input = { user_id: 'alice' }): Promise<string> {
    const { results } = await target.call('add_memory', { text, ...more });
    return String(results[0]?.id);
  }

  async function changes(input: Input = {}) {
    const { results } = await target.call('list_changes', input);
    return results.map(({ event, old_memory, memory }) => [event, old_memory, memory]);
  }

  async function cursorOfNow(): Promise<string> {
    return (await target.call('list_changes', { after: 'now' })).cursor;
  }

  it('come in the order in which they were recorded, also where the clock is set back', async () => {
    const id = await remember('Lives in Paris');
    target.engine.clock.advance(-60_000);
    await target.call('update_memory', { memory_id: id, text: 'Lives in Rome' });
    target.engine.clock.advance(-60_000);
    await target.call('delete_memory', { memory_id: id });
    await target.call('undo_changes', { memory_id: id });

    expect(await changes()).toEqual([
      ['ADD', null, 'Lives in Paris'],
      ['UPDATE', 'Lives in Paris', 'Lives in Rome'],
      ['DELETE', 'Lives in Rome', null],
      ['ADD', null, 'Lives in Rome'],
    ]);
  });

  it('go on after each cursor, without a gap or a repetition', async () => {
    for (const text of ['One', 'Two', 'Three']) await remember(text);

    const first = await target.call('list_changes', { limit: 2 });
    const second = await target.call('list_changes', { after: first.cursor, limit: 2 });
    const none = await target.call('list_changes', { after: second.cursor });
    await remember('Four');

    expect([first.has_more, second.has_more, none.has_more]).toEqual([true, false, false]);
    expect([...first.results, ...second.results].map(({ memory }) => memory)).toEqual([
      'One',
      'Two',
      'Three',
    ]);
    expect(none.results).toEqual([]);
    expect(await changes({ after: none.cursor })).toEqual([['ADD', null, 'Four']]);
  });

  it('can be followed from any of them', async () => {
    for (const text of ['One', 'Two']) await remember(text);

    const { results } = await target.engine.invoke('list_changes', {}, { caller: owner });
    const after = results[0]?.cursor;

    expect(await changes({ after })).toEqual([['ADD', null, 'Two']]);
  });

  it('begin now for who has all that was', async () => {
    await remember('One');
    const after = await cursorOfNow();
    await remember('Two');

    expect(await changes({ after: 'now' })).toEqual([]);
    expect(await changes({ after })).toEqual([['ADD', null, 'Two']]);
  });

  it('can be those of one entity', async () => {
    await remember('One', { user_id: 'alice' });
    await remember('Two', { user_id: 'bob', agent_id: 'helper' });

    expect(await changes({ user_id: 'bob' })).toEqual([['ADD', null, 'Two']]);
  });

  it('are those of one project', async () => {
    await remember('One');
    const { project_id } = target.engine.projects.sibling;

    expect(await changes({ project_id })).toEqual([]);
    const mine = target.as({
      project_id: target.engine.projects.own.project_id,
      bound_to: 'project',
    });
    expect(await mine.refusal('list_changes', { project_id })).toMatchObject({ code: 'not_found' });
  });

  it('leave out what waits for a review, until it is accepted, and what is declined', async () => {
    const { org_id, project_id } = target.engine.projects.own;
    await target.call('update_project', { org_id, project_id, trust_min: 'user' });
    const accepted = await remember('Owns a boat', { user_id: 'alice', source_class: 'tool' });
    const declined = await remember('Owns a car', { user_id: 'alice', source_class: 'tool' });
    const waiting = await changes();

    await target.call('review_memory', { memory_id: accepted, decision: 'accept' });
    await target.call('review_memory', { memory_id: declined, decision: 'decline' });

    expect(waiting).toEqual([]);
    expect(await changes()).toEqual([
      ['ADD', null, 'Owns a boat'],
      ['UPDATE', 'Owns a boat', 'Owns a boat'],
    ]);
  });

  it('say nothing of what was erased', async () => {
    const id = await remember('One');
    await remember('Two', { user_id: 'bob' });
    await target.call('erase_memories', { memory_ids: [id] });
    await target.call('delete_entity', { entity_type: 'user', entity_id: 'bob' });

    expect(await changes()).toEqual([]);
  });

  it('that are older than history_days are gone, and so is a cursor of then', async () => {
    target.engine.deps.versions_kept.history_days = 30;
    await remember('One');
    const old = await cursorOfNow();
    target.engine.clock.advance(31 * 24 * 60 * 60 * 1000);
    await remember('Two');

    const refusal = await target.refusal('list_changes', { after: old });

    expect(refusal.code).toBe('invalid');
    expect(refusal.message).toMatch(/after.*30 days.*begin again.*"now"/);
    expect(await changes()).toEqual([['ADD', null, 'Two']]);
  });

  it('are refused after a cursor of a store that has been restored since', async () => {
    const ahead = Buffer.from(`1000000 ${Date.parse(target.engine.clock.now())}`);

    const refusal = await target.refusal('list_changes', { after: ahead.toString('base64url') });

    expect(refusal).toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(/after.*ahead of the store.*begin again/),
    });
  });

  it.each([
    ['a word', { after: 'yesterday' }, /after.*cursor.*begin again/],
    ['a cursor with more behind it', { after: 'MSAx.' }, /after.*cursor/],
    ['a date that no clock shows', { after: 'MSA5OTk5OTk5OTk5OTk5OTk5OTk' }, /after.*cursor/],
    ['no change', { limit: 0 }, /limit/],
    ['too many', { limit: 1001 }, /limit.*1000/],
    ['an empty id', { user_id: '' }, /user_id/],
  ])('are refused for %s', async (_, input, message) => {
    const refusal = await target.refusal('list_changes', input);

    expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringMatching(message) });
  });
});
