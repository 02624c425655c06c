import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase } from '../../src/app/doctor/database-checks.ts';
import type { Store } from '../../src/core/ports/index.ts';
import { later, makeMemory, now } from '../storage/memory.ts';
import { makeFolder, open } from '../storage/support.ts';
import { databaseOf, inDatabase, isPostgres } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

/** Two stores on one database, as two processes have them. */
async function makeTwo() {
  const folder = await makeFolder();
  const open1 = async () => {
    const store = await open(folder);
    onTestFinished(() => store.close());
    return store;
  };
  const [one, two] = [await open1(), await open1()];
  const project = await one.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  return { folder, one, two, project };
}

const count = 30;

async function enqueue(store: Store, project: Parameters<Store['jobs']['enqueue']>[0]) {
  await store.transaction(async (tx) => {
    for (let number = 0; number < count; number += 1) {
      const job = { id: `job ${number}`, kind: 'process_event', subject_id: 's' } as const;
      await tx.jobs.enqueue(project, { ...job, run_at: now });
    }
  });
}

describe.skipIf(!isPostgres)('two stores on one database', () => {
  it('notify each other of work', async () => {
    const { one, two, project } = await makeTwo();
    let woken = 0;
    two.onWork(() => {
      woken += 1;
    });
    await eventually(() => expect(woken).toBe(1)); // it listens

    await enqueue(one, project);

    await eventually(() => expect(woken).toBeGreaterThan(1));
  });

  it('claim each job once, concurrently', async () => {
    const { one, two, project } = await makeTwo();
    await enqueue(one, project);

    const claims = Array.from({ length: count + 4 }, (_, index) =>
      (index % 2 === 0 ? one : two).jobs.claim({ owner: `${index}`, now, until: later(60_000) }),
    );

    const ids = (await Promise.all(claims)).flatMap((job) => job?.id ?? []);
    expect(ids.length).toBeGreaterThan(count / 2);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('let one of two writers in a project wait for the other', async () => {
    const { one, two, project } = await makeTwo();
    const ids = { user_id: 'ann', agent_id: null, app_id: null, run_id: null };
    const addOnce = (store: Store, hash: string) =>
      store.transaction(async (tx) => {
        if ((await tx.memories.findDuplicate(project, ids, hash)) !== null) return;
        await tx.memories.insert(project, [makeMemory({ ...ids, hash })]);
      });

    const hashes = Array.from({ length: 10 }, (_, index) => `hash ${index}`);
    await Promise.all(hashes.flatMap((hash) => [addOnce(one, hash), addOnce(two, hash)]));

    expect(await one.memories.size(project, {})).toBe(hashes.length);
  });

  it('create the same project once', async () => {
    const { one, two } = await makeTwo();
    const ref = { org_id: 'new', project_id: 'new' };

    const made = await Promise.all([one, two, one].map((store) => store.ensureProject(ref, now)));

    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
  });

  it('can be opened at once on an empty database, and create its tables once', async () => {
    const { folder } = await makeTwo();
    await inDatabase(folder, (client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    );
    await inDatabase(folder, (client) => client.query('drop schema mneme cascade'));
    const { database = null } = await databaseOf(folder);

    const stores = await Promise.all([1, 2, 3].map(() => open(folder, { database })));

    const secrets = await Promise.all(stores.map((store) => store.secret()));
    expect(new Set(secrets).size).toBe(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  it('continue after their connections break', async () => {
    const { folder, one, project } = await makeTwo();
    await one.transaction((tx) => tx.memories.insert(project, [makeMemory({ id: 'm1' })]));
    const broken = await inDatabase(folder, (client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      ),
    );

    expect(broken.rowCount).toBeGreaterThan(0);
    expect(await one.memories.find(project, 'm1')).not.toBeNull();
    await one.transaction((tx) => tx.memories.insert(project, [makeMemory({ id: 'm2' })]));
    expect(await one.memories.size(project, {})).toBe(2);
  });
});

describe.skipIf(!isPostgres)('a database', () => {
  it('that does not exist is named without its password', async () => {
    const folder = await makeFolder();
    const { database } = await databaseOf(folder);
    const url = new URL(database?.url ?? '');
    url.pathname = '/nowhere';

    const opening = open(folder, { database: { ...limits, url: url.href } });

    await expect(opening).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^the database 127\.0\.0\.1:\d+\/nowhere does not exist/),
    });
    await expect(opening).rejects.not.toThrow(url.password);
  });

  it('that another version wrote is refused, also by doctor, and left as it is', async () => {
    const { folder, one } = await makeTwo();
    const { database } = await databaseOf(folder);
    await inDatabase(folder, (client) =>
      client.query(`update mneme.meta set value = '18' where key = 'schema'`),
    );

    const problem = /another version of mneme \(schema 18; .* `mneme export` .* another database/;
    await expect(open(folder)).rejects.toThrow(problem);
    const [check] = await checkDatabase(database?.url ?? '');

    expect(check).toMatchObject({ status: 'failed', found: expect.stringMatching(problem) });
    expect(await one.secret()).toMatch(/^[0-9a-f]{64}$/);
  });
});

const limits = { pool_size: 2, statement_timeout_ms: 10_000 };
