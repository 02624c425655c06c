import type { Generated, GeneratedAlways } from 'kysely';

export type SqlEngine = 'sqlite' | 'postgres';

/** `vector` is a blob in SQLite; `tsvector` is known to PostgreSQL only. */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'real' | 'blob' | 'vector' | 'tsvector';

/** A column whose values are a `T` in the rows that a query reads. */
export type Column<T = unknown> = {
  type: ColumnType;
  isNullable?: true;
  isUnique?: true;
  /** An integer, or an expression that only PostgreSQL knows. */
  default?: number | string;
  /** Counts up by itself: no number is given out twice. */
  isCounter?: true;
  /** The expression that the engine computes the column from; no insert gives a value. */
  generatedAs?: string;
  /** A table and its column, as `projects (key)`. */
  references?: string;
  /** The only engine whose table has this column. */
  engine?: SqlEngine;
  /** For the type only: no column has a value here. */
  readonly value?: T;
};

/** JSON in a text. */
export type JsonText = string;

export const text = <T extends string = string>(): Column<T> => ({ type: 'text' });
export const jsonText = (): Column<JsonText> => ({ type: 'text' });
export const integer = (): Column<number> => ({ type: 'integer' });
/** 0 or 1. */
export const flag = (): Column<number> => integer();
export const bigint = (): Column<number> => ({ type: 'bigint' });
export const real = (): Column<number> => ({ type: 'real' });
export const blob = (): Column<Uint8Array> => ({ type: 'blob' });
export const vector = (): Column<Uint8Array> => ({ type: 'vector' });
export const tsvector = (): Column<never> => ({ type: 'tsvector' });

export const counter = (type: 'integer' | 'bigint' = 'bigint'): Column<Generated<number>> => ({
  type,
  isCounter: true,
});

/** SQLite adds no column to a table that is declared as never null. */
function generatedText(generatedAs: string) {
  const column: Column<GeneratedAlways<string>> = { type: 'text', isNullable: true };
  return { ...column, generatedAs };
}

/**
 * The last digits of an id: a UUID has 36 characters. A column, because beneath policies of rows
 * PostgreSQL uses no index of an expression that it does not know to be leakproof.
 */
export const shortId = (id: string) => generatedText(`substr(${id}, 29)`);

/** The same, in rows that meet the condition; in the others it is null and takes no space. */
export const shortIdWhere = (condition: string, id: string) =>
  generatedText(`case when ${condition} then substr(${id}, 29) end`);

export function nullable<T>(column: Column<T>): Column<T | null> {
  return { ...column, isNullable: true };
}

export function unique<T>(column: Column<T>): Column<T> {
  return { ...column, isUnique: true };
}

/** One column that only the tables of this engine have. */
export function onlyIn<E extends SqlEngine, T>(
  engine: E,
  column: Column<T>,
): Column<T> & { engine: E } {
  return { ...column, engine };
}

/** The project of a row. */
export const projectKey = (): Column<number> => ({ type: 'integer', references: 'projects (key)' });

/** In PostgreSQL the project of the current transaction, which an insert need not name. */
export const currentProject = () =>
  onlyIn('postgres', { ...integer(), default: 'mneme.current_project()' });

export const accountId = () => ({ ...text(), references: 'accounts (account_id)' });
export const organizationId = () => ({ ...text(), references: 'organizations (org_id)' });

export const entityIdColumns = () => ({
  user_id: nullable(text()),
  agent_id: nullable(text()),
  app_id: nullable(text()),
  run_id: nullable(text()),
});

/** Times are ISO 8601. */
export const timeColumns = () => ({ created_at: text(), updated_at: text() });

export const leaseColumns = () => ({
  lease_owner: nullable(text()),
  lease_until: nullable(text()),
});
