import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase } from '../../src/app/doctor/database-checks.ts';
import { bm25 } from '../../src/core/bm25.ts';
import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { createPostgresPool } from '../../src/storage/postgres/connection/pool.ts';
import { maintainHnswIndexes } from '../../src/storage/postgres/search/hnsw-index.ts';
import { prepareStatement, type StatementParameters } from '../../src/storage/sql/prepared.ts';
import type { StoreOptions } from '../../src/storage/store.ts';
import { until } from '../e2e/service.ts';
import { later, makeMemory, now } from '../storage/memory.ts';
import { nearestMemories } from '../storage/nearest.ts';
import { everything, idsOf, insert, makeFolder, open, select } from '../storage/support.ts';
import { makeFile, move } from '../storage/transfer-support.ts';
import { databaseOf, hasGraphs, hasVectors, inDatabase, isPostgres } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { pause } from '../support/pause.ts';
import {
  type Bouncer,
  findBouncer,
  plainUser,
  serverConnections,
  startBouncer,
} from './pgbouncer.ts';
import { spawnReplica } from './replica.ts';

const server = process.env.TEST_POSTGRES_URL ?? '';
const program = isPostgres
  ? await findBouncer((why) => process.stderr.write(`SKIPPED: no PgBouncer to test: ${why}\n`))
  : null;

/** One before 1.21 knows no such setting. */
const follows = 'max_prepared_statements = 100';
const kinds: [kind: string, settings: string[]][] = program?.followsNames
  ? [
      ['that follows named statements', [follows]],
      ['that does not follow named statements', ['max_prepared_statements = 0']],
    ]
  : [['that does not follow named statements', []]];

let bouncer: Bouncer;

function startWith(settings: string[]): void {
  beforeAll(async () => {
    if (program !== null) bouncer = await startBouncer(program, { server, settings });
  });
  afterAll(() => bouncer?.stop());
}

type Behind = Awaited<ReturnType<typeof makeBehind>>;

/** A database whose stores reach it through the pooler, and the warnings that they log. */
async function makeBehind() {
  const folder = await makeFolder();
  const { database } = await databaseOf(folder);
  if (database === undefined) throw new Error('these tests need a server');
  const direct = database.url;
  const url = bouncer.addressOf(direct);
  const warnings: unknown[][] = [];
  const openOne = async (limits: Partial<NonNullable<StoreOptions['database']>> = {}) => {
    const store = await open(folder, {
      busy_timeout_ms: 10_000,
      log: (level, ...line) => void (level === 'warn' && warnings.push(line)),
      database: { ...database, url, ...limits },
    });
    onTestFinished(() => store.close());
    return store;
  };
  return { folder, url, direct, warnings, open: openOne };
}

/** Three stores, as processes have them, and a project of them. */
async function openThree(behind: Behind) {
  const stores = await Promise.all([behind.open(), behind.open(), behind.open()]);
  const [first] = stores;
  const project = await projectOf(first, 'own');
  return { stores, first, project };
}

function projectOf(store: Store, project_id: string): Promise<ProjectRef> {
  return store.ensureProject({ org_id: 'acme', project_id }, now);
}

/** What all connections to the server say that the pooler keeps. */
function onServerConnections<T extends pg.QueryResultRow>(url: string, question: string) {
  return whileAllAreTaken(url, async (clients) => {
    const answers = await Promise.all(clients.map((client) => client.query<T>(question)));
    return answers.map(({ rows }) => rows);
  });
}

