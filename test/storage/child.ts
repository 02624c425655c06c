// What each process runs in the tests of several: `open|write|forever FOLDER NAME COUNT`.
import type { Store } from '../../src/core/ports.ts';
import { openStore } from '../../src/storage/store.ts';
import { makeMemory, now } from './memory.ts';

const [mode, data_dir = '', name = '', count = '0'] = process.argv.slice(2);
const store = await openStore({
  data_dir,
  synchronous: 'normal',
  busy_timeout_ms: 10_000,
  log: () => {},
});
const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);

if (mode === 'open') say(await store.secret());
if (mode === 'write') for (let at = 0; at < Number(count); at += 1) await add(store, at);
if (mode === 'forever') for (let at = 0; ; at += 1) say(await add(store, at));
await store.close();

async function add(into: Store, at: number): Promise<string> {
  const id = `${name}-${at}`;
  await into.transaction(async (tx) => {
    if (await tx.memories.findSame(project, makeMemory(), id)) throw new Error('stored twice');
    await tx.memories.insert(project, [makeMemory({ id, hash: id })]);
  });
  const everything = { filter: { all: [] }, latest_only: false, not_expired_on: null };
  await into.memories.candidates(project, everything, { terms: ['tea'], limit: 3 });
  return id;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
