import { ApiError, type ErrorCode, reasonOf } from '../../contract/errors.ts';
import { printToStderr } from '../../log.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { withCommandNames } from '../io/command-names.ts';
import { namedCommand, withTypedNames } from './typed-names.ts';

/** The meaning of the exit codes. */
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

/** Prints an error on stderr and returns the exit code. */
export function reportError(error: unknown, args: readonly string[]): ExitCode {
  const report = toReportedError(error);
  const { code, fields } = report;
  const message = withTypedNames(report.message, { args, fields });
  const next = report.next ?? usageLine(error, args);
  const step = next === undefined ? [] : [withCommandNames(next)];
  const lines = [...message.split('\n').map((line) => `error: ${line}`), ...step];
  if (hasJsonFlag(args)) printToStderr(JSON.stringify({ error: { code, message, fields, next } }));
  else for (const line of lines) printToStderr(line);
  const exitCode = exitCodeByError[code];
  // Clients treat exit code 2 of a hook as a refusal of the action.
  return exitCode === 2 && isHookCommand(args) ? 1 : exitCode;
}

/** For a line that lacks what its command needs. */
function usageLine(error: unknown, args: readonly string[]): string | undefined {
  const command = error instanceof UsageError ? namedCommand(args) : null;
  return command === null ? undefined : `usage: ${command.usage}`;
}

function toReportedError(error: unknown): Pick<ApiError, 'code' | 'message' | 'fields' | 'next'> {
  if (error instanceof ApiError) return error;
  const message = `internal error: ${reasonOf(error)}`;
  return { code: 'internal', message, fields: undefined, next: undefined };
}

/** Read from the raw words, because parsing them may be what failed. */
function hasJsonFlag([command, ...words]: readonly string[]): boolean {
  const end = words.indexOf('--');
  const flags = words.slice(0, end === -1 ? undefined : end);
  const at = flags.findIndex((flag) => flag === '--output' || flag.startsWith('--output='));
  const isOutput = at !== -1 && (flags[at] === '--output=json' || flags[at + 1] === 'json');
  // For `call`, --json is the input.
  const isSwitch = command !== 'call' && flags.some((flag) => /^--json(?:=true)?$/.test(flag));
  return isOutput || isSwitch;
}

/** Whether a command line is a hook, even when the rest of it cannot be parsed. */
function isHookCommand([command, ...args]: readonly string[]): boolean {
  if (command === 'hook') return true;
  return /(^| )--(hook|format[= ]hook)( |$)/.test(args.join(' '));
}
