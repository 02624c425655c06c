import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import { translatePostgresError } from '../../src/storage/postgres/connection/errors.ts';
import { now } from '../storage/memory.ts';
import { makeFolder, open } from '../storage/support.ts';
import { databaseOf, inDatabase, isPostgres } from '../support/database.ts';

const shown = 'db.internal:5432/customers';

/** What the caller of a request reads, and what the operator reads. */
function told(error: unknown): { elsewhere: string; message: string } {
  if (!(error instanceof ApiError)) throw error;
  return { elsewhere: error.elsewhere, message: error.message };
}

/** A store with one connection that gives up soon. */
async function openSmall() {
  const folder = await makeFolder();
  const { database } = await databaseOf(folder);
  if (database === undefined) throw new Error('these tests need a server');
  const small = { url: database.url, pool_size: 1, statement_timeout_ms: 300 };
  const store = await open(folder, { database: small });
  onTestFinished(() => store.close());
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  return { folder, store, project, url: new URL(database.url) };
}

async function failureOf(work: Promise<unknown>) {
  return told(
    await work.then(
      () => new Error('it went well'),
      (error: unknown) => error,
    ),
  );
}

describe('what goes wrong at a database', () => {
  it.each([
    ['53100', 'has no disk space left'],
    ['53300', 'accepts no more connections'],
    ['53200', 'is out of resources'],
    ['57014', 'took too long'],
    ['57P01', 'cannot be reached'],
    ['ECONNREFUSED', 'cannot be reached'],
    ['28P01', 'refuses this user'],
    ['3D000', 'does not exist'],
    ['42501', 'denies this user a right that mneme needs'],
    ['25006', 'is read-only'],
  ])('is reported to callers without the address: %s', (code, problem) => {
    const cause = Object.assign(new Error('of db.internal, file base/5/1259'), { code });

    const { elsewhere, message } = told(translatePostgresError(cause, shown));

    expect(elsewhere).toBe(`the store ${problem}; try again later`);
    expect(message).toContain(`the database ${shown} ${problem}`);
  });
});

describe.skipIf(!isPostgres)('a store whose database is in trouble', () => {
  it('says that all connections are in use', async () => {
    const { store, project, url } = await openSmall();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holding: Promise<void> = Promise.resolve();
    await new Promise<void>((begun) => {
      holding = store.transaction(async (tx) => {
        await tx.memories.find(project, 'm');
        begun();
        await held;
      });
    });

    const { elsewhere, message } = await failureOf(store.memories.find(project, 'm'));

    release();
    await holding;
    expect(elsewhere).toMatch(/^the store has no free connection in this process;/);
    expect(message).toContain(`${url.host}${url.pathname}`);
  });

  it('says that a statement took too long', async () => {
    const { store, project, url } = await openSmall();
    const other = new pg.Client(url.href);
    await other.connect();
    onTestFinished(() => other.end());
    await other.query('begin; lock table mneme.memories in access exclusive mode');

    const { elsewhere } = await failureOf(store.memories.find(project, 'm'));

    await other.query('rollback');
    expect(elsewhere).toBe('the store took too long; try again later');
  });

  it('says that it is unreachable, if it goes down during a write', async () => {
    const { folder, store, project } = await openSmall();

    const { elsewhere } = await failureOf(
      store.transaction(async (tx) => {
        await tx.memories.find(project, 'm');
        await inDatabase(folder, (client) =>
          client.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and pid <> pg_backend_pid()`,
          ),
        );
        await tx.memories.find(project, 'm');
      }),
    );

    expect(elsewhere).toBe('the store cannot be reached; try again later');
  });
});
