import type { SqliteDatabase, SqliteStatement, SqliteValue } from './driver.ts';

export type RowStatement = {
  rows(values: readonly SqliteValue[]): object[];
  run(values: readonly SqliteValue[]): { changes: number | bigint };
};

/**
 * A prepared statement. Drivers take rows out as lists of values in half the time that objects cost
 * them, which look up each name anew; the objects are made here.
 */
export function prepareRowStatement(sqlite: SqliteDatabase, sql: string): RowStatement {
  const statement = sqlite.prepare(sql);
  return {
    rows: createRowReader(statement),
    run: (values) => statement.run(...values),
  };
}

function createRowReader(statement: SqliteStatement): RowStatement['rows'] {
  const names = columnNamesOf(statement);
  if (names === null) return (values) => statement.all(...values) as object[];
  return (values) =>
    (statement.all(...values) as SqliteValue[][]).map((row) => toObject(names, row));
}

/** Null where the driver has rows as objects only, or the statement has none. */
function columnNamesOf(statement: SqliteStatement): string[] | null {
  if (statement.columns === undefined || statement.setReturnArrays === undefined) return null;
  const names = statement.columns().map(({ name }) => name);
  if (names.length > 0) statement.setReturnArrays(true);
  return names.length > 0 ? names : null;
}

function toObject(names: readonly string[], row: readonly SqliteValue[]): object {
  const object: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) object[names[at] ?? ''] = row[at];
  return object;
}
