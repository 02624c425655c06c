import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runIn, temporaryFolder } from '../cli/support.ts';
import { makeFolder, open } from '../storage/support.ts';
import { databaseOf, hasVectors, inDatabase, isPostgres } from '../support/database.ts';

const run = runIn(temporaryFolder());

/** The address of a database without a store. */
async function makeEmpty() {
  const folder = await makeFolder();
  const { database } = await databaseOf(folder);
  await inDatabase(folder, (client) => client.query('drop schema mneme cascade'));
  return { folder, url: new URL(database?.url ?? '') };
}

/** The two users of the documentation: one creates and changes tables, servers run as the other. */
async function makeUsers(folder: string, url: URL) {
  const suffix = url.pathname.slice(-8);
  const [owner, user] = [`owner_${suffix}`, `user_${suffix}`];
  await inDatabase(folder, async (client) => {
    if (hasVectors) await client.query('create extension if not exists vector');
    await client.query(`create role ${owner} login password 'secret';
      grant create on database ${url.pathname.slice(1)} to ${owner};
      grant mneme_app, mneme_queue to ${owner};
      create role ${user} login noinherit password 'secret';
      grant mneme_app, mneme_queue to ${user}`);
  });
  onTestFinished(() =>
    inDatabase(folder, async (client) => {
      for (const role of [owner, user])
        await client.query(`drop owned by ${role}; drop role ${role}`);
    }),
  );
  return { owner: addressOf(url, owner), user: addressOf(url, user) };
}

function addressOf(url: URL, username: string): string {
  return Object.assign(new URL(url), { username, password: 'secret' }).href;
}

function program(url: string, ...args: string[]) {
  return run(args, { env: { MNEME_DATABASE_URL: url } });
}

async function diagnose(url: string) {
  const { code, stdout } = await program(url, 'doctor', '--json');
  const checks: { name: string; status: string; found: string }[] = JSON.parse(stdout).checks;
  const told = Object.fromEntries(checks.map(({ name, status, found }) => [name, [status, found]]));
  return { code, told };
}

describe.skipIf(!isPostgres)('a database with the two users of the documentation', () => {
  it('is created by one, and used by the other, which owns nothing', async () => {
    const { folder, url } = await makeEmpty();
    const { owner, user } = await makeUsers(folder, url);

    const empty = await diagnose(owner);
    const made = await program(owner, 'call', 'add_memory', '--text', 'Ann drinks green tea');
    const added = await program(user, 'call', 'add_memory', '--text', 'Bob has an old boat');
    const found = await program(user, 'call', 'search_memories', '--query', 'who drinks tea');
    const full = await diagnose(user);

    expect(empty.code).toBe(0);
    expect(empty.told['Database']?.[1]).toContain('tables will be created');
    expect([made.code, added.code]).toEqual([0, 0]);
    expect(found.stdout).toContain('Ann drinks green tea');
    expect(full.code).toBe(0);
    expect(full.told['Database']?.[1]).toContain('memories 2,');
    expect(full.told['Database roles']).toEqual(['ok', 'each request sees only its project']);
    const direct = new pg.Client(user);
    await direct.connect();
    await expect(direct.query('select from mneme.memories')).rejects.toMatchObject({
      code: '42501',
    });
    await direct.end();
  });
});

describe.skipIf(!isPostgres || hasVectors)('a server without pgvector', () => {
  const missing = 'not installed: only keyword search works';

  it('is used for keyword search only, as the log and the doctor say', async () => {
    const { folder, url } = await makeEmpty();
    const logged: unknown[][] = [];

    const store = await open(folder, { log: (...line) => void logged.push(line) });
    const { code, told } = await diagnose(url.href);

    expect(store.supportsVectors).toBe(false);
    await store.close();
    expect(logged).toContainEqual([
      'warn',
      'pgvector is not installed: only keyword search works',
      { database: `${url.host}${url.pathname}` },
    ]);
    expect(code).toBe(0);
    expect(told['pgvector']).toEqual(['warning', missing]);
  });
});

describe.skipIf(!isPostgres || !hasVectors)('a server with pgvector', () => {
  it('gets the extension at the first start, and the doctor reports its version', async () => {
    const { folder, url } = await makeEmpty();
    const version = () =>
      inDatabase(folder, async (client) => {
        const { rows } = await client.query<{ extversion: string }>(
          `select extversion from pg_extension where extname = 'vector'`,
        );
        return rows[0]?.extversion;
      });
    await inDatabase(folder, (client) => client.query('drop extension if exists vector'));

    const before = await diagnose(url.href);
    const store = await open(folder);
    const after = await diagnose(url.href);

    expect(before.told['pgvector']).toEqual(['ok', 'will be created in this database']);
    expect(store.supportsVectors).toBe(true);
    await store.close();
    expect(after.told['pgvector']).toEqual(['ok', await version()]);
  });
});
