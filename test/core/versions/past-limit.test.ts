import { expect, it, onTestFinished } from 'vitest';
import { createInvoke } from '../../../src/core/invoke.ts';
import { owner, startEngine } from '../../support/engine.ts';

it('a search of the past says of what it would have to compare too much', async () => {
  const engine = await startEngine();
  onTestFinished(() => engine.stop());
  await engine.invoke('add_memory', { text: 'one', user_id: 'ann' }, { caller: owner });
  const { store } = engine.deps;
  const listCandidates: typeof store.versions.listCandidates = (project, selection, at) =>
    store.versions.listCandidates(project, selection, { ...at, limit: 0 });
  const versions = { ...store.versions, listCandidates };
  const invoke = createInvoke({ ...engine.deps, store: { ...store, versions } });
  const search = (clocks: object) =>
    invoke('search_memories', { query: 'one', user_id: 'ann', ...clocks }, { caller: owner });

  const problem = 'searches the past of up to 20000 memories; name a user_id or other filters';
  await expect(search({ as_of: engine.clock.now() })).rejects.toThrow(`as_of: ${problem}`);
  await expect(search({ valid_at: '2020-01-01' })).rejects.toThrow(`valid_at: ${problem}`);
});
