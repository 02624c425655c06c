import type { ClientBase, Connection, CustomTypesConfig, FieldDef } from 'pg';
import { createTurns, type InTurns, runInTurns } from '../../../turns.ts';
import { ColumnsChangedError } from './errors.ts';
import { partsToWrite } from './write-parts.ts';

/** A statement; if it has a name, the connection keeps it prepared. */
export type PipelineStatement = {
  text: string;
  values?: readonly unknown[];
  name?: string | undefined;
};
export type StatementResult = { rows: Record<string, unknown>[]; command: string; count: number };

/** Statements sent over one connection, in order. */
export type Pipeline = {
  /**
   * Statements of one turn are sent together, because a round trip costs more than most of them. If
   * one fails, those sent with it are not run.
   */
  query(statement: PipelineStatement): Promise<StatementResult>;
  /**
   * For who asks many statements without waiting for results: others have their turn, and what is
   * collected goes to the server, once collecting has taken some milliseconds.
   */
  rest(): Promise<void>;
  /** Whether the connection has prepared the statement of this name. */
  hasPrepared(name: string | undefined): boolean;
};

type PendingStatement = {
  text: string;
  values: (string | Buffer | null)[];
  name: string | undefined;
  resolve: (answer: StatementResult) => void;
  reject: (error: unknown) => void;
};

export type PipelineOptions = {
  types: CustomTypesConfig;
  /**
   * The longest time of a statement on the server; 0 if unknown. A connection that is silent for
   * longer is given up.
   */
  responseTimeoutMs: number;
};

/**
 * The driver's own pipeline (`pipeline: true`) was tried instead. It ends each statement with a
 * Sync and describes each again, which costs an add 2 to 24% more CPU time and 4 to 8% more time on
 * a network with 1 ms latency. It also runs the statements after a failed one, so that behind a
 * pooler that does not track named statements the first error is lost among others; and it reports
 * a commit as failed if the connection ends just after the server has confirmed it.
 */
export function createPipeline(client: ClientBase, options: PipelineOptions): Pipeline {
  const prepared: PreparedState = { names: new Set(), columns: new Map(), doubtful: new Set() };
  let waiting: PendingStatement[] = [];
  let isBusy = false;
  let rest = createTurns();

  const send = () => {
    const batch = waiting;
    waiting = [];
    client.query(createStatementBatch(batch, { ...options, prepared, ended }));
  };
  const ended = () => {
    rest = createTurns();
    isBusy = waiting.length > 0;
    if (isBusy) afterPendingCalls(send);
  };
  return {
    query: ({ text, values = [], name }) =>
      new Promise((resolve, reject) => {
        waiting.push({ text, values: values.map(toWire), name, resolve, reject });
        if (isBusy) return;
        isBusy = true;
        rest = createTurns();
        afterPendingCalls(send);
      }),
    rest: () => rest(),
    hasPrepared: (name) => name !== undefined && prepared.columns.has(name),
  };
}

/** Runs after all calls that are already pending. */
function afterPendingCalls(run: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(run)));
}

type ResultColumn = { name: string; parse: (text: string) => unknown };

/** The statements that the connection has prepared. */
type PreparedState = {
  names: Set<string>;
  /** The result columns of statements, by name. */
  columns: Map<string, ResultColumn[]>;
  /** Names that may or may not be prepared. */
  doubtful: Set<string>;
};

type StatementBatchOptions = PipelineOptions & { prepared: PreparedState; ended: () => void };

/** For the round trip, which the statement timeout does not include. */
export const roundTripMaxMs = 5_000;

/** The object through which the driver reports the results of one batch. */
function createStatementBatch(
  batch: readonly PendingStatement[],
  { prepared, types, responseTimeoutMs, ended }: StatementBatchOptions,
) {
  const fresh = new Set<PendingStatement>();
  const answers = createResultReader(batch, prepared);
  let watch: NodeJS.Timeout | undefined;
  let isOver = false;
  const over = () => {
    isOver = true;
    clearTimeout(watch);
    ended();
  };
  return {
    submit: (connection: Connection) => {
      if (responseTimeoutMs > 0) {
        const giveUp = () =>
          connection.stream.destroy(new Error('Connection terminated: no response'));
        watch = setTimeout(giveUp, batch.length * responseTimeoutMs + roundTripMaxMs);
      }
      answers.expect(0);
      void runInTurns(sendStatements(connection, { batch, prepared, fresh, isOver: () => isOver }));
    },
    handleRowDescription: ({ fields }: { fields: FieldDef[] }) => {
      answers.columns = fields.map(({ name, dataTypeID }) => {
        return { name, parse: types.getTypeParser(dataTypeID, 'text') };
      });
    },
    handleDataRow: ({ fields }: { fields: (string | null)[] }) => {
      answers.add(fields);
    },
    handleCommandComplete: ({ text }: { text: string }) => answers.complete(text),
    handleEmptyQuery: () => answers.complete(''),
    // The driver calls either this or `handleReadyForQuery`, even if all results have arrived and
    // the connection ends before the last message.
    handleError: (error: unknown) => {
      const failed = answers.end();
      for (const statement of failed) {
        if (fresh.has(statement)) markDoubtful(statement, prepared);
        statement.reject(error);
      }
      over();
    },
    handleReadyForQuery: over,
  };
}

