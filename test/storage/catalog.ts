import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { storePath } from '../../src/storage/store.ts';
import { inDatabase, isPostgres } from '../support/database.ts';

const openSqlite = await loadSqlite();

/** What the engine itself says of the tables of a store, in lines that do not depend on an order. */
export async function catalogOf(folder: string): Promise<string[]> {
  const lines = isPostgres ? await readPostgres(folder) : readSqlite(folder);
  return lines.map((line) => line.replace(/\s+/g, ' ').replaceAll('"', '')).toSorted();
}

function readSqlite(folder: string): string[] {
  const sqlite = openSqlite(storePath(folder), { readOnly: true });
  try {
    const read = (query: string) => sqlite.prepare(query).all() as Record<string, unknown>[];
    return sqliteQueries.flatMap(read).map((row) => Object.values(row).join(' | '));
  } finally {
    sqlite.close();
  }
}

const ownTables = `select * from sqlite_schema where type = 'table'
  and name not like 'sqlite\\_%' escape '\\' and name not like '%\\_fts\\_%' escape '\\'`;

const sqliteQueries = [
  `select 'table', t.name as place, c.name, c.type, c."notnull" or c.pk > 0, c.dflt_value, c.pk
    from (${ownTables}) as t, pragma_table_xinfo(t.name) as c`,
  `select 'options', t.name as place, l.type, l.strict, instr(lower(t.sql), 'autoincrement') > 0
    from (${ownTables}) as t join pragma_table_list as l on l.name = t.name`,
  `select 'foreign key', t.name as place, f."from", f."table", f."to", f.on_delete
    from (${ownTables}) as t, pragma_foreign_key_list(t.name) as f`,
  `select 'index', t.name as place, iif(i.origin = 'c', i.name, i.origin), i."unique", i.partial,
      (select group_concat(coalesce(x.name, 'expression'), ', ')
        from pragma_index_xinfo(i.name) as x where x.key = 1) as columns,
      (select lower(substr(s.sql, instr(s.sql, '('))) from sqlite_schema as s
        where s.name = i.name) as text
    from (${ownTables}) as t, pragma_index_list(t.name) as i`,
];

async function readPostgres(folder: string): Promise<string[]> {
  return inDatabase(folder, async (client) => {
    await client.query('set search_path to mneme, public, extensions');
    const lines: string[] = [];
    for (const query of postgresQueries) {
      const { rows } = await client.query({ text: query, rowMode: 'array' });
      lines.push(...rows.map((row: unknown[]) => row.join(' | ')));
    }
    return lines;
  });
}

const relations = `(select * from pg_class
  where relnamespace = 'mneme'::regnamespace and not relispartition)`;

const postgresQueries = [
  `select 'column', relname, attname, format_type(atttypid, atttypmod), attnotnull, attidentity,
      attcollation::regcollation, pg_get_expr(adbin, adrelid)
    from ${relations} as relation join pg_attribute on attrelid = relation.oid
      left join pg_attrdef on adrelid = relation.oid and adnum = attnum
    where relkind in ('r', 'p') and attnum > 0 and not attisdropped`,
  `select 'relation', relname, relkind, reloptions, relrowsecurity, relforcerowsecurity,
      relacl::text
    from ${relations} as relation`,
  `select 'partition', parent.relname, child.relname
    from pg_inherits join pg_class as parent on parent.oid = inhparent
      join pg_class as child on child.oid = inhrelid
    where parent.relnamespace = 'mneme'::regnamespace and parent.relkind = 'p'`,
  `select 'constraint', relation.relname, conname, pg_get_constraintdef(pg_constraint.oid)
    from ${relations} as relation join pg_constraint on conrelid = relation.oid
    where contype <> 'n'`,
  `select 'index', relation.relname, pg_get_indexdef(indexrelid)
    from ${relations} as relation join pg_index on indrelid = relation.oid`,
  `select 'policy', tablename, policyname, roles, cmd, qual, with_check from pg_policies
    where schemaname = 'mneme'`,
  `select 'function', proname, proacl::text, pg_get_functiondef(own.oid)
    from (select * from pg_proc where pronamespace = 'mneme'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      offset 0) as own`,
];