/** Runs while all connections to the server are taken, in transactions side by side. */
async function whileAllAreTaken<T>(url: string, run: (clients: pg.Client[]) => Promise<T>) {
  const clients = Array.from({ length: serverConnections }, () => new pg.Client(url));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    for (const client of clients) await client.query('begin');
    return await run(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** A complete embedding model with these memories and their vectors. */
async function embed(store: Store, vectors: Map<string, Float32Array>): Promise<EmbeddingModel> {
  const scale = { unrelated: 0, related: 0.5, trust: 1 };
  const model = await store.vectors.openModel({ name: 'model-1', dimension: 2, scale }, now);
  const wanted = (await store.vectors.listUnembedded(model, 10)) ?? [];
  const embedded = wanted.map(({ memory, ...rest }) => {
    return { ...rest, vector: vectors.get(memory) ?? Float32Array.of(0, 0) };
  });
  await store.vectors.put(model, embedded);
  await store.vectors.markModelComplete(model);
  return model;
}

/** A project of one memory, which has its vector. */
async function fillOne(behind: Behind): Promise<void> {
  const { first, project } = await openThree(behind);
  await insert(first, project, makeMemory({ memory: 'm1' }));
  await embed(first, new Map([['m1', Float32Array.of(1, 0)]]));
}

/** How often somebody came to the pooler for this database. */
function loginsOf(url: string): number {
  return bouncer.log().split(`login attempt: db=${new URL(url).pathname.slice(1)} `).length;
}

const settingsSql = `select current_user::text as "user", current_setting('search_path') as path,
  current_setting('statement_timeout') as timeout, current_setting('lock_timeout') as lock,
  coalesce(current_setting('mneme.project', true), '') as project`;

/** Grants this database's rights to the user who owns nothing. */
async function grant(folder: string): Promise<void> {
  const { name, password } = plainUser;
  await inDatabase(folder, (client) =>
    client.query(`create role ${name} login noinherit password '${password}';
      grant mneme_app, mneme_queue to ${name}`),
  );
  onTestFinished(async () => {
    await inDatabase(folder, (client) => client.query(`drop role ${name}`));
  });
}

describe.skipIf(program === null).each(kinds)('a transaction pooler %s', (_, settings) => {
  startWith(settings);

  it('lets three programs that start at once create the tables', async () => {
    const behind = await makeBehind();
    await inDatabase(behind.folder, (client) => client.query('drop schema mneme cascade'));

    const { stores, first, project } = await openThree(behind);

    await insert(first, project, makeMemory({ id: 'm1' }));
    for (const store of stores) expect(await store.memories.find(project, 'm1')).not.toBeNull();
    expect(behind.warnings).toEqual(hasVectors ? [] : [expect.anything(), expect.anything()]);
  });

  it('lets them add and read concurrently, and stores each write once', async () => {
    const behind = await makeBehind();
    const { stores, first, project } = await openThree(behind);
    const other = await projectOf(first, 'other');
    const ids = Array.from({ length: 40 }, (_, at) => `m${at}`);

    await Promise.all(
      stores.flatMap((store, number) =>
        ids.flatMap((id) => [
          insert(store, project, makeMemory({ id: `${number}${id}`, hash: `${number}${id}` })),
          store.memories.find(other, `${number}${id}`),
          store.memories.size(project, {}),
        ]),
      ),
    );

    expect(await first.memories.size(project, {})).toBe(stores.length * ids.length);
    expect(await first.memories.size(other, {})).toBe(0);
    expect(behind.warnings).toEqual([]);
  });

  it('rolls back only what failed in a shared transaction', async () => {
    const { first, project } = await openThree(await makeBehind());
    const add = (id: string) => insert(first, project, makeMemory({ id, hash: id }));
    await add('m1');

    const outcomes = await Promise.allSettled(['m2', 'm1', 'm3'].map(add));

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await first.memories.size(project, {})).toBe(3);
  });

  it('finds by words, in one project only', async () => {
    const { stores, first, project } = await openThree(await makeBehind());
    const other = await projectOf(first, 'other');
    const search = (store: Store, project: ProjectRef, term: string) =>
      store.memories.listCandidates(project, select(everything), {
        terms: [[term]],
        bm25,
        limit: 10,
      });
    await insert(first, project, makeMemory({ id: 'own', memory: 'lives in paris' }));
    await insert(first, other, makeMemory({ id: 'other', memory: 'lives in paris' }));

    const found = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        search(stores[at % 3] ?? first, at % 2 === 0 ? project : other, 'paris'),
      ),
    );

    expect(found.map(idsOf)).toEqual(found.map((_, at) => [at % 2 === 0 ? 'own' : 'other']));
  });

  it.skipIf(!hasVectors)('finds by meaning', async () => {
    const { stores, first, project } = await openThree(await makeBehind());
    await insert(
      first,
      project,
      makeMemory({ id: 'm1', memory: 'm1' }),
      makeMemory({ id: 'm2', memory: 'm2' }),
    );
    const vectors = { m1: Float32Array.of(1, 0), m2: Float32Array.of(0, 1) };
    const model = await embed(first, new Map(Object.entries(vectors)));

    const found = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        nearestMemories({ store: stores[at % 3] ?? first, project }, select(everything), {
          model,
          vector: at % 2 === 0 ? vectors.m1 : vectors.m2,
          size: 2,
          limit: 1,
        }),
      ),
    );

    expect(found.map(([one]) => one?.id)).toEqual(found.map((_, at) => `m${(at % 2) + 1}`));
  });

  it('lets each job be claimed once', async () => {
    const { stores, first, project } = await openThree(await makeBehind());
    await first.transaction(async (tx) => {
      for (let number = 0; number < 30; number += 1) {
        const job = { id: `job ${number}`, kind: 'process_event', subject_id: 's' } as const;
        await tx.jobs.enqueue(project, { ...job, run_at: now });
      }
    });

    const claims = Array.from({ length: 36 }, (_, at) =>
      (stores[at % 3] ?? first).jobs.claim({ owner: `${at}`, now, until: later(60_000) }),
    );

    const ids = (await Promise.all(claims)).flatMap((job) => job?.id ?? []);
    expect(ids.length).toBeGreaterThan(15);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('applies the statement timeout of each program', async () => {
    const behind = await makeBehind();
    const hasty = await behind.open({ statement_timeout_ms: 300 });
    const patient = await behind.open();
    const project = await projectOf(patient, 'own');
    await insert(patient, project, makeMemory({ id: 'm1' }));
    const other = new pg.Client(behind.direct);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin; lock table mneme.memories in access exclusive mode');

    const waiting = patient.memories.find(project, 'm1');
    const refused = await hasty.memories.find(project, 'm1').catch((error: Error) => error);
    await other.query('rollback');

    expect(refused).toMatchObject({ elsewhere: 'the store took too long; try again later' });
    expect(await waiting).not.toBeNull();
  });

  it('gives the next client a connection without settings', async () => {
    const behind = await makeBehind();
    const { folder, url } = behind;
    await grant(folder);
    const { stores, project } = await openThree(behind);
    const users = Object.assign(new URL(url), {
      username: plainUser.name,
      password: plainUser.password,
    }).href;
    const plain = await Promise.all(Array.from({ length: 6 }, () => behind.open({ url: users })));
    for (const store of [...stores, ...plain]) await insert(store, project, makeMemory());
    const doctor = await checkDatabase(users);

    const fresh = await inDatabase(folder, (client) => client.query(settingsSql));
    const [clean] = fresh.rows;
    for (const [found] of await onServerConnections(url, settingsSql)) expect(found).toEqual(clean);
    for (const [found] of await onServerConnections(users, settingsSql)) {
      expect(found).toEqual({ ...clean, user: plainUser.name });
    }
    expect(doctor.find(({ name }) => name === 'Pooler')?.status).toBe('ok');
    expect(doctor.filter(({ status }) => status === 'failed')).toEqual([]);
  });

  it('lets abandoned work be found, though processes listen in vain and only once', async () => {
    const { folder, url } = await makeBehind();
    const left = await spawnReplica({ data_dir: join(folder, 'left'), url });
    const service = await spawnReplica({ data_dir: join(folder, 'service'), url });
    onTestFinished(async () => {
      for (const { kill } of [left, service]) kill('SIGKILL');
      await Promise.all([left.exited, service.exited]);
    });

    const added = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        left.send('POST', '/v3/memories/add/', {
          body: {
            messages: [{ role: 'user', content: `My locker is number ${at}` }],
            user_id: 'a',
          },
        }),
      ),
    );
    left.kill('SIGKILL');
    await until(
      () =>
        Promise.all(added.map(({ body }) => service.send('GET', `/v1/event/${body.event_id}/`))),
      (events) => events.every(({ body }) => body.status === 'SUCCEEDED'),
    );
    const before = loginsOf(url);
    await pause(2_500); // twice the time after which an ended one is started again

    expect(added.map(({ status }) => status)).toEqual(added.map(() => 200));
    expect(service.stderr()).not.toMatch(/warn|error/i);
    expect(loginsOf(url)).toBe(before);
  });

  it('may be restarted: no acknowledged write is lost, and none is stored twice', async () => {
    const behind = await makeBehind();
    const { stores, first, project } = await openThree(behind);
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    let isOver = false;
    const write = async (store: Store, name: string) => {
      for (let count = 0; !isOver; count += 1) {
        const id = `${name}-${count}`;
        await insert(store, project, makeMemory({ id, hash: id })).then(
          () => acknowledged.push(id),
          (error: { code?: unknown }) => failures.push(error.code),
        );
      }
    };
    const writing = stores.flatMap((store, at) =>
      ['a', 'b'].map((name) => write(store, `${at}${name}`)),
    );
    for (let restart = 0; restart < 3; restart += 1) {
      const { length } = acknowledged;
      await eventually(() => expect(acknowledged.length).toBeGreaterThan(length + 20));
      await bouncer.restart();
    }
    const { length } = acknowledged;
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(length + 20));
    isOver = true;
    await Promise.all(writing);

    const { rows } = await inDatabase(behind.folder, (client) =>
      client.query<{ id: string }>('select id from mneme.memories'),
    );
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(rows).toHaveLength(stored.size);
    expect(await first.memories.size(project, {})).toBe(stored.size);
    expect(failures.filter((code) => code !== 'unavailable')).toEqual([]);
  });
});

