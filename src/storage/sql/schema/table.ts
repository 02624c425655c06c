import type { Column, SqlEngine } from './columns.ts';

type Columns = Readonly<Record<string, Column>>;

export type Index<N extends string = string> = {
  name: string;
  columns: readonly N[];
  /** Additional columns for one engine: SQLite ends every index with the key of the row. */
  more?: { [E in SqlEngine]?: readonly N[] };
  where?: string;
  isUnique?: true;
  engine?: SqlEngine;
  /** A GIN index in PostgreSQL, with its settings. */
  gin?: { settings: string };
};

/** A table, from which everything that depends on its columns is derived. */
export type Table<C extends Columns = Columns, N extends string = string> = {
  columns: C;
  /** In SQLite, a counter column is the primary key instead. */
  primaryKey: readonly N[];
  unique?: readonly { columns: readonly N[]; engine?: SqlEngine }[];
  foreignKey?: { columns: readonly N[]; table: string; references: readonly string[] };
  indexes?: readonly Index<N>[];
  /** Rows of a project have its key, and a request sees only those of its own project. */
  belongsTo: 'project' | 'store';
  /** The column that names the memory with which a row is erased. */
  memory?: N;
  /** What the role that works for all projects may do with the rows of a project. */
  queueRights?: 'select' | 'select, delete' | 'select, insert, update, delete';
  /**
   * How `mneme migrate` copies the table; without it, the target derives the rows from others, or
   * begins without any.
   */
  transfer?: Transfer<N>;
  /** The only engine that has this table. */
  engine?: SqlEngine;
  /** In PostgreSQL: partitioned by project, so that parts can be vacuumed and moved separately. */
  isPartitioned?: true;
  /** In PostgreSQL: the fill factor, for rows that change often. */
  fillFactor?: number;
};

export type Transfer<N extends string = string> = {
  /** Orders the rows of a project, or of the whole table, the same way on every engine. */
  key: readonly N[];
  /** Rows that are not moved, by the first column of the key. */
  excludedKeys?: readonly string[];
  /** Copied only if the target can store vectors. */
  needsVectors?: true;
};

export function defineTable<C extends Columns>(
  table: Table<C, NoInfer<keyof C & string>>,
): Table<C, keyof C & string> {
  return table;
}

type ValueOf<C> = C extends { value?: infer T } ? T : never;

/** A row of a table: the columns of both engines, and those of one engine if it is named. */
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

/** The columns of both engines that are not generated. */
export function columnNames<C extends Columns>(table: Table<C, keyof C & string>) {
  return namesOf(table, ({ engine, generatedAs }) => (engine ?? generatedAs) === undefined);
}

/** The columns that an insert sets. */
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
  const entries = Object.entries(columns).filter(([, column]) => isWanted(column));
  return entries.map(([name]) => name as SharedName<C>); // columns of one engine were filtered out
}

/** Most rows have one or two of the four ids: each index contains only the rows with its own. */
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

/**
 * Indexes of the few memories that meet a condition on a column: by time, and by user and time.
 * SQLite takes the index with the most equal columns, so the column is one of them.
 */
export function sparseIndexes<N extends string>(
  name: string,
  column: N,
  where: string,
): Index<N | 'project_key' | 'user_id' | 'created_at' | 'position'>[] {
  const more = { postgres: ['position'] } as const;
  return [
    { name, columns: ['project_key', column, 'created_at'], more, where },
    {
      name: `${name}_by_user`,
      columns: ['project_key', column, 'user_id', 'created_at'],
      more,
      where,
    },
  ];
}
