import type { ClientBase, Connection, CustomTypesConfig, FieldDef } from 'pg';
import { ColumnsChangedError } from './errors.ts';

/** A statement; under its name, where it has one, the connection keeps it. */
export type PipelineStatement = {
  text: string;
  values?: readonly unknown[];
  name?: string | undefined;
};
export type StatementResult = { rows: Record<string, unknown>[]; command: string; count: number };

/** Statements on their way over one connection, in their order. */
export type Pipeline = {
  /**
   * Goes with all that is asked before anybody waits for something else: there and back costs more
   * than most statements do. Where one fails, those after it that went along are not carried out.
   */
  query(statement: PipelineStatement): Promise<StatementResult>;
  /** Whether the connection has carried out the statement of this name before. */
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
   * How long the server takes for a statement at most; 0 where nobody says. A connection that says
   * nothing for longer carries nothing any more, and is given up.
   */
  responseTimeoutMs: number;
};

/**
 * The driver has a pipeline of its own (`pipeline: true`), which was tried instead of this one. It
 * ends each statement with a Sync and describes each anew, which costs an add 2 to 24% more
 * processor time and 4 to 8% more time on a network of one millisecond. What follows a failed
 * statement is carried out all the same, so that behind a pooler that does not follow named
 * statements the first error is lost among others; and a commit counts only with the last word of
 * the server, so that one that was answered is reported as failed where the connection ends there.
 */
export function createPipeline(client: ClientBase, options: PipelineOptions): Pipeline {
  const kept: PreparedState = { names: new Set(), columns: new Map(), doubtful: new Set() };
  let waiting: PendingStatement[] = [];
  let isBusy = false;

  const send = () => {
    const asked = waiting;
    waiting = [];
    client.query(createStatementBatch(asked, { ...options, kept, ended }));
  };
  const ended = () => {
    isBusy = waiting.length > 0;
    if (isBusy) afterPendingCalls(send);
  };
  return {
    query: ({ text, values = [], name }) =>
      new Promise((resolve, reject) => {
        waiting.push({ text, values: values.map(toWire), name, resolve, reject });
        if (isBusy) return;
        isBusy = true;
        afterPendingCalls(send);
      }),
    hasPrepared: (name) => name !== undefined && kept.columns.has(name),
  };
}

/** After all that follows without waiting for anything, whether it has begun or not. */
function afterPendingCalls(run: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(run)));
}

type ResultColumn = { name: string; parse: (text: string) => unknown };

/** What the connection keeps. */
type PreparedState = {
  names: Set<string>;
  /** What statements answer, by their names. */
  columns: Map<string, ResultColumn[]>;
  /** It may have these or not. */
  doubtful: Set<string>;
};

type StatementBatchOptions = PipelineOptions & { kept: PreparedState; ended: () => void };

/** There and back, for what the limit of a statement does not count. */
const roundTripMaxMs = 5_000;

/** What the driver calls with what comes back for one way there. */
function createStatementBatch(
  asked: readonly PendingStatement[],
  { kept, types, responseTimeoutMs, ended }: StatementBatchOptions,
) {
  const fresh = new Set<PendingStatement>();
  const answers = createResultReader(asked, kept);
  let watch: NodeJS.Timeout | undefined;
  const over = () => {
    clearTimeout(watch);
    ended();
  };
  return {
    submit: (connection: Connection) => {
      if (responseTimeoutMs > 0) {
        const giveUp = () =>
          connection.stream.destroy(new Error('Connection terminated: no response'));
        watch = setTimeout(giveUp, asked.length * responseTimeoutMs + roundTripMaxMs);
      }
      connection.stream.cork();
      for (const statement of asked) {
        if (needsParse(statement, kept)) fresh.add(statement);
        sendStatement(connection, statement, { isFresh: fresh.has(statement), kept });
      }
      connection.sync();
      connection.stream.uncork();
      answers.expect(0);
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
    // The driver calls this or `handleReadyForQuery`, never both; also where all have their answer
    // and the connection ends before the last word.
    handleError: (error: unknown) => {
      const failed = answers.end();
      for (const statement of failed) {
        if (fresh.has(statement)) markDoubtful(statement, kept);
        statement.reject(error);
      }
      over();
    },
    handleReadyForQuery: over,
  };
}

/** The answers to statements, one after the other. */
function createResultReader(asked: readonly PendingStatement[], kept: PreparedState) {
  let at = 0;
  const answers = {
    columns: [] as ResultColumn[],
    rows: [] as StatementResult['rows'],
    isOther: false,
    expect: (next: number) => {
      at = next;
      answers.rows = [];
      answers.isOther = false;
      answers.columns = kept.columns.get(asked[at]?.name ?? '') ?? [];
    },
    add: (fields: (string | null)[]) => {
      // As far as their number tells: asking for names and types each time would cost a message.
      answers.isOther ||= fields.length !== answers.columns.length;
      answers.rows.push(toRow(answers.columns, fields));
    },
    complete: (said: string) => {
      const current = asked[at];
      if (current === undefined) return;
      if (answers.isOther) {
        current.reject(new ColumnsChangedError('the columns of a statement have changed'));
        answers.expect(at + 1);
        return;
      }
      if (current.name !== undefined) kept.columns.set(current.name, answers.columns);
      const [command = '', ...numbers] = said.split(' ');
      current.resolve({ rows: answers.rows, command, count: Number(numbers.at(-1) ?? 0) });
      answers.expect(at + 1);
    },
    /** Those that have no answer yet, and get none. */
    end: () => {
      const rest = asked.slice(at);
      at = asked.length;
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

/** True where the connection has to be told what the statement is. */
function needsParse({ name }: PendingStatement, { names }: PreparedState): boolean {
  if (name === undefined) return true;
  if (names.has(name)) return false;
  names.add(name);
  return true;
}

function sendStatement(
  connection: Connection,
  { text, values, name = '' }: PendingStatement,
  { isFresh, kept }: { isFresh: boolean; kept: PreparedState },
): void {
  if (isFresh) {
    if (kept.doubtful.delete(name)) connection.close({ type: 'S', name }, true);
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

/** PostgreSQL has no text with this character in it: nothing that is stored can hold it. */
function replaceNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
