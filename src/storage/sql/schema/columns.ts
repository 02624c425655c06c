import type { Generated, GeneratedAlways } from 'kysely';

export type SqlEngine = 'sqlite' | 'postgres';

/** `vector` is a blob in SQLite; `tsvector` exists in PostgreSQL only. */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'real' | 'blob' | 'vector' | 'tsvector';

/** A column whose values have the type `T` in the rows that a query reads. */
export type Column<T = unknown> = {
  type: ColumnType;
  isNullable?: true;
  isUnique?: true;
  /** An integer, or an expression of PostgreSQL. */
  default?: number | string;
  /** A counter that never assigns a number twice. */
  isCounter?: true;
  /** The expression from which the engine computes the column; inserts give no value. */
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

/** Never null, but SQLite cannot add a column that is declared so to a table. */
export function generatedText(generatedAs: string) {
  const column: Column<GeneratedAlways<string>> = { type: 'text', isNullable: true };
  return { ...column, generatedAs };
}

export function nullable<T>(column: Column<T>): Column<T | null> {
  return { ...column, isNullable: true };
}

export function unique<T>(column: Column<T>): Column<T> {
  return { ...column, isUnique: true };
}

/** A column that only the tables of this engine have. */
export function onlyIn<E extends SqlEngine, T>(
  engine: E,
  column: Column<T>,
): Column<T> & { engine: E } {
  return { ...column, engine };
}

/** The project of a row. */
export const projectKey = (): Column<number> => ({ type: 'integer', references: 'projects (key)' });

/** Defaults to the project of the current transaction in PostgreSQL. */
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
