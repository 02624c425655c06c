import { formatWithOptions } from 'node:util';

const levels = ['error', 'warn', 'info'] as const;

export type LogLevel = (typeof levels)[number];

export type Log = (level: LogLevel, message: string, fields?: object) => void;

/**
 * Writes one line to stderr for each message at the level or above: readable at a terminal, JSON
 * elsewhere. stdout belongs to MCP.
 */
export function createLog(level: LogLevel): Log {
  let output: ReturnType<typeof openOutput> | null = null;
  return (of, message, fields = {}) => {
    if (levels.indexOf(of) > levels.indexOf(level)) return;
    output ??= openOutput();
    output.write(`${output.lineOf(of, message, fields)}\n`, { atOnce: of !== 'info' });
  };
}

/** With the first line, because Node opens the stream only then: most starts have none. */
function openOutput() {
  process.stderr.on('error', () => {}); // the reader of the log is gone; keep running
  return { lineOf: process.stderr.isTTY ? humanLine : jsonLine, write: createLineWriter() };
}

/**
 * A write blocks the process until it is done. So `info` lines are written together, once per turn
 * of the event loop; a warning or an error is written at once, after the lines before it.
 */
function createLineWriter() {
  let waiting = '';
  const flush = () => {
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    process.stderr.write(text);
  };
  process.once('exit', flush);
  return (text: string, { atOnce }: { atOnce: boolean }): void => {
    if (waiting === '' && !atOnce) setImmediate(flush);
    waiting += text;
    if (atOnce) flush();
  };
}

/** Prints plain text for people: errors of commands, and addresses at a terminal. */
export function printToStderr(text: string): void {
  process.stderr.write(`${text}\n`);
}

function humanLine(level: LogLevel, message: string, fields: object): string {
  const details = Object.entries(fields).map(([name, value]) => `${name}=${formatValue(value)}`);
  const time = new Date().toTimeString().slice(0, 'hh:mm:ss'.length);
  return [time, level.padEnd('error'.length), message, ...details]
    .join(' ')
    .replace(/(?<!\s)\s*\n\s*/g, ' ');
}

function jsonLine(level: LogLevel, message: string, fields: object): string {
  const line = { time: new Date().toISOString(), level, message, ...fields };
  const isPlain = !Object.values(fields).some((value) => value instanceof Error);
  return JSON.stringify(isPlain ? line : withPlainErrors(line));
}

function withPlainErrors(line: object): object {
  return Object.fromEntries(Object.entries(line).map(([name, value]) => [name, plainValue(value)]));
}

function formatValue(value: unknown): string {
  const text = plainValue(value);
  if (typeof text === 'string') return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
  return formatWithOptions({ breakLength: Number.POSITIVE_INFINITY, depth: 3 }, '%O', text);
}

/** JSON.stringify turns an error into `{}`. */
function plainValue(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return value.cause === undefined
    ? value.message
    : { message: value.message, cause: plainValue(value.cause) };
}
