import type { Column, SqlEngine } from './columns.ts';

type Columns = Readonly<Record<string, Column>>;

export type Index<N extends string = string> = {
  name: string;
  columns: readonly N[];
  /** Columns behind these, for one engine: SQLite ends every index with the key of the row. */
  more?: { [E in SqlEngine]?: readonly N[] };
  where?: string;
  isUnique?: true;
  engine?: SqlEngine;
  /** PostgreSQL's kind of index, with its settings. */
  gin?: { settings: string };
};

/** A table, from which everything that has to know its columns is derived. */
export type Table<C extends Columns = Columns, N extends string = string> = {
  columns: C;
  /** In SQLite the column that counts is the key, where there is one. */
  primaryKey: readonly N[];
  unique?: readonly { columns: readonly N[]; engine?: SqlEngine }[];
  foreignKey?: { columns: readonly N[]; table: string; references: readonly string[] };
  indexes?: readonly Index<N>[];
  /** Rows of a project carry its key, and a request sees those of its own project only. */
  belongsTo: 'project' | 'store';
  /** What the role that works for all projects may do with the rows of a project. */
  queueRights?: 'select' | 'select, delete' | 'select, insert, update, delete';
  /** How `mneme migrate` copies the table; without it the target makes its rows from others. */
  transfer?: Transfer<N>;
  /** The only engine that has this table. */
  engine?: SqlEngine;
  /** In PostgreSQL: divided by project, so that parts can be vacuumed and moved one by one. */
  isPartitioned?: true;
  /** In PostgreSQL: how full a page gets, where rows change often and need room beside them. */
  fillFactor?: number;
};

export type Transfer<N extends string = string> = {
  /** Orders the rows of a project, or of the whole table, in the same way on every engine. */
  key: readonly N[];
  /** Rows that stay in their store, by the first column of the key. */
  excludedKeys?: readonly string[];
  /** Useless where vectors cannot be stored. */
  needsVectors?: true;
};

export function defineTable<C extends Columns>(
  table: Table<C, NoInfer<keyof C & string>>,
): Table<C, keyof C & string> {
  return table;
}

type ValueOf<C> = C extends { value?: infer T } ? T : never;

/** A row of a table: the columns of both engines, and those of one engine where it is named. */
export type RowOf<T extends { columns: Columns }, E extends SqlEngine = never> = {
  [N in keyof T['columns'] as IsIn<T['columns'][N], E> extends true ? N : never]: ValueOf<
    T['columns'][N]
  >;
};

type IsIn<C, E extends SqlEngine> = C extends { engine: SqlEngine }
  ? C extends { engine: E }
    ? true
    : false
  : true;

/** Names of the columns that hold a value of their own, on both engines. */
export function columnNames<C extends Columns>(table: Table<C, keyof C & string>) {
  return namesOf(table, ({ engine, generatedAs }) => (engine ?? generatedAs) === undefined);
}

/** Names of the columns to which an insert gives values. */
export function insertedColumnNames<C extends Columns>(table: Table<C, keyof C & string>) {
  const isInserted = ({ engine, generatedAs, isCounter }: Column) =>
    (engine ?? generatedAs) === undefined && !isCounter;
  return namesOf(table, isInserted);
}

type SharedName<C extends Columns> = keyof {
  [N in keyof C & string as C[N] extends { engine: SqlEngine } | { generatedAs: string }
    ? never
    : N]: true;
} &
  string;

function namesOf<C extends Columns>(
  { columns }: { columns: C },
  isWanted: (column: Column) => boolean,
): SharedName<C>[] {
  const wanted = Object.entries(columns).filter(([, column]) => isWanted(column));
  return wanted.map(([name]) => name as SharedName<C>); // only columns of one engine are not
}

/** Most rows carry one or two of the four ids: each index holds only those that carry its own. */
export function entityIndexes<N extends string>(
  table: string,
  order: readonly N[],
  more: readonly N[] = [],
): Index<N | 'project_key' | `${'user' | 'agent' | 'app' | 'run'}_id`>[] {
  return (['user_id', 'agent_id', 'app_id', 'run_id'] as const).map((id) => ({
    name: `${table}_by_${id}`,
    columns: ['project_key', id, ...order],
    more: { postgres: more },
    where: `${id} is not null`,
  }));
}
