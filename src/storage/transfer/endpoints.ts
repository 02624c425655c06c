import type { DbContext } from '../sql/db-context.ts';
import type { TransferTable } from './tables.ts';

export type TransferValue = string | number | null | Float32Array;

/** A row by column; rows of a project have a `project_key` on every engine. */
export type TransferRow = Record<string, TransferValue>;

/** The position of a scan: the values of its order columns. */
export type ScanCursor = readonly (string | number)[];

export type RowBatch = { rows: TransferRow[]; cursor: ScanCursor };

export type TableScan = {
  columns: readonly string[];
  /** Continues after this cursor. */
  after?: ScanCursor | null;
  /** Only rows of these projects. */
  projects?: ReadonlySet<number>;
};

/** A store that is only read. */
export type TransferReader = {
  /** The address, without a password. */
  shown: string;
  hasVectors: boolean;
  /** Later reads see the current state; required before `scan`. */
  refresh(): Promise<void>;
  /** False if the rows read since the refresh may be of different moments. */
  isConsistent(): boolean;
  /** Whether other processes seem to have it open. */
  isInUse(): Promise<boolean>;
  /** The rows of each project in the order of the table's key; projects come in any order. */
  scan(table: TransferTable, walk: TableScan): AsyncIterable<RowBatch>;
  /** The last number that the table has ever assigned, 0 before the first. */
  readSequence(table: TransferTable & { sequenceColumn: string }): Promise<number>;
  close(): Promise<void>;
};

/** The progress of a move into this store, and the store that it comes from. */
export type TransferCheckpoint = {
  /** A hash of the secret of the source. */
  of: string;
  /** The process that runs the move: one that was superseded stops. */
  by: string;
  /** The position of the last copied row; null after everything was copied. */
  at: { table: string; cursor: ScanCursor | null } | null;
};

/** Runs statements in a transaction, on rows of a project or on those of none. */
export type EnterProject = (project: number | null) => Promise<DbContext>;

export type RowInsert = {
  table: TransferTable;
  columns: readonly string[];
  rows: readonly TransferRow[];
  /** Updates rows that exist already. */
  replace?: boolean;
};

/** A store that is being filled. */
export type TransferWriter = {
  reader: TransferReader;
  /** All or nothing. */
  transaction(run: (enter: EnterProject) => Promise<void>): Promise<void>;
  insert(at: DbContext, insert: RowInsert): Promise<void>;
  /** Deletes a project's rows of a table, with everything derived from them. */
  deleteProjectRows(at: DbContext, table: TransferTable, project: number): Promise<void>;
  setSequence(table: TransferTable & { sequenceColumn: string }, value: number): Promise<void>;
  /** Makes the store usable by servers. */
  finish(): Promise<void>;
  close(): Promise<void>;
};
