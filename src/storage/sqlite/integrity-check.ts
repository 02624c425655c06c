import { existsSync } from 'node:fs';
import { reasonOf } from '../../contract/errors.ts';
import { loadSqlite, type SqliteDatabase } from './driver.ts';
import { translateSqliteError } from './errors.ts';
import { checkFile } from './file.ts';
import { openReadOnly } from './inspect.ts';

/**
 * Reads the whole file and returns its problems: none if it is sound or does not exist yet. Changes
 * nothing.
 */
export async function checkSqliteIntegrity(path: string): Promise<string[]> {
  if (!existsSync(path)) return [];
  try {
    const open = await loadSqlite();
    checkFile(path, open);
    const sqlite = openReadOnly(open, path);
    try {
      return [...checkPages(sqlite), ...checkReferences(sqlite), ...checkCounters(sqlite)];
    } finally {
      sqlite.close();
    }
  } catch (error) {
    const problem = translateSqliteError(error, path);
    return [reasonOf(problem)];
  }
}

function checkPages(sqlite: SqliteDatabase): string[] {
  const rows = sqlite.prepare('pragma quick_check(10)').all() as { quick_check: string }[];
  return rows.map((row) => row.quick_check).filter((line) => line !== 'ok');
}

function checkReferences(sqlite: SqliteDatabase): string[] {
  const rows = sqlite.prepare('pragma foreign_key_check').all() as { table: string }[];
  const tables = new Set(rows.map((row) => row.table));
  return [...tables].map((table) => `rows of ${table} belong to a project that does not exist`);
}

function checkCounters(sqlite: SqliteDatabase): string[] {
  const sql = `select count(*) as wrong from projects where total_memories <>
    (select count(*) from memories where memories.project_key = projects.key)`;
  const [row] = sqlite.prepare(sql).all() as [{ wrong: number }];
  return row.wrong === 0
    ? []
    : [`the memory counter of ${row.wrong} project${row.wrong === 1 ? '' : 's'} is wrong`];
}