/** Reads the results of statements, one after the other. */
function createResultReader(batch: readonly PendingStatement[], prepared: PreparedState) {
  let at = 0;
  const answers = {
    columns: [] as ResultColumn[],
    rows: [] as StatementResult['rows'],
    isOther: false,
    expect: (next: number) => {
      at = next;
      answers.rows = [];
      answers.isOther = false;
      answers.columns = prepared.columns.get(batch[at]?.name ?? '') ?? [];
    },
    add: (fields: (string | null)[]) => {
      // Compares their number only: asking for names and types each time would cost a message.
      answers.isOther ||= fields.length !== answers.columns.length;
      answers.rows.push(toRow(answers.columns, fields));
    },
    complete: (said: string) => {
      const current = batch[at];
      if (current === undefined) return;
      if (answers.isOther) {
        current.reject(new ColumnsChangedError('the columns of a statement have changed'));
        answers.expect(at + 1);
        return;
      }
      if (current.name !== undefined) prepared.columns.set(current.name, answers.columns);
      const [command = '', ...numbers] = said.split(' ');
      current.resolve({ rows: answers.rows, command, count: Number(numbers.at(-1) ?? 0) });
      answers.expect(at + 1);
    },
    /** Fails the statements that have no result yet. */
    end: () => {
      const rest = batch.slice(at);
      at = batch.length;
      return rest;
    },
  };
  return answers;
}

function toRow(columns: readonly ResultColumn[], fields: readonly (string | null)[]) {
  const row: Record<string, unknown> = {};
  for (const [index, { name, parse }] of columns.entries()) {
    const text = fields[index] ?? null;
    row[name] = text === null ? null : parse(text);
  }
  return row;
}

/** True if the statement has to be sent to the connection. */
function needsParse({ name }: PendingStatement, { names }: PreparedState): boolean {
  if (name === undefined) return true;
  if (names.has(name)) return false;
  names.add(name);
  return true;
}

type SentStatements = {
  batch: readonly PendingStatement[];
  prepared: PreparedState;
  /** Receives those that the connection has to prepare. */
  fresh: Set<PendingStatement>;
  isOver: () => boolean;
};

/**
 * One Sync ends all parts, so that the server skips all that follows a failure. After a failure the
 * rest is not sent, but the Sync is: the server waits for it.
 */
function* sendStatements(
  connection: Connection,
  { batch, prepared, fresh, isOver }: SentStatements,
): InTurns<void> {
  for (const { statements, isLast } of partsToWrite(batch)) {
    const isEnd = isLast || isOver();
    connection.stream.cork();
    for (const statement of isOver() ? [] : statements) {
      if (needsParse(statement, prepared)) fresh.add(statement);
      sendStatement(connection, statement, { isFresh: fresh.has(statement), kept: prepared });
    }
    if (isEnd) connection.sync();
    connection.stream.uncork();
    if (isEnd) return;
    yield;
  }
}

function sendStatement(
  connection: Connection,
  { text, values, name = '' }: PendingStatement,
  { isFresh, kept: prepared }: { isFresh: boolean; kept: PreparedState },
): void {
  if (isFresh) {
    if (prepared.doubtful.delete(name)) connection.close({ type: 'S', name }, true);
    connection.parse({ text, name, types: [] }, true);
  }
  connection.bind({ statement: name, values }, true);
  if (isFresh) connection.describe({ type: 'P' }, true);
  connection.execute(null, true);
}

function markDoubtful(
  { name }: PendingStatement,
  { names, columns, doubtful }: PreparedState,
): void {
  if (name === undefined) return;
  names.delete(name);
  columns.delete(name);
  doubtful.add(name);
}

function toWire(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return replaceNul(value);
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date || ArrayBuffer.isView(value))
    throw new TypeError('not a value to send');
  return replaceNul(JSON.stringify(value));
}

function toElement(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'object') throw new TypeError('not an element to send');
  return typeof value === 'string'
    ? `"${replaceNul(value).replace(/["\\]/g, '\\$&')}"`
    : String(value);
}

/** PostgreSQL text cannot contain this character, so no stored text can match it. */
function replaceNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
