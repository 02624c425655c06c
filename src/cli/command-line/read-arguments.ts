import { ApiError } from '../../contract/errors.ts';
import { formatColumns, outputWidth, print } from '../io/output.ts';
import { describeTerminal } from '../io/terminal.ts';
import type { CommandArguments } from './flags.ts';
import { UsageError } from './usage-error.ts';

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
  const absentName = names[positionals.length];
  if (absentName !== undefined) throw new UsageError(`${absentName} is missing`);
  const stray = positionals[names.length];
  if (stray === undefined) return [...positionals];
  throw new UsageError(`unexpected ${JSON.stringify(stray.slice(0, 60))}`);
}

/** A table with a heading, or a line that says that there is nothing to list. */
export function printTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
): void {
  const table = [heading, ...rows];
  if (rows.length === 0) print(none);
  // In a pipe a row is a line, however long.
  else if (!describeTerminal().isInteractive) print(formatColumns(table, Number.MAX_SAFE_INTEGER));
  else if (isWiderThanOutput(table)) print(rows.map(below(heading)).join('\n\n'));
  else print(formatColumns(table));
}

function isWiderThanOutput(table: readonly (readonly string[])[]): boolean {
  const widths = table[0]?.map((_, index) =>
    Math.max(...table.map((row) => row[index]?.length ?? 0)),
  );
  return widths !== undefined && widths.reduce((sum, width) => sum + width + 2, 0) > outputWidth();
}

/** A row that is too wide, with each value beside its heading. */
function below(heading: readonly string[]): (row: readonly string[]) => string {
  return (row) => formatColumns(heading.map((title, index) => [title, row[index] ?? '']));
}
