import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { checkIntegrity, storePath } from '../../src/storage/store.ts';
import { buildChild, type ChildProgram } from '../support/child-program.ts';
import { eventually } from '../support/eventually.ts';
import { rounds, shareOf, timeFor } from '../support/rounds.ts';
import { catalogOf } from './catalog.ts';
import { later, makeMemory, now } from './memory.ts';
import { makeDelivery, makeWebhook } from './records.ts';
import { everything, idsOf, insert, makeFolder, open, select } from './support.ts';

let program: ChildProgram;

beforeAll(async () => {
  program = await buildChild(new URL('./child.ts', import.meta.url));
});

afterAll(() => program.remove());

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [program.path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What a child printed, when it has ended well. */
async function outputOf(child: ChildProcess): Promise<string> {
  if (child.stdout === null || child.stderr === null) throw new Error('no pipes');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

describe('processes that open an empty folder at once', () => {
  const numbers = Array.from({ length: shareOf(20, 5) }, (_, index) => index + 1);

  it.each(numbers)('all find the same store, round %d', async () => {
    const folder = await makeFolder();
    const children = Array.from({ length: 4 }, () => start('open', folder));

    const secrets = await Promise.all(children.map(outputOf));

    expect(new Set(secrets).size).toBe(1);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });
});

describe('processes with a step to the next schema', () => {
  async function makeFilled() {
    const folder = await makeFolder();
    const store = await open(folder);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    await insert(store, project, ...['a', 'b', 'c'].map((id) => makeMemory({ id })));
    await store.close();
    return folder;
  }

  async function weightsIn(folder: string) {
    const sqlite = (await loadSqlite())(storePath(folder), { readOnly: true });
    const rows = sqlite.prepare('select weight from memories order by position').all();
    sqlite.close();
    return rows;
  }

  const weights = [2, 4, 6].map((weight) => ({ weight }));
  const upgraded = 'store upgraded\n';

  it('upgrade the store once', async () => {
    const folder = await makeFilled();
    const children = Array.from({ length: 4 }, () => start('upgrade', folder));

    const said = await Promise.all(children.map(outputOf));

    expect(said.toSorted()).toEqual(['', '', '', upgraded]);
    expect(await weightsIn(folder)).toEqual(weights);
  });

  it('leave it as it was if they are killed before the end, and the next one upgrades it', async () => {
    const folder = await makeFilled();
    const before = await catalogOf(folder);
    const killed = start('hang', folder);
    if (killed.stdout !== null) await once(killed.stdout, 'data');

    killed.kill('SIGKILL');
    await once(killed, 'exit');

    expect(await catalogOf(folder)).toEqual(before);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
    expect(await outputOf(start('upgrade', folder))).toBe(upgraded);
    expect(await weightsIn(folder)).toEqual(weights);
  });
});

describe('processes that write at once', () => {
  it('store everything, without an error', { timeout: 120_000 }, async () => {
    const folder = await makeFolder();
    const children = ['a', 'b', 'c'].map((name) => start('write', folder, name, '500'));

    await Promise.all(children.map(outputOf));

    const store = await open(folder);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, '');
    const stored = await store.memories.listOldest(project, select(), 2000);
    expect(new Set(idsOf(stored)).size).toBe(1500);
    expect(await store.memories.size(project, {})).toBe(1500);
    expect(await store.memories.size(project, { user_id: 'ann' })).toBe(1500);
    await store.close();
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });
});

describe('while another process holds the lock', () => {
  async function lockedStore(busy_timeout_ms: number) {
    const folder = await makeFolder();
    const store = await open(folder, { busy_timeout_ms });
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const other = (await loadSqlite())(storePath(folder));
    onTestFinished(() => store.close());
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    return { folder, store, project, other };
  }

  it('a write waits, other work goes on, and reads do not wait', async () => {
    const { store, project, other } = await lockedStore(10_000);
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 5);

    const write = insert(store, project, makeMemory({ id: 'm1' }));
    await eventually(() => expect(ticks).toBeGreaterThan(3));
    const before = await store.memories.find(project, 'm1');
    other.exec('commit');
    await write;
    clearInterval(timer);

    expect(before).toBeNull();
    expect(await store.memories.find(project, 'm1')).not.toBeNull();
  });

  it('a write that waited too long is refused, and the next one works', async () => {
    const { store, project, other } = await lockedStore(100);

    const late = insert(store, project, makeMemory());

    await expect(late).rejects.toMatchObject({ code: 'unavailable' });
    await expect(late).rejects.toThrow(/locked by another process/);
    other.exec('rollback');
    await insert(store, project, makeMemory({ id: 'm1' }));
    expect(await store.memories.find(project, 'm1')).not.toBeNull();
  });

  it('a store opens without waiting', async () => {
    const { folder, store } = await lockedStore(100);

    const second = await open(folder, { busy_timeout_ms: 100 });

    expect(await second.secret()).toBe(await store.secret());
    await second.close();
  });
});

