import type { Generated, GeneratedAlways } from 'kysely';

export type SqlEngine = 'sqlite' | 'postgres';

type NumberType = 'integer' | 'bigint' | 'real';
/** `vector` is a blob in SQLite; `tsvector` is known to PostgreSQL only. */
type TextType = 'text' | 'blob' | 'vector' | 'tsvector';
export type ColumnType = NumberType | TextType;

/**
 * How what a column tells is erased. Erasing and the check afterwards follow these rules, so that a
 * new column is erased and searched without a line of its own.
 *
 * - `fixed`: nothing to erase. mneme makes it: an id, a time, a status, a digest.
 * - `setting`: stays until a person changes or deletes it.
 * - `entity`: the row goes with the entity.
 * - `memory`: the row goes with the memory that the table's `memory` names.
 * - `row`: the row goes if it mentions what is erased.
 * - `ends`: the row goes if one of the packed ends of ids is that of an erased memory.
 * - `items`: a JSON list, from which the items that mention it go.
 * - `emptied`: becomes null, or an empty object or list, in rows that mention it.
 * - `named`: becomes null where it is the id of an erased entity.
 */
export type Erasure =
  | 'fixed'
  | 'setting'
  | 'entity'
  | 'memory'
  | 'row'
  | 'ends'
  | 'items'
  | 'emptied'
  | 'named';

/** A column whose values are a `T` in the rows that a query reads. Text needs a rule of erasure. */
export type Column<T = unknown> = ColumnOptions<T> &
  ({ type: NumberType; erasure?: never } | { type: TextType; erasure: Erasure });

type ColumnOptions<T> = {
  isNullable?: true;
  isUnique?: true;
  /** An integer or an expression; those of both engines are quoted texts. */
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

export const text = (erasure: Erasure): Column<string> => ({ type: 'text', erasure });
export const jsonText = (erasure: Erasure): Column<JsonText> => ({ type: 'text', erasure });
/** An id, a time or a digest that mneme makes, or a word of a fixed set. */
export const fixed = <T extends string = string>(): Column<T> => ({
  type: 'text',
  erasure: 'fixed',
});
export const integer = (): Column<number> => ({ type: 'integer' });
/** 0 or 1. */
export const flag = (): Column<number> => integer();
export const bigint = (): Column<number> => ({ type: 'bigint' });
export const real = (): Column<number> => ({ type: 'real' });
export const vector = (erasure: Erasure): Column<Uint8Array> => ({ type: 'vector', erasure });
export const tsvector = (erasure: Erasure): Column<never> => ({ type: 'tsvector', erasure });

export const counter = (type: 'integer' | 'bigint' = 'bigint'): Column<Generated<number>> => ({
  type,
  isCounter: true,
});

/** SQLite adds no column to a table that is declared as never null. */
function generatedText(generatedAs: string) {
  const column: Column<GeneratedAlways<string>> = {
    type: 'text',
    erasure: 'fixed',
    isNullable: true,
  };
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

export const accountId = () => ({ ...fixed(), references: 'accounts (account_id)' });
export const organizationId = () => ({ ...fixed(), references: 'organizations (org_id)' });

export const entityIdColumns = (erasure: Erasure) => ({
  user_id: nullable(text(erasure)),
  agent_id: nullable(text(erasure)),
  app_id: nullable(text(erasure)),
  run_id: nullable(text(erasure)),
});

/** Times are ISO 8601. */
export const timeColumns = () => ({ created_at: fixed(), updated_at: fixed() });

export const leaseColumns = () => ({
  lease_owner: nullable(fixed()),
  lease_until: nullable(fixed()),
});
