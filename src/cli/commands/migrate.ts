import {
  migrateStore,
  type TransferProgress,
  type TransferReport,
} from '../../app/store/migrate-store.ts';
import { formatCount } from '../../contract/format-count.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { isSwitchOn, requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadLocalConfig } from '../context/command-config.ts';
import { formatColumns, print, printJson } from '../io/output.ts';
import { createProgressReporter } from '../io/progress.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  requirePositionals(positionals);
  const { values } = await loadLocalConfig({ flags }, 'migrate');
  const progress = createProgressReporter();
  const report = await migrateStore(values, {
    from: flagText(flags, 'from'),
    to: flagText(flags, 'to'),
    resume: isSwitchOn(flags.resume),
    onProgress: (step) => progress(() => describeProgress(step)),
    onWarning: (warning) => printToStderr(`warning: ${warning}`),
  });
  if (wantsJsonOutput(flags)) printJson(report);
  else print(formatReport(report));
  return 0;
};

function flagText(flags: CommandArguments['flags'], name: string): string | null {
  const value = flags[name];
  return value === undefined ? null : String(value);
}

function describeProgress({ phase, table, rows }: TransferProgress): string {
  return `${phase} ${table}: ${formatCount(rows, 'row', 'rows')}`;
}

/** Enough of a hash to compare two by eye. */
const hashChars = 16;

function formatReport({ from, to, rows, tables, projects }: TransferReport): string {
  const lines = tables
    .filter((table) => table.rows > 0)
    .map(({ table, hash, ...count }) => {
      return [table, count.rows.toLocaleString('en'), hash.slice(0, hashChars)];
    });
  return [
    formatColumns([['TABLE', 'ROWS', 'HASH AT BOTH ENDS'], ...lines]),
    `moved ${formatCount(rows, 'row', 'rows')} of ${formatCount(projects.length, 'project', 'projects')}`,
    `  from ${from}`,
    `  to   ${to}`,
  ].join('\n');
}
