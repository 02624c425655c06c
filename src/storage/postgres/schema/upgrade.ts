import type { ClientBase } from 'pg';
import {
  isOfShortIds,
  renamedColumns,
  renamedIndexes,
  renamedTables,
  renameFrom8,
  tablesWithShortIds,
} from '../../migrations/from-8.ts';
import { upgradeFrom9 } from '../../migrations/from-9.ts';
import { upgradeFrom10 } from '../../migrations/from-10.ts';
import { upgradeFrom11 } from '../../migrations/from-11.ts';
import { upgradeFrom12, upgradeVersionsFrom12 } from '../../migrations/from-12.ts';
import { upgradeFrom13 } from '../../migrations/from-13.ts';
import { upgradeVersionsFrom15 } from '../../migrations/from-15.ts';
import { addMayReplace } from '../../migrations/from-16.ts';
import { upgradeFrom17 } from '../../migrations/from-17.ts';
import { firstWithVersions } from '../../migrations/versions.ts';
import { addColumnSql, createIndexSql, indexesOf } from '../../sql/schema/create-sql.ts';
import { schemaName } from '../connection/row-security.ts';
import { createPostgresSession } from '../connection/session.ts';
import { createFunctionsSql } from './functions.ts';
import { postgresWords } from './tables.ts';

const renamedFunctions = {
  folded: 'fold_case',
  words_of: 'split_words',
  json_of: 'safe_jsonb',
};

/** Upgrades an older store, version by version. */
export async function upgradePostgres(client: ClientBase, from: number): Promise<void> {
  if (from === 8) await upgradePostgresFrom8(client);
  const { db } = createPostgresSession(client);
  if (from <= 9) await upgradeFrom9(db, postgresWords);
  if (from <= 10) await upgradeFrom10(db, postgresWords);
  if (from <= 11) await upgradeFrom11(db, postgresWords);
  if (from >= firstWithVersions && from <= 12) await upgradeVersionsFrom12(db, postgresWords);
  if (from <= 12) await upgradeFrom12(db, postgresWords);
  // Schema 15 differs from 14 in files alone.
  if (from <= 13) await upgradeFrom13(db, postgresWords);
  if (from >= firstWithVersions) {
    if (from <= 15) await upgradeVersionsFrom15(db, postgresWords);
    if (from <= 16) await addMayReplace(db, 'memory_versions', postgresWords);
  }
  if (from <= 16) await addMayReplace(db, 'memories', postgresWords);
  await upgradeFrom17(db, postgresWords);
}

/** Policies and grants stay with their tables. */
async function upgradePostgresFrom8(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
      where relnamespace = $1::regnamespace and relkind in ('r', 'p')`,
    [schemaName],
  );
  const names = new Set(rows.map(({ name }) => renamed(name, renamedTables)));
  await renameFrom8(createPostgresSession(client).db, (table) => names.has(table));
  for (const { old, index } of renamedIndexes) {
    await client.query(`alter index if exists ${old} rename to ${index}`);
  }
  for (const [old, name] of Object.entries(renamedFunctions)) {
    await client.query(`alter function ${old}(text) rename to ${name}`);
  }
  for (const statement of createFunctionsSql()) await client.query(statement);
  await renameParts(client);
  for (const table of tablesWithShortIds) {
    await client.query(addColumnSql(table, 'short_id', postgresWords));
    for (const index of indexesOf(table, 'postgres').filter(isOfShortIds)) {
      await client.query(createIndexSql(table, index, 'postgres'));
    }
  }
}

function renamed(name: string, names: Readonly<Record<string, string>>): string {
  return names[name] ?? name;
}

/** Renames the partitions, sequences and constraints that are named after tables and columns. */
async function renameParts(client: ClientBase): Promise<void> {
  const tables = [...new Set([...Object.values(renamedTables), ...Object.keys(renamedColumns)])];
  const { rows } = await client.query<{ kind: string; table: string; name: string }>(
    `select 'table' as kind, parent.relname as table, part.relname as name
      from pg_inherits join pg_class as parent on parent.oid = inhparent
        join pg_class as part on part.oid = inhrelid
      where parent.relnamespace = $1::regnamespace and parent.relkind = 'p'
    union all
    select 'sequence', owner.relname, part.relname
      from pg_depend join pg_class as part on part.oid = objid and part.relkind = 'S'
        join pg_class as owner on owner.oid = refobjid
      where deptype = 'i' and owner.relnamespace = $1::regnamespace
    union all
    select 'constraint', owner.relname, conname
      from pg_constraint join pg_class as owner on owner.oid = conrelid
      where owner.relnamespace = $1::regnamespace and not owner.relispartition`,
    [schemaName],
  );
  for (const { kind, table, name } of rows.filter((row) => tables.includes(row.table))) {
    const current = currentName(table, name);
    if (current === name) continue;
    await client.query(
      kind === 'constraint'
        ? `alter table ${table} rename constraint ${name} to ${current}`
        : `alter ${kind} ${name} rename to ${current}`,
    );
  }
}

function currentName(table: string, name: string): string {
  const old = Object.entries(renamedTables).find(([, current]) => current === table)?.[0] ?? table;
  let current = name.startsWith(`${old}_`) ? table + name.slice(old.length) : name;
  for (const [before, after] of Object.entries(renamedColumns[table] ?? {})) {
    current = current.replace(`_${before}_`, `_${after}_`);
  }
  return current;
}
