import type { DbContext } from '../sql/db-context.ts';
import type { TransferTable } from './tables.ts';

export type TransferValue = string | number | null | Float32Array;

/** A row by its columns; those of a project have its `project_key`, on every engine. */
export type TransferRow = Record<string, TransferValue>;

/** Where a walk over a table is: values of the columns that it is ordered by. */
export type ScanCursor = readonly (string | number)[];

export type RowBatch = { rows: TransferRow[]; cursor: ScanCursor };

export type TableScan = {
  columns: readonly string[];
  /** Goes on behind this place. */
  after?: ScanCursor | null;
  /** Only rows of these projects. */
  projects?: ReadonlySet<number>;
};

/** A store that is read and not changed. */
export type TransferReader = {
  /** Where it is, without a password. */
  shown: string;
  hasVectors: boolean;
  /** From now on, what there is now is read; `walk` needs it. */
  refresh(): Promise<void>;
  /** False where what was read since may be of several moments. */
  isConsistent(): boolean;
  /** Whether other processes seem to have it open. */
  isInUse(): Promise<boolean>;
  /** The rows of each project by the table's key; how projects follow each other is its own. */
  scan(table: TransferTable, walk: TableScan): AsyncIterable<RowBatch>;
  /** The last number that the table has ever given out, 0 before the first. */
  readSequence(table: TransferTable & { sequenceColumn: string }): Promise<number>;
  close(): Promise<void>;
};

/** How far a move into this store is, and from which store it comes. */
export type TransferCheckpoint = {
  /** A hash of the secret of the store that is moved. */
  of: string;
  /** Which process is at it: one that was overtaken by another stops. */
  by: string;
  /** What was copied last; null when all has been. */
  at: { table: string; cursor: ScanCursor | null } | null;
};

/** Runs statements in a transaction, on rows of a project or on those of none. */
export type EnterProject = (project: number | null) => Promise<DbContext>;

export type RowInsert = {
  table: TransferTable;
  columns: readonly string[];
  rows: readonly TransferRow[];
  /** Brings a row up to date that is there already. */
  replace?: boolean;
};

/** A store that is filled. */
export type TransferWriter = {
  reader: TransferReader;
  /** All or nothing. */
  transaction(run: (enter: EnterProject) => Promise<void>): Promise<void>;
  insert(at: DbContext, insert: RowInsert): Promise<void>;
  /** Empties a table of a project, with what is made from it. */
  deleteProjectRows(at: DbContext, table: TransferTable, project: number): Promise<void>;
  setSequence(table: TransferTable & { sequenceColumn: string }, value: number): Promise<void>;
  /** The store is one like any other from now on. */
  finish(): Promise<void>;
  close(): Promise<void>;
};
