// What each process runs in the tests of several:
// `open|upgrade|hang|write|forever|prune|deliver|reserve|keep FOLDER NAME COUNT`.
import { once } from 'node:events';
import { bm25 } from '../../src/core/bm25.ts';
import type { Store } from '../../src/core/ports/index.ts';
import { schemaSteps } from '../../src/storage/migrations/steps.ts';
import { openStore, type StoreOptions } from '../../src/storage/store.ts';
import { pause } from '../support/pause.ts';
import { addWeight } from './example-step.ts';
import { later, makeMemory, now } from './memory.ts';
import { makeAnswer } from './records.ts';

const [mode, data_dir = '', name = '', count = '0'] = process.argv.slice(2);
const store = await openStore({
  data_dir,
  synchronous: 'normal',
  busy_timeout_ms: 10_000,
  log: mode === 'upgrade' ? (_level, message) => say(message) : () => {},
  steps: stepsOf(mode),
  ...(mode === 'keep' && { upkeep: { firstMs: 1, everyMs: 20, least: 0 } }),
});
const delivered = { status: 'DELIVERED', response_status: 200, error: null } as const;
const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);

if (mode === 'open') say(await store.secret());
if (mode === 'write') for (let at = 0; at < Number(count); at += 1) await add(store, at);
if (mode === 'forever') for (let at = 0; ; at += 1) say(await add(store, at));
if (mode === 'prune') await prune(name);
if (mode === 'deliver') await deliverAll();
if (mode === 'reserve') await reserveAll();
if (mode === 'keep') await stay();
await store.close();

/** `hang` says when its step has changed everything, and never ends it. */
function stepsOf(given: string | undefined): StoreOptions['steps'] {
  if (given === 'upgrade') return [...schemaSteps, addWeight];
  if (given !== 'hang') return undefined;
  const hang = async () => {
    say('changed');
    await stay();
  };
  return [...schemaSteps, async (db, words) => addWeight(db, words).then(hang)];
}

/** Says how many versions went with each transaction. */
async function prune(before: string): Promise<void> {
  for (let gone = -1; gone !== 0; ) {
    gone = await store.transaction((tx) => tx.versions.deleteEndedBefore(before, 5));
    say(`${gone}`);
  }
}

/** A store's background work does not keep a process alive. */
async function stay(): Promise<void> {
  const staying = setInterval(() => {}, 1000);
  await once(process, 'SIGTERM');
  clearInterval(staying);
}

async function add(into: Store, at: number): Promise<string> {
  const id = `${name}-${at}`;
  await into.transaction(async (tx) => {
    if (await tx.memories.findDuplicate(project, makeMemory(), id)) throw new Error('stored twice');
    await tx.memories.insert(project, [makeMemory({ id, hash: id })]);
  });
  const everything = {
    filter: { all: [] },
    latest_only: false,
    not_expired_on: null,
    status: 'active' as const,
  };
  await into.memories.listCandidates(project, everything, { terms: [['tea']], bm25, limit: 3 });
  return id;
}

/** Ends when nothing is left to deliver, also by others. */
async function deliverAll(): Promise<void> {
  for (;;) {
    const lease = { owner: name, now, until: later(30), limit: 3 };
    const claimed = await store.deliveries.claim(lease);
    if (claimed.length === 0 && !(await isDelivering())) return;
    for (const delivery of claimed) {
      say(delivery.id);
      await store.deliveries.recordAttempt(delivery, {
        ...delivered,
        next_attempt_at: null,
        delivered_at: clock(),
      });
    }
    await pause(1); // the others have a turn
  }
}

async function isDelivering(): Promise<boolean> {
  const all = { webhook_id: 'w1', page: 1, page_size: 1000 };
  const { results } = await store.deliveries.list(project, all);
  return results.some(({ status }) => status === 'PENDING');
}

async function reserveAll(): Promise<void> {
  for (let at = 0; at < Number(count); at += 1) {
    const id = `answer-${at}`;
    const before = await store.idempotencyKeys.reserve(makeAnswer({ id, request_hash: name }));
    if (before === null) say(id);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function clock(): string {
  return new Date().toISOString();
}