describe('processes that send the same outbox', () => {
  it('claim each delivery once, those of a memory in order', { timeout: 60_000 }, async () => {
    const folder = await makeFolder();
    const store = await open(folder);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const webhook_id = 'w1';
    const deliveries = Array.from({ length: 300 }, (_, at) =>
      makeDelivery({ webhook_id, id: `d${at}`, memory_id: `m${at % 60}` }),
    );
    await store.transaction(async (tx) => {
      await tx.webhooks.insert(project, makeWebhook({ webhook_id }));
      await tx.deliveries.insert(project, deliveries);
    });

    const outputs = await Promise.all(
      ['a', 'b', 'c'].map((name) => outputOf(start('deliver', folder, name))),
    );

    const sent = outputs.flatMap((output) => output.split('\n').slice(0, -1));
    expect(sent.sort()).toEqual(idsOf(deliveries).sort());
    const page = { webhook_id, page: 1, page_size: 300 };
    const { results } = await store.deliveries.list(project, page);
    const timesOf = (memory: string) =>
      results.filter(({ memory_id }) => memory_id === memory).map((one) => one.delivered_at ?? '');
    for (let at = 0; at < 60; at += 1) {
      const times = timesOf(`m${at}`).reverse();
      expect(times).toEqual([...times].sort());
    }
    await store.close();
  });
});

describe('processes that get the same request', () => {
  it('let one of them carry it out', { timeout: 60_000 }, async () => {
    const folder = await makeFolder();

    const children = ['a', 'b', 'c'].map((name) => start('reserve', folder, name, '200'));
    const outputs = await Promise.all(children.map(outputOf));

    const reserved = outputs.flatMap((output) => output.split('\n').slice(0, -1));
    expect(reserved).toHaveLength(200);
    expect(new Set(reserved).size).toBe(200);
  });
});

describe('a process that is killed', () => {
  it('loses nothing that it acknowledged', { timeout: timeFor(120_000) }, async () => {
    const folder = await makeFolder();
    const acknowledged: string[] = [];

    for (let round = 0; round < rounds; round += 1) {
      const child = start('forever', folder, `${round}`);
      if (child.stdout === null) throw new Error('no pipe');
      let output = '';
      for await (const chunk of child.stdout.setEncoding('utf8')) {
        output += chunk;
        // How far it is by then depends on the machine, and on the round.
        if (output.split('\n').length > 3 + round * 7) child.kill('SIGKILL');
      }
      acknowledged.push(...output.split('\n').slice(0, -1));
    }

    const store = await open(folder);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, '');
    const all = await store.memories.listOldest(project, select(everything), 1_000_000);
    const lost = acknowledged.filter((id) => !new Set(idsOf(all)).has(id));
    expect(acknowledged.length).toBeGreaterThan(rounds);
    expect(lost).toEqual([]);
    expect(await store.memories.size(project, {})).toBe(all.length);
    await store.close();
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  });
});

it('a process killed while it prunes versions removes old ones only', async () => {
  const folder = await makeFolder();
  const before = await open(folder);
  const project = await before.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const ids = Array.from({ length: 200 }, (_, number) => `m${number}`);
  await insert(before, project, ...ids.map((id) => makeMemory({ id })));
  await before.transaction(async (tx) => {
    for (const at of [later(10), later(20)]) {
      for (const id of ids) await tx.memories.update(project, id, { memory: at, updated_at: at });
    }
  });
  await before.close();
  const versionsOf = async () => {
    const store = await open(folder);
    const all = await store.versions.listVersions(project, ids);
    await store.close();
    return all.filter(({ recorded_until }) => recorded_until !== null);
  };

  for (let round = 0; round < rounds; round += 1) {
    const child = start('prune', folder, later(15));
    if (child.stdout === null) throw new Error('no pipe');
    await once(child.stdout, 'readable');
    child.kill('SIGKILL');
    await once(child, 'close');
    const kept = await versionsOf();
    expect(kept.filter(({ recorded_until }) => recorded_until === later(20))).toHaveLength(200);
    expect(await checkIntegrity({ data_dir: folder })).toEqual([]);
  }

  await outputOf(start('prune', folder, later(15)));
  expect((await versionsOf()).map(({ recorded_until }) => recorded_until)).toEqual(
    ids.map(() => later(20)),
  );
});
