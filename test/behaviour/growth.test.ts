import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** These operations are not tools. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(faces)('the growth of a project, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, more: Record<string, unknown> = {}): Promise<string> {
    const input = { text, user_id: 'ada', ...more };
    return (await target.call('add_memory', input)).results[0]?.id ?? '';
  }

  it('counts by day what was added, changed, deleted and searched for', async () => {
    const memory_id = await remember('Ada lives in Porto');
    await remember('Ada keeps bees');
    target.engine.clock.advance(dayMs);
    await target.call('search_memories', { query: 'bees', user_id: 'ada' });
    await target.call('update_memory', { memory_id, text: 'Ada lives in Rome' });
    await target.call('delete_memory', { memory_id });

    const { days } = await target.call('get_growth', { days: 3 });

    expect(days).toMatchObject([
      { added: 0, updated: 0, deleted: 0, searches: 0 },
      { added: 2, updated: 0, deleted: 0, searches: 0 },
      { added: 0, updated: 1, deleted: 1, searches: 1 },
    ]);
    expect(days.map(({ day }) => day).toSorted()).toEqual(days.map(({ day }) => day));
  });

  it('counts what was added in each category', async () => {
    const { project_id } = target.engine.projects.own;
    const custom_categories = [{ pets: 'dogs and cats' }];
    await target.call('update_project', { project_id, custom_categories });
    await remember('Ada has two dogs and a cat');

    const { days } = await target.call('get_growth', { days: 1 });

    expect(days).toMatchObject([{ added: 1, categories: { pets: 1 } }]);
  });

  it('adds up by day the tokens of the answers that are kept as recalls', async () => {
    const { own, sibling } = target.engine.projects;
    await remember('Ada keeps bees');
    await target.call('search_memories', { query: 'bees', user_id: 'ada' });
    for (const { project_id } of [own, sibling]) {
      await target.call('update_project', { project_id, keep_recalls: 'text' });
    }
    target.engine.clock.advance(dayMs);
    await target.call('search_memories', { query: 'bees', user_id: 'ada' });
    await target.call('get_context', { query: 'bees', user_id: 'ada' });
    await remember('Ada flies', { project_id: sibling.project_id });
    await target.call('search_memories', { query: 'flies', project_id: sibling.project_id });
    const kept = (await target.call('list_recalls', {})).results.map(({ tokens }) => tokens);

    const { days } = await target.call('get_growth', { days: 2 });

    expect(kept).toHaveLength(2);
    expect(Math.min(...kept)).toBeGreaterThan(0);
    expect(days).toMatchObject([
      { recalled_tokens: 0 },
      { recalled_tokens: kept.reduce((sum, one) => sum + one, 0) },
    ]);
  });

  it('does not tell of another project, nor of what waits for a review', async () => {
    const { own, sibling } = target.engine.projects;
    await remember('Elsewhere', { project_id: sibling.project_id });
    await target.call('update_project', { project_id: own.project_id, review: 'all' });
    await remember('Ada may keep bees');

    const { days } = await target.call('get_growth', { days: 1, project_id: own.project_id });

    expect(days).toMatchObject([{ added: 0 }]);
  });

  it('goes back a year at most, and hides what is hidden', async () => {
    const { foreign } = target.engine.projects;
    const place = { org_id: foreign.org_id, project_id: foreign.project_id };
    const stranger = target.as({ ...place, bound_to: 'project' });
    const { project_id } = target.engine.projects.own;

    const refusals = [
      await target.refusal('get_growth', { days: 367 }),
      await stranger.refusal('get_growth', { project_id }),
      await stranger.refusal('get_growth', { project_id: 'unknown' }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(['invalid', 'not_found', 'not_found']);
    expect(refusals[1]).toEqual(refusals[2]);
  });
});
