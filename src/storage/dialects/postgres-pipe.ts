import type { ClientBase, Connection, CustomTypesConfig, FieldDef } from 'pg';
import { Replanned } from './postgres-errors.ts';

/** A statement; under its name, where it has one, the connection keeps it. */
export type Statement = { text: string; values?: readonly unknown[]; name?: string | undefined };
export type Answer = { rows: Record<string, unknown>[]; command: string; count: number };

/** Statements on their way over one connection, in their order. */
export type Pipe = {
  /**
   * Goes with all that is asked before anybody waits for something else: there and back costs more
   * than most statements do. Where one fails, those after it that went along are not carried out.
   */
  ask(statement: Statement): Promise<Answer>;
  /** Whether the connection has carried out the statement of this name before. */
  hasAnswered(name: string | undefined): boolean;
};

type Asked = {
  text: string;
  values: (string | Buffer | null)[];
  name: string | undefined;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

export type PipeOptions = {
  types: CustomTypesConfig;
  /**
   * How long the server takes for a statement at most; 0 where nobody says. A connection that says
   * nothing for longer carries nothing any more, and is given up.
   */
  answerMaxMs: number;
};

export function createPipe(client: ClientBase, options: PipeOptions): Pipe {
  const kept: Kept = { names: new Set(), columns: new Map(), doubtful: new Set() };
  let waiting: Asked[] = [];
  let isBusy = false;

  const send = () => {
    const asked = waiting;
    waiting = [];
    client.query(createGroup(asked, { ...options, kept, ended }));
  };
  const ended = () => {
    isBusy = waiting.length > 0;
    if (isBusy) whenAllAsked(send);
  };
  return {
    ask: ({ text, values = [], name }) =>
      new Promise((resolve, reject) => {
        waiting.push({ text, values: values.map(toWire), name, resolve, reject });
        if (isBusy) return;
        isBusy = true;
        whenAllAsked(send);
      }),
    hasAnswered: (name) => name !== undefined && kept.columns.has(name),
  };
}

/** After all that follows without waiting for anything, whether it has begun or not. */
function whenAllAsked(run: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(run)));
}

type Column = { name: string; parse: (text: string) => unknown };

/** What the connection keeps. */
type Kept = {
  names: Set<string>;
  /** What statements answer, by their names. */
  columns: Map<string, Column[]>;
  /** It may have these or not. */
  doubtful: Set<string>;
};

type Parts = PipeOptions & { kept: Kept; ended: () => void };

/** There and back, for what the limit of a statement does not count. */
const travelMaxMs = 5_000;

/** What the driver calls with what comes back for one way there. */
function createGroup(asked: readonly Asked[], { kept, types, answerMaxMs, ended }: Parts) {
  const fresh = new Set<Asked>();
  const answers = createAnswers(asked, kept);
  let watch: NodeJS.Timeout | undefined;
  const over = () => {
    clearTimeout(watch);
    ended();
  };
  return {
    submit: (connection: Connection) => {
      if (answerMaxMs > 0) {
        const giveUp = () =>
          connection.stream.destroy(new Error('Connection terminated: no answer'));
        watch = setTimeout(giveUp, asked.length * answerMaxMs + travelMaxMs);
      }
      connection.stream.cork();
      for (const statement of asked) {
        if (isNew(statement, kept)) fresh.add(statement);
        sendOne(connection, statement, { isFresh: fresh.has(statement), kept });
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
        if (fresh.has(statement)) doubt(statement, kept);
        statement.reject(error);
      }
      over();
    },
    handleReadyForQuery: over,
  };
}

/** The answers to statements, one after the other. */
function createAnswers(asked: readonly Asked[], kept: Kept) {
  let at = 0;
  const answers = {
    columns: [] as Column[],
    rows: [] as Answer['rows'],
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
        current.reject(new Replanned('the columns of a statement have changed'));
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

function toRow(columns: readonly Column[], fields: readonly (string | null)[]) {
  const row: Record<string, unknown> = {};
  for (const [index, { name, parse }] of columns.entries()) {
    const text = fields[index] ?? null;
    row[name] = text === null ? null : parse(text);
  }
  return row;
}

/** True where the connection has to be told what the statement is. */
function isNew({ name }: Asked, { names }: Kept): boolean {
  if (name === undefined) return true;
  if (names.has(name)) return false;
  names.add(name);
  return true;
}

function sendOne(
  connection: Connection,
  { text, values, name = '' }: Asked,
  { isFresh, kept }: { isFresh: boolean; kept: Kept },
): void {
  if (isFresh) {
    if (kept.doubtful.delete(name)) connection.close({ type: 'S', name }, true);
    connection.parse({ text, name, types: [] }, true);
  }
  connection.bind({ statement: name, values }, true);
  if (isFresh) connection.describe({ type: 'P' }, true);
  connection.execute(null, true);
}

function doubt({ name }: Asked, { names, columns, doubtful }: Kept): void {
  if (name === undefined) return;
  names.delete(name);
  columns.delete(name);
  doubtful.add(name);
}

function toWire(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return clean(value);
  if (Buffer.isBuffer(value)) return value;
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  if (typeof value !== 'object') return String(value);
  if (value instanceof Date || ArrayBuffer.isView(value))
    throw new TypeError('not a value to send');
  return clean(JSON.stringify(value));
}

function toElement(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'object') throw new TypeError('not an element to send');
  return typeof value === 'string' ? `"${clean(value).replace(/["\\]/g, '\\$&')}"` : String(value);
}

/** PostgreSQL has no text with this character in it: nothing that is stored can hold it. */
function clean(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text;
}
