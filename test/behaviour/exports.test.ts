import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Output } from '../../src/contract.ts';
import { eventually } from '../support/eventually.ts';
import { type Input, type Target, targets } from '../support/targets.ts';

const unknown = '11111111-1111-4111-8111-111111111111';
const schema = {
  title: 'Person',
  type: 'object',
  properties: {
    city: { type: 'string' },
    facts: {
      type: 'array',
      items: { type: 'object', properties: { fact: { type: 'string' } } },
    },
  },
};

describe.each(targets)('exports, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
    await target.call('add_memory', { text: 'Lives in Lisbon', user_id: 'alice' });
    await target.call('add_memory', { text: 'Lives in Rome', user_id: 'bob' });
  });
  afterEach(async () => {
    await target.stop();
  });

  async function ready(input: Input): Promise<Output<'get_export'>> {
    return eventually(async () => {
      const answer = await target.call('get_export', input);
      expect(answer.status).toBe('SUCCEEDED');
      return answer;
    });
  }

  it('are filled from the memories of an entity', async () => {
    const { message, id } = await target.call('create_export', { schema, user_id: 'alice' });

    const { data } = await ready({ memory_export_id: id });

    expect(message).toContain('Memory export request received');
    expect(data).toEqual({ city: 'Lisbon', facts: [{ fact: 'Lives in Lisbon' }] });
  });

  it('are filled from what a filter selects', async () => {
    const filters = { OR: [{ user_id: 'bob' }, { user_id: 'carol' }] };
    const { id } = await target.call('create_export', { schema, filters });

    const { data } = await ready({ memory_export_id: id });

    expect(data).toEqual({ city: 'Rome', facts: [{ fact: 'Lives in Rome' }] });
  });

  it('take a schema as text too, and one without properties', async () => {
    const text = JSON.stringify({ type: 'object' });
    const { id } = await target.call('create_export', { schema: text as never, user_id: 'alice' });

    expect((await ready({ memory_export_id: id })).data).toEqual({});
  });

  it('are found as the latest of their entity or filter, however it was named', async () => {
    const filters = { AND: [{ user_id: 'alice' }, { keywords: { contains: 'Lisbon' } }] };
    await target.call('create_export', { schema, user_id: 'bob' });
    await target.call('create_export', { schema, filters: { user_id: 'alice' } });
    const { id: wide } = await target.call('create_export', { schema, user_id: 'alice' });
    await ready({ memory_export_id: wide });
    const byFilter = await ready({ filters: { user_id: 'alice' } });
    const { id: narrow } = await target.call('create_export', { schema, filters });
    await ready({ memory_export_id: narrow });
    const byOther = await ready({ filters });
    const bob = await ready({ user_id: 'bob' });

    expect(byFilter.data).toEqual({ city: 'Lisbon', facts: [{ fact: 'Lives in Lisbon' }] });
    expect(byOther.data).toEqual(byFilter.data);
    expect(bob.data).toEqual({ city: 'Rome', facts: [{ fact: 'Lives in Rome' }] });
  });

  it('are recorded as events', async () => {
    const { id } = await target.call('create_export', { schema, user_id: 'alice' });
    await ready({ memory_export_id: id });

    const { results } = await target.call('list_events', { event_type: 'EXPORT' });

    expect(results).toMatchObject([
      { status: 'SUCCEEDED', payload: { user_id: 'alice' }, latency: expect.any(Number) },
    ]);
  });

  it('are erased with their entity', async () => {
    const { id } = await target.call('create_export', { schema, filters: { user_id: 'alice' } });
    await ready({ memory_export_id: id });
    await target.call('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    const refusal = await target.refusal('get_export', { memory_export_id: id });

    expect(refusal.code).toBe('not_found');
  });

  it('are erased with every entity that they may tell of or name, and with no other', async () => {
    const exportOf = async (input: Input) => {
      const { id } = await target.call('create_export', { schema, ...input });
      await ready({ memory_export_id: id });
      return id;
    };
    const either = { OR: [{ user_id: 'alice' }, { user_id: 'bob' }] };
    const about = await exportOf({ filters: either });
    const anyone = await exportOf({ filters: { keywords: 'Lisbon' } });
    const others = await exportOf({ filters: { NOT: { user_id: 'alice' } } });
    const bob = await exportOf({ user_id: 'bob' });

    await target.call('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    for (const id of [about, anyone, others]) {
      const refusal = await target.refusal('get_export', { memory_export_id: id });
      expect(refusal.code).toBe('not_found');
    }
    expect((await ready({ memory_export_id: bob })).data).toMatchObject({ city: 'Rome' });
  });

  it('refuse what is no schema of an object', async () => {
    const refusals = [
      await target.refusal('create_export', { user_id: 'alice' }),
      await target.refusal('create_export', { schema: 'city' }),
      await target.refusal('create_export', { schema: { type: 'array' } }),
      await target.refusal('create_export', { schema: { $ref: '#/$defs/A' } }),
      await target.refusal('create_export', { schema, filters: { color: 'red' } }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(Array(5).fill('invalid'));
    expect(refusals[0]?.message).toContain('schema');
    expect(refusals[2]?.message).toContain('object');
  });

  it('hide behind the answer for an unknown id', async () => {
    const { id } = await target.call('create_export', { schema, user_id: 'alice' });
    const { org_id, project_id } = target.engine.projects.foreign;
    const elsewhere = target.as({ org_id, project_id, bound_to: 'project' });

    const missing = await target.refusal('get_export', { memory_export_id: unknown });
    const none = await target.refusal('get_export', { user_id: 'carol' });
    const hidden = await elsewhere.refusal('get_export', { memory_export_id: id });

    expect(missing).toMatchObject({
      code: 'not_found',
      message: 'No memory export request found',
    });
    expect([none, hidden]).toEqual([missing, missing]);
  });

  it('can not be made with a key that only reads', async () => {
    const reader = target.as({ read_only: true });

    const refusal = await reader.refusal('create_export', { schema, user_id: 'alice' });

    expect(refusal.code).toBe('forbidden');
  });
});
