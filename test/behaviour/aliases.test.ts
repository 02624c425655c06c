import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Input, type Target, targets } from '../support/targets.ts';

describe.each(targets)('aliases of a project, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
    const aliases = [
      ['k8s', 'Kubernetes'],
      ['Mum', 'Helen'],
      ['NYC', 'New York'],
    ];
    await configure({ aliases });
    await remember('The cluster runs Kubernetes 1.29');
    await remember('Helen bakes rye bread on Sundays');
    await remember('The office in New York closes at noon');
    await remember('Ann collects stamps');
  });
  afterEach(async () => {
    await target.stop();
  });

  function configure(settings: Input) {
    const { org_id, project_id } = target.engine.projects.own;
    return target.call('update_project', { org_id, project_id, ...settings });
  }

  async function remember(text: string) {
    await target.call('add_memory', { text, user_id: 'ann' });
  }

  async function find(query: string, input: Input = {}) {
    const asked = { query, user_id: 'ann', cut: 'relaxed', ...input };
    const { results } = await target.call('search_memories', asked);
    return results.map(({ memory }) => memory);
  }

  it.each([
    ['Which k8s do we run?', 'Kubernetes'],
    ['What does mum bake?', 'Helen'],
    ['When does the NYC office close?', 'New York'],
  ])('find by one name what says another: %s', async (query, other) => {
    expect((await find(query))[0]).toContain(other);
    const { text } = await target.call('get_context', { query, user_id: 'ann' });
    expect(text).toContain(other);
  });

  it('of several words count as a phrase, on either side', async () => {
    await configure({ aliases: [['Old Smokey', 'coffee roaster']] });
    await remember('Old Smokey was repaired in May');
    await remember('The coffee roaster stands in the shed');
    await remember('The old shed smells of coffee');
    await remember('Bo is an old friend');
    const words = { keyword_search: true, threshold: 0.01, cut: 'off' };

    expect((await find('roaster', words)).join()).not.toContain('Old Smokey');
    const byOne = await find('Where is Smokey, Old Smokey?', words);
    expect(byOne).toContain('The coffee roaster stands in the shed');
    const byOther = await find('coffee roaster', words);
    expect(byOther.slice(0, 2).sort()).toEqual([
      'Old Smokey was repaired in May',
      'The coffee roaster stands in the shed',
    ]);
    expect(byOther).not.toContain('Bo is an old friend');
  });

  it('are not found where the project has none', async () => {
    await configure({ aliases: [] });

    expect(await find('k8s', { keyword_search: true })).toEqual([]);
  });

  it('do not count within other words', async () => {
    expect(await find('mumps', { keyword_search: true })).toEqual([]);
  });

  it('are shown by an explanation, where the question has one', async () => {
    const asked = { user_id: 'ann', explain: true };
    const found = await target.call('search_memories', { query: 'k8s version', ...asked });
    const context = await target.call('get_context', { query: 'k8s version', ...asked });
    const other = await target.call('search_memories', { query: 'stamps', ...asked });

    expect(found.explanation?.aliases).toEqual([{ name: 'k8s', also: ['Kubernetes'] }]);
    expect(context.explanation?.aliases).toEqual(found.explanation?.aliases);
    expect(other.explanation).not.toHaveProperty('aliases');
  });

  it.each([
    [[['k8s']], 'two names'],
    [[Array.from({ length: 11 }, (_, index) => `name ${index}`)], 'at most 10'],
    [Array.from({ length: 201 }, () => ['a', 'b']), 'at most 200'],
    [[['', 'b']], 'aliases'],
  ])('refuse what is not a group of names (%#)', async (aliases, word) => {
    const { org_id, project_id } = target.engine.projects.own;

    const refusal = await target.refusal('update_project', { org_id, project_id, aliases });

    expect(refusal).toMatchObject({ code: 'invalid' });
    expect(refusal.message).toContain(word);
  });
});

describe.each(targets)('names that memories say are one, %s', (_name, start) => {
  let target: Target;
  let statement: string;

  const version = 'Kubernetes 1.29 runs in Oslo';
  const stated = 'k8s is short for Kubernetes';
  const words = { keyword_search: true, threshold: 0.01 };

  beforeEach(async () => {
    target = await start();
    await remember(version);
    await remember('Ann collects stamps');
    statement = await remember(stated);
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, owner: Input = { user_id: 'ann' }): Promise<string> {
    const { results } = await target.call('add_memory', { text, ...owner });
    return String(results[0]?.id);
  }

  async function find(query: string, owner: Input = { user_id: 'ann' }) {
    const asked = { query, ...owner, ...words };
    const { results } = await target.call('search_memories', asked);
    return results.map(({ memory }) => memory);
  }

  it('find what says the other name, in searches and contexts', async () => {
    const asked = { query: 'What about k8s?', user_id: 'ann', cut: 'off' };
    const { text } = await target.call('get_context', asked);

    expect((await find('k8s')).sort()).toEqual([version, stated]);
    expect(text).toContain(version);
    expect((await find('Kubernetes')).sort()).toEqual([version, stated]);
    expect(await find('stamps')).toEqual(['Ann collects stamps']);
  });

  it.each([
    ['deleted', () => target.call('delete_memory', { memory_id: statement })],
    [
      'corrected',
      () => target.call('update_memory', { memory_id: statement, text: 'k8s is a puzzle' }),
    ],
    ['erased', () => target.call('erase_memories', { memory_ids: [statement] })],
    [
      'no longer true',
      () => target.call('update_memory', { memory_id: statement, valid_until: '2020-01-01' }),
    ],
  ])('count no more once the statement is %s', async (_case, change) => {
    await change();

    expect(await find('k8s')).not.toContain(version);
  });

  it('count again after an undo', async () => {
    const since = target.engine.clock.now();
    target.engine.clock.advance(1000);
    await target.call('delete_memory', { memory_id: statement });
    target.engine.clock.advance(1000);
    expect(await find('k8s')).toEqual([]);

    await target.call('undo_changes', { since, user_id: 'ann' });

    expect((await find('k8s')).sort()).toEqual([version, stated]);
  });

  it('count for no other user', async () => {
    await remember(version, { user_id: 'bob' });
    await remember('k8s is a game', { user_id: 'bob' });

    expect(await find('k8s', { user_id: 'bob' })).toEqual(['k8s is a game']);
    const everyone = { filters: { user_id: '*' } };
    expect((await find('k8s', everyone)).sort()).toEqual(['k8s is a game', stated]);
  });

  it('of one user count not for an agent, of an agent alone they do', async () => {
    await remember(version, { agent_id: 'guide' });
    await remember('k9s is short for Kubernetes', { agent_id: 'guide', user_id: 'eve' });
    expect(await find('k9s', { agent_id: 'guide' })).not.toContain(version);

    await remember('kube is short for Kubernetes', { agent_id: 'guide' });

    expect(await find('kube', { agent_id: 'guide' })).toContain(version);
  });

  it('are found in other words of a conversation: a mum, a nickname, a cluster', async () => {
    await remember('Today my mum Helen came by');
    await remember('Helen bakes rye bread');
    await remember('We call the staging cluster Bruno');
    await remember('Bruno restarts at noon');
    await remember('Everyone calls me Bo');
    await remember('User likes window seats');

    expect(await find('mum')).toContain('Helen bakes rye bread');
    expect(await find('staging cluster')).toContain('Bruno restarts at noon');
    expect(await find('Bo')).toContain('User likes window seats');
  });
});
