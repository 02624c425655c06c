import { ApiError, type ErrorCode } from '../../contract/errors.ts';
import { printToStderr } from '../../log.ts';

/** What the exit code of the process says about how it went. */
export const exitCodes = {
  0: 'done',
  1: 'internal error, or the data are not available',
  2: 'wrong command line, configuration or input',
  3: 'not found',
  4: 'forbidden, or in conflict with what is stored',
} as const;

type ExitCode = keyof typeof exitCodes;

const exitCodeByError: Record<ErrorCode, ExitCode> = {
  invalid: 2,
  too_large: 2,
  unauthorized: 4,
  forbidden: 4,
  conflict: 4,
  not_found: 3,
  rate_limited: 1,
  internal: 1,
  unavailable: 1,
};

/** Says on stderr what went wrong and answers the exit code. */
export function reportError(error: unknown, args: readonly string[]): ExitCode {
  const { code, message, fields, next } = toReportedError(error);
  const lines = [...message.split('\n').map((line) => `error: ${line}`), ...(next ? [next] : [])];
  // What is undefined stays out of JSON.
  if (hasJsonFlag(args)) printToStderr(JSON.stringify({ error: { code, message, fields, next } }));
  else for (const line of lines) printToStderr(line);
  const exitCode = exitCodeByError[code];
  // Clients take 2 from a hook as a refusal of what their user does.
  return exitCode === 2 && isHookCommand(args) ? 1 : exitCode;
}

function toReportedError(error: unknown): Pick<ApiError, 'code' | 'message' | 'fields' | 'next'> {
  if (error instanceof ApiError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  const message = `internal error: ${reason}`;
  return { code: 'internal', message, fields: undefined, next: undefined };
}

/** Read from the words as they are: what is wrong may be how they are put together. */
function hasJsonFlag([command, ...words]: readonly string[]): boolean {
  const end = words.indexOf('--');
  const flags = words.slice(0, end === -1 ? undefined : end);
  const at = flags.findIndex((flag) => flag === '--output' || flag.startsWith('--output='));
  const isOutput = at !== -1 && (flags[at] === '--output=json' || flags[at + 1] === 'json');
  // There it is the input.
  const isSwitch = command !== 'call' && flags.some((flag) => /^--json(?:=true)?$/.test(flag));
  return isOutput || isSwitch;
}

/** Whether a command line is that of a hook, also when nothing else in it can be understood. */
function isHookCommand([command, ...args]: readonly string[]): boolean {
  if (command === 'hook') return true;
  return /(^| )--(hook|format[= ]hook)( |$)/.test(args.join(' '));
}
