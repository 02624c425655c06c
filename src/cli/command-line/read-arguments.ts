import { ApiError } from '../../contract/errors.ts';
import { formatColumns, print } from '../io/output.ts';
import type { CommandArguments } from './flags.ts';

/** Whether the output is for a program: `--json`, or the older spelling `--output json`. */
export function wantsJsonOutput({ json, output = 'text' }: CommandArguments['flags']): boolean {
  if (isSwitchOn(json)) return true;
  if (output === 'json' || output === 'text') return output === 'json';
  throw new ApiError('invalid', 'flag --output: must be json or text');
}

/** Whether a switch was given, as `--name` or `--name true`. */
export function isSwitchOn(flag: string | boolean | undefined): boolean {
  return flag === true || flag === 'true';
}

/** The words after a command, all of which are required. */
export function requirePositionals(positionals: readonly string[], ...names: string[]): string[] {
  const missing = names[positionals.length];
  if (missing !== undefined) throw new ApiError('invalid', `${missing} is missing`);
  const stray = positionals[names.length];
  if (stray === undefined) return [...positionals];
  throw new ApiError('invalid', `unexpected ${JSON.stringify(stray.slice(0, 60))}`);
}

/** A table with a heading, or a line that says that there is nothing to list. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): void {
  print(rows.length === 0 ? none : formatColumns([heading, ...rows]));
}

/** `1 memory`, `2,000 memories`. */
export function formatCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
