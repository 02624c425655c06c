import { expect, it, onTestFinished } from 'vitest';
import type { Role } from '../../src/contract/schemas/member.ts';
import type { Caller } from '../../src/contract.ts';
import type { Store } from '../../src/core/ports/index.ts';
import { openStore } from '../../src/storage/store.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

const add = { messages: [{ role: 'user', content: 'likes tea' }], user_id: 'ann', infer: false };

/** A member of the organization of the first project, and another process on the same store. */
async function start() {
  const engine = await startEngine();
  const { data_dir, store, clock, projects } = engine;
  const options = { synchronous: 'normal', busy_timeout_ms: 5_000, log: () => {} } as const;
  const elsewhere = await openStore({ ...options, data_dir });
  onTestFinished(async () => {
    await elsewhere.close();
    await engine.stop();
  });
  const now = clock.now();
  const account = { account_id: 'bob', email: 'bob@example.com', username: 'bob', created_at: now };
  await store.transaction((tx) => tx.accounts.insert(account));
  const caller: Caller = { ...owner, account_id: 'bob' };
  const place = { org_id: projects.own.org_id, project_key: null };
  const setRole = (of: Store, role: Role) =>
    of.transaction((tx) => tx.members.put(place, { account_id: 'bob', role, now }));
  await setRole(store, 'OWNER');
  return { engine, elsewhere, caller, place, setRole };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    (error) => error.code,
  );
}

const list = ({ invoke }: Engine, caller: Caller) =>
  codeOf(invoke('get_memories', { user_id: 'ann' }, { caller }));
const write = ({ invoke }: Engine, caller: Caller) => codeOf(invoke('add_memory', add, { caller }));

it('a role counts with the next request, whichever process changed it', async () => {
  const { engine, elsewhere, caller, setRole } = await start();
  const codes = [await write(engine, caller)];

  for (const [of, role] of [
    [elsewhere, 'READER'],
    [elsewhere, 'OWNER'],
    [engine.store, 'READER'],
  ] as const) {
    await setRole(of, role);
    codes.push(await write(engine, caller));
  }

  expect(codes).toEqual(['done', 'forbidden', 'done', 'forbidden']);
});

it('a member who was removed in another process is a stranger to the next request', async () => {
  const { engine, elsewhere, caller, place } = await start();
  const { project_id } = engine.projects.own;
  const named = () =>
    codeOf(engine.invoke('get_memories', { user_id: 'ann', project_id }, { caller }));
  const before = [await list(engine, caller), await named()];

  await elsewhere.transaction((tx) => tx.members.delete(place, 'bob'));

  expect(before).toEqual(['done', 'done']);
  expect([await list(engine, caller), await named()]).toEqual(['invalid', 'not_found']);
});

it('settings that another process changed hold for the next request', async () => {
  const { engine, elsewhere, caller } = await start();
  const { invoke, projects, clock } = engine;
  const { project_id } = projects.own;
  const nameOf = async () => (await invoke('get_project', { project_id }, { caller })).name;
  const before = await nameOf();
  const patch = { name: 'Renamed', updated_at: clock.now() };

  await elsewhere.transaction((tx) => tx.projects.update(projects.own, patch));

  expect([before, await nameOf()]).toEqual(['Default', 'Renamed']);
});

it('a project that was refused is found once it is there', async () => {
  const { engine, elsewhere, caller, place } = await start();
  const input = { user_id: 'ann', org_id: place.org_id, project_id: 'later' };
  const ask = () => codeOf(engine.invoke('get_memories', input, { caller }));
  const before = await ask();

  await elsewhere.ensureProject({ org_id: place.org_id, project_id: 'later' }, engine.clock.now());

  expect([before, await ask()]).toEqual(['not_found', 'done']);
});

it('what one caller may see says nothing of another', async () => {
  const { engine, caller } = await start();
  const input = { user_id: 'ann', project_id: engine.projects.foreign.project_id };
  const ask = (as: Caller) => codeOf(engine.invoke('get_memories', input, { caller: as }));

  expect([await ask(owner), await ask(caller), await ask(owner)]).toEqual([
    'done',
    'not_found',
    'done',
  ]);
});
