import { readFile } from 'node:fs/promises';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { databaseOf, hasVectors, inDatabase, isPostgres } from '../support/database.ts';
import { now } from './memory.ts';

const openSqlite = await loadSqlite();

/** A store of schema 8 in an empty folder, with a tenant and what the statements put into it. */
export async function makeStoreOfSchema8(
  folder: string,
  statements: readonly string[] = [],
): Promise<void> {
  const all = ['begin', ...tenant, ...statements, 'commit'];
  if (!isPostgres) {
    const sqlite = openSqlite(storePath(folder));
    sqlite.exec(`pragma journal_mode = wal; ${await fixture('sqlite-8.sql')}; ${all.join(';\n')}`);
    sqlite.close();
    return;
  }
  await databaseOf(folder); // with the roles, which belong to the server
  await inDatabase(folder, async (client) => {
    await client.query('drop schema mneme cascade');
    await client.query(await fixture('postgres-8.sql'));
    if (hasVectors) await client.query(await fixture('postgres-8-vectors.sql'));
    // Policies hold for the owner too, unless it is a superuser.
    await client.query(all.join(';\n'));
  });
}

function fixture(name: string): Promise<string> {
  return readFile(new URL(`fixtures/${name}`, import.meta.url), 'utf8');
}

const tenant = [
  `insert into meta (key, value) values ('secret', '${'5e'.repeat(32)}')`,
  `insert into accounts (account_id, email, username, created_at)
    values ('a1', 'owner@localhost', 'owner', '${now}')`,
  `insert into organizations (org_id, name, description, address, contact_email, phone_number,
    website, owner_id, created_at, updated_at)
    values ('o', 'Default', '', '', '', '', '', 'a1', '${now}', '${now}')`,
  `insert into members (org_id, project_key, account_id, role, created_at)
    values ('o', null, 'a1', 'OWNER', '${now}')`,
  `insert into projects (org_id, project_id, name, description, settings, total_memories,
    created_at, updated_at) values ('o', 'p', 'Default', '', '{}', 0, '${now}', '${now}')`,
];
