import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

const alice = { entity_type: 'user', entity_id: 'alice' };
const person = {
  type: 'object',
  properties: { city: { type: 'string' }, age: { type: 'integer' }, pet: { type: 'string' } },
};

/** None of these operations is a tool, so agents do not reach them. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(faces)('profiles and summaries, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function add(text: string, more: object = {}): Promise<void> {
    await target.call('add_memory', { text, infer: false, user_id: 'alice', ...more });
    target.engine.clock.advance(1000);
  }

  async function addThree(): Promise<void> {
    await add('Lives in Lisbon');
    await add('Is 34 years old');
    await add('Eats no meat', { custom_categories: [{ food: 'what someone eats' }] });
  }

  describe('a profile', () => {
    it('holds what is known by topic, newest first', async () => {
      await addThree();

      const profile = await target.call('get_profile', alice);

      expect(profile).toMatchObject({
        ...alice,
        status: 'succeeded',
        profile: { food: ['Eats no meat'], general: ['Is 34 years old', 'Lives in Lisbon'] },
        memory_count: 3,
        generated_at: target.engine.clock.now(),
      });
    });

    it('has the shape of the settings', async () => {
      await addThree();
      const entities = { user: { schema: person, custom_instructions: 'Be brief' } };
      const settings = await target.call('update_profile_settings', { entities });

      const { profile } = await target.call('get_profile', alice);

      expect(settings).toEqual({ enabled: true, entities });
      expect(await target.call('get_profile_settings', {})).toEqual(settings);
      expect(profile).toEqual({ city: 'Lisbon', age: 34, pet: null });
    });

    it('tells nothing of what was deleted since', async () => {
      await addThree();
      await add('Has a secret');
      const before = await target.call('get_profile', alice);
      await target.call('delete_all_memories', {
        filters: { AND: [{ user_id: 'alice' }, { keywords: { contains: 'secret' } }] },
      });

      const after = await target.call('get_profile', alice);

      expect(JSON.stringify(before)).toContain('Has a secret');
      expect(JSON.stringify(after)).not.toContain('Has a secret');
    });

    it('is not made of fewer than three memories, nor for anyone unknown', async () => {
      await add('Lives in Lisbon');
      await add('Is 34 years old');

      const few = await target.call('get_profile', alice);
      const none = await target.call('get_profile', { ...alice, entity_id: 'nobody' });

      expect(few).toMatchObject({ status: 'insufficient_data', memory_count: 2, profile: {} });
      expect(none).toMatchObject({ status: 'insufficient_data', memory_count: 0 });
    });

    it('is not made when profiles are switched off', async () => {
      await addThree();
      await target.call('update_profile_settings', { enabled: false });

      expect(await target.call('get_profile', alice)).toMatchObject({
        status: 'not_enabled',
        profile: {},
        generated_at: null,
      });
    });

    it('refuses an unknown kind of entity and a schema of no object', async () => {
      const refusals = [
        await target.refusal('get_profile', { ...alice, entity_type: 'team' }),
        await target.refusal('update_profile_settings', {
          entities: { user: { schema: { type: 'array' } } },
        }),
      ];

      expect(refusals.map(({ code }) => code)).toEqual(['invalid', 'invalid']);
      expect(refusals[1]?.message).toContain('entities.user.schema');
    });

    it('belongs to one project', async () => {
      await addThree();
      const { org_id, project_id } = target.engine.projects.foreign;
      const elsewhere = target.as({ org_id, project_id, bound_to: 'project' });

      expect(await elsewhere.call('get_profile', alice)).toMatchObject({ memory_count: 0 });
    });
  });

  describe('a profile job', () => {
    it('makes the profile of one entity', async () => {
      await addThree();
      const job = await target.call('create_profile_job', { operation: 'trigger', ...alice });

      const again = await target.call('get_profile_job', { job_id: job.job_id });

      expect(job).toMatchObject({
        operation: 'trigger',
        status: 'succeeded',
        entity_type: 'user',
        entity_id: 'alice',
        profiles: [{ status: 'succeeded', memory_count: 3 }],
        error: null,
      });
      expect(again).toMatchObject({ job_id: job.job_id, status: 'succeeded' });
    });

    it('makes those of the entities with the most memories', async () => {
      await add('Lives in Rome', { user_id: 'bob' });
      await addThree();

      const job = await target.call('create_profile_job', { operation: 'sample' });

      expect(job.entity_id).toBeNull();
      expect(job.profiles).toMatchObject([
        { entity_id: 'alice', status: 'succeeded' },
        { entity_id: 'bob', status: 'insufficient_data' },
      ]);
    });

    it('needs an entity, and is found in its project only', async () => {
      const { job_id } = await target.call('create_profile_job', alice);
      const { org_id, project_id } = target.engine.projects.foreign;
      const elsewhere = target.as({ org_id, project_id, bound_to: 'project' });

      const refusals = [
        await target.refusal('create_profile_job', { operation: 'trigger' }),
        await target.refusal('get_profile_job', { job_id: 'unknown' }),
        await elsewhere.refusal('get_profile_job', { job_id }),
        await target.as({ read_only: true }).refusal('create_profile_job', alice),
        await target.as({ read_only: true }).refusal('update_profile_settings', { enabled: false }),
      ];

      expect(refusals.map(({ code }) => code)).toEqual([
        'invalid',
        'not_found',
        'not_found',
        'forbidden',
        'forbidden',
      ]);
    });
  });

  describe('a summary', () => {
    it('lists the newest facts by topic', async () => {
      await addThree();

      const summary = await target.call('get_summary', { filters: { user_id: 'alice' } });

      expect(summary).toEqual({
        summary: 'food:\n- Eats no meat\n\ngeneral:\n- Is 34 years old\n- Lives in Lisbon',
        memory_count: 3,
        generated_at: target.engine.clock.now(),
      });
    });

    it('is the same text each time and of bounded length', async () => {
      for (let count = 0; count < 20; count += 1) {
        await add(`Fact ${count}: ${'long '.repeat(100)}`);
      }

      const one = await target.call('get_summary', { user_id: 'alice' });
      const other = await target.call('get_summary', { user_id: 'alice' });

      expect(other.summary).toBe(one.summary);
      expect(one.summary).toContain('Fact 19');
      expect(one.summary.length).toBeLessThanOrEqual(2000);
      expect(one.memory_count).toBe(20);
    });

    it('of nothing is empty', async () => {
      const summary = await target.call('get_summary', { user_id: 'nobody' });

      expect(summary).toMatchObject({ summary: '', memory_count: 0 });
    });

    it('refuses an unknown filter', async () => {
      const refusal = await target.refusal('get_summary', { filters: { color: 'red' } });

      expect(refusal.code).toBe('invalid');
    });
  });
});
