import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Engine, owner, startEngine } from '../support/engine.ts';

const yearMs = 365 * 24 * 60 * 60 * 1000;

describe('memories of a project with decay', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(async () => {
    await engine.stop();
  });

  async function add(text: string, more: object = {}): Promise<void> {
    const input = { text, infer: false, user_id: 'alice', ...more };
    await engine.invoke('add_memory', input, { caller: owner });
  }

  async function decay(on: boolean): Promise<void> {
    const { org_id, project_id } = engine.projects.own;
    await engine.invoke('update_project', { org_id, project_id, decay: on }, { caller: owner });
  }

  async function found(): Promise<string[]> {
    const input = { query: 'favourite tea', user_id: 'alice', threshold: 0 };
    const { results } = await engine.invoke('search_memories', input, { caller: owner });
    return results.map(({ memory }) => memory ?? '');
  }

  it('rank lower with age, and are still found', async () => {
    await add('Favourite tea: sencha');
    engine.clock.advance(2 * yearMs);
    await add('Favourite tea of the cousin who visits us on Sundays: rooibos');
    const before = await found();

    await decay(true);

    expect(before[0]).toBe('Favourite tea: sencha');
    expect(await found()).toEqual([
      'Favourite tea of the cousin who visits us on Sundays: rooibos',
      'Favourite tea: sencha',
    ]);
  });

  it('do not fade when they are immutable', async () => {
    await decay(true);
    await add('Favourite tea: sencha', { immutable: true });
    engine.clock.advance(2 * yearMs);
    await add('Favourite tea of the cousin who visits us on Sundays: rooibos');

    expect((await found())[0]).toBe('Favourite tea: sencha');
  });
});