describe.skipIf(program === null)('a pooler that refuses a program', () => {
  startWith(['query_wait_timeout = 1']);

  it.each([
    ['refuses its user', { username: 'nobody' }, 'refuses this user; check user name'],
    ['refuses its password', { password: 'wrong' }, 'refuses this user; check user name'],
    ['has no such database', { pathname: '/nothing' }, 'does not exist; create it'],
    ['takes no options', { search: '?options=-cjit%3Doff' }, 'rejects these options; remove them'],
  ])('%s, which the doctor says', async (_, parts, problem) => {
    const url = Object.assign(new URL(bouncer.addressOf(server)), parts).href;

    const [check] = await checkDatabase(url);

    expect(check).toMatchObject({ status: 'failed', found: expect.stringContaining(problem) });
  });

  it('has no free connection, which the doctor says', async () => {
    const { url } = await makeBehind();

    const [check] = await whileAllAreTaken(url, () => checkDatabase(url));

    const found = expect.stringContaining('is behind a pooler with no free connection');
    expect(check).toMatchObject({ status: 'failed', found });
  });
});

describe.skipIf(!program?.followsNames)('a pooler that tracks named statements', () => {
  startWith([follows]);

  it('plans each statement once per server connection', async () => {
    const behind = await makeBehind();
    const { stores, project } = await openThree(behind);

    for (const store of stores) {
      for (let time = 0; time < 5; time += 1) await store.memories.find(project, 'm1');
    }

    const found = await onServerConnections<{ statement: string }>(
      behind.url,
      `select statement from pg_prepared_statements where statement like '%from "memories"%'`,
    );
    const statements = found.map((rows) => rows.map(({ statement }) => statement));
    expect(statements.flat()).not.toEqual([]);
    for (const own of statements) expect(own).toHaveLength(new Set(own).size);
  });

  it('works after a table has gained a column', async () => {
    const { folder, url } = await makeBehind();
    await inDatabase(folder, (client) =>
      client.query(
        'create table mneme.colours as select 1 as shade; grant select on mneme.colours to public',
      ),
    );
    const limits = { pool_size: 10, statement_timeout_ms: 10_000, busy_timeout_ms: 2_000 };
    const postgres = createPostgresPool({ ...limits, url, log: () => {} });
    onTestFinished(() => postgres.end());
    const look = prepareStatement((db, value: StatementParameters<{ shade: number }>) => ({
      compile: () => sql<object>`select * from colours where shade = ${value('shade')}`.compile(db),
    }));
    const find = () => postgres.read('tenants', (session) => look(session, { shade: 1 }));
    await Promise.all(Array.from({ length: 10 }, find));
    await inDatabase(folder, (client) =>
      client.query('alter table mneme.colours add column name text'),
    );

    const found = await Promise.all(Array.from({ length: 10 }, find));

    expect(found).toEqual(found.map(() => [{ shade: 1, name: null }]));
  });

  it.skipIf(!hasVectors)('is refused for a move, with the reason', async () => {
    const { url } = await makeBehind();
    const path = await makeFile(await makeFolder(), 3);

    const moving = move({ path }, { url });

    await expect(moving).rejects.toMatchObject({
      message: expect.stringMatching(/is that of a pooler$/),
      next: 'Use the address of the PostgreSQL server itself.',
    });
  });

  it.skipIf(!hasGraphs)(
    'is not used to build vector indexes, and a missing one is logged',
    async () => {
      const behind = await makeBehind();
      await fillOne(behind);
      const logged: unknown[][] = [];
      const keep = async (minMemories: number) => {
        const client = new pg.Client(behind.url);
        await client.connect();
        try {
          return await maintainHnswIndexes(client, {
            log: (...line) => void logged.push(line),
            minMemories,
          });
        } finally {
          await client.end();
        }
      };

      const small = await keep(2);
      expect(logged).toEqual([]);
      const large = await keep(1);

      expect([small, large]).toEqual([small, small]);
      expect(small).toEqual({ made: 0, dropped: 0 });
      expect(logged).toEqual([
        ['warn', 'vector indexes not built: connected through a pooler', { projects: 1 }],
      ]);
      const locks = await inDatabase(behind.folder, (client) =>
        client.query(`select from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`),
      );
      expect(locks.rows).toEqual([]);
    },
  );
});

describe.skipIf(program === null)('a pooler that keeps a connection for each client', () => {
  startWith(['pool_mode = session', 'default_pool_size = 20']);

  it('is not a pooler for `mneme doctor`, and a store can be moved through it', async () => {
    const { url } = await makeBehind();
    const path = await makeFile(await makeFolder(), 3);

    await move({ path }, { url });
    const doctor = await checkDatabase(url);

    expect(doctor.filter(({ name }) => name === 'Pooler')).toEqual([]);
    expect(doctor.filter(({ status }) => status === 'failed')).toEqual([]);
  });

  it.skipIf(!hasGraphs)('is used to build vector indexes', async () => {
    const behind = await makeBehind();
    await fillOne(behind);
    const createClient = () => new pg.Client(behind.url);
    const client = createClient();
    await client.connect();
    onTestFinished(() => client.end());

    const kept = await maintainHnswIndexes(client, {
      log: () => {},
      minMemories: 1,
      createClient,
    });

    expect(kept).toEqual({ made: 1, dropped: 0 });
  });
});
