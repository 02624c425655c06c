import { tell } from '../../log.ts';
import { counted, isJson, isOn } from '../answer.ts';
import { configOf } from '../configured.ts';
import type { Arguments } from '../flags.ts';
import { columns, print, printJson } from '../output.ts';
import { type ChatOptions, type ChatReport, importChats } from './import-chats.ts';
import { readChats } from './read-chats.ts';

/** `mneme import --chat FILE`: stores what was said in conversations with other programs. */
export async function runChatImport({ flags }: Arguments, file: string): Promise<number> {
  const asJson = isJson(flags);
  const loaded = await configOf({ flags });
  const { chats, strays } = await readChats(file);
  if (strays > 0) tell(`${counted(strays, 'entry is', 'entries are')} no conversation: left out`);
  const options = optionsOf(flags);
  const report = await importChats(loaded, chats, options);
  if (asJson) printJson(report);
  else print(described(report, options));
  return report.refused > 0 ? 2 : 0;
}

function optionsOf(flags: Arguments['flags']): ChatOptions {
  const { verbatim, dry_run, again } = flags;
  return {
    verbatim: isOn(verbatim),
    dry_run: isOn(dry_run),
    again: isOn(again),
    onRefusal: ({ conversation, message, problem }) =>
      tell(`conversation ${conversation}, message ${message}: ${problem}: left out`),
  };
}

function described(report: ChatReport, { dry_run }: ChatOptions): string {
  const done = ['added', 'updated', 'deleted', 'unchanged'] as const;
  const names = ['conversations', 'turns', ...(dry_run ? [] : done), 'known'] as const;
  const heading = names.map((name) => name.toUpperCase());
  const row = names.map((name) => report[name].toLocaleString('en'));
  const trial = dry_run ? ['  Nothing was stored: a trial.'] : [];
  const refused =
    report.refused === 0 ? [] : [`  ${counted(report.refused, 'message', 'messages')} left out.`];
  return [columns([heading, row]), ...refused, ...trial].join('\n');
}
