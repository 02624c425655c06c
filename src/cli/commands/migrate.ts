import {
  migrateStore,
  type TransferProgress,
  type TransferReport,
} from '../../app/migrate-store.ts';
import { printToStderr } from '../../log.ts';
import { counted, isJson, isOn, wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { localConfigOf } from '../configured.ts';
import type { Arguments } from '../flags.ts';
import { columns, print, printJson } from '../output.ts';
import { createProgress } from '../progress.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  wordsOf(positionals);
  const { values } = await localConfigOf({ flags }, 'migrate');
  const progress = createProgress();
  const report = await migrateStore(values, {
    from: textOf(flags, 'from'),
    to: textOf(flags, 'to'),
    resume: isOn(flags.resume),
    onProgress: (step) => progress(() => described(step)),
    onWarning: (warning) => printToStderr(`warning: ${warning}`),
  });
  if (isJson(flags)) printJson(report);
  else print(summaryOf(report));
  return 0;
};

function textOf(flags: Arguments['flags'], name: string): string | null {
  const value = flags[name];
  return value === undefined ? null : String(value);
}

function described({ phase, table, rows }: TransferProgress): string {
  return `${phase} ${table}: ${counted(rows, 'row', 'rows')}`;
}

/** Enough of a hash to see with the eye that two are equal. */
const hashChars = 16;

function summaryOf({ from, to, rows, tables, projects }: TransferReport): string {
  const lines = tables
    .filter((table) => table.rows > 0)
    .map(({ table, hash, ...count }) => {
      return [table, count.rows.toLocaleString('en'), hash.slice(0, hashChars)];
    });
  return [
    columns([['TABLE', 'ROWS', 'HASH AT BOTH ENDS'], ...lines]),
    `moved ${counted(rows, 'row', 'rows')} of ${counted(projects.length, 'project', 'projects')}`,
    `  from ${from}`,
    `  to   ${to}`,
  ].join('\n');
}
