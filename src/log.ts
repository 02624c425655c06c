import { formatWithOptions } from 'node:util';

const levels = ['error', 'warn', 'info'] as const;

export type LogLevel = (typeof levels)[number];

export type Log = (level: LogLevel, message: string, fields?: object) => void;

/**
 * One line on stderr for each message of the level or above: for people at a terminal, as JSON for
 * everything else. stdout belongs to MCP.
 */
export function createLog(level: LogLevel): Log {
  const write = process.stderr.isTTY ? humanLine : jsonLine;
  process.stderr.on('error', () => {}); // whoever read the log is gone: no reason to end
  return (of, message, fields = {}) => {
    if (levels.indexOf(of) > levels.indexOf(level)) return;
    process.stderr.write(`${write(of, message, fields)}\n`);
  };
}

/** What a person is told, as it is: errors of a command, and where things are at a terminal. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

function humanLine(level: LogLevel, message: string, fields: object): string {
  const details = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  const time = new Date().toTimeString().slice(0, 'hh:mm:ss'.length);
  return [time, level.padEnd('error'.length), message, ...details]
    .join(' ')
    .replace(/\s*\n\s*/g, ' ');
}

function jsonLine(level: LogLevel, message: string, fields: object): string {
  const plain = Object.entries(fields).map(([name, value]) => [name, plainOf(value)]);
  const time = new Date().toISOString();
  return JSON.stringify({ time, level, message, ...Object.fromEntries(plain) });
}

function shown(value: unknown): string {
  const text = plainOf(value);
  if (typeof text === 'string') return /[\s"=]/.test(text) ? JSON.stringify(text) : text;
  return formatWithOptions({ breakLength: Number.POSITIVE_INFINITY, depth: 3 }, '%O', text);
}

/** JSON.stringify makes `{}` of an error. */
function plainOf(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return value.cause === undefined
    ? value.message
    : { message: value.message, cause: plainOf(value.cause) };
}
