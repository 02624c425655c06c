import { formatCount } from '../../contract/format-count.ts';
import { type ChatLeftOut, describeLeftOut } from '../../conversations/left-out.ts';
import { printToStderr } from '../../log.ts';
import type { CommandArguments } from '../command-line/flags.ts';
import { isSwitchOn, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { formatColumns, print, printJson } from '../io/output.ts';
import { formatTable } from '../io/table.ts';
import {
  type ChatImportOptions,
  type ChatImportReport,
  importConversations,
} from './import-conversations.ts';
import { readConversations } from './read-conversations.ts';

/** `mneme import --chat FILE`: extracts memories from conversations with other programs. */
export async function runChatImport({ flags }: CommandArguments, file: string): Promise<number> {
  const asJson = wantsJsonOutput(flags);
  const loaded = await loadCommandConfig({ flags });
  const { chats, strays, left_out } = await readConversations(file);
  if (strays > 0)
    printToStderr(`skipped ${formatCount(strays, 'entry', 'entries')}: not a conversation`);
  const options = chatImportOptionsOf(flags);
  const report = await importConversations(loaded, chats, options);
  if (asJson) printJson({ ...report, left_out });
  else print([describeReport(report, options), ...leftOutLine(left_out)].join('\n'));
  return report.refused > 0 ? 2 : 0;
}

function chatImportOptionsOf(flags: CommandArguments['flags']): ChatImportOptions {
  const { verbatim, dry_run, again } = flags;
  return {
    verbatim: isSwitchOn(verbatim),
    dry_run: isSwitchOn(dry_run),
    again: isSwitchOn(again),
    onRejected: ({ conversation, message, problem }) =>
      printToStderr(`skipped message ${message} of conversation ${conversation}: ${problem}`),
  };
}

function leftOutLine(left_out: ChatLeftOut): string[] {
  const text = describeLeftOut(left_out);
  return text === '' ? [] : [`  Left out: ${text}.`];
}

function describeReport(report: ChatImportReport, { dry_run }: ChatImportOptions): string {
  const kinds = ['added', 'updated', 'deleted', 'unchanged'] as const;
  const names = ['conversations', 'turns', ...kinds, 'known'] as const;
  const heading = names.map((name) => name.toUpperCase());
  const row = names.map((name) => report[name].toLocaleString('en'));
  const trial = dry_run ? ['  Dry run: nothing was stored.'] : [];
  const refusals =
    report.refused === 0
      ? []
      : [`  ${formatCount(report.refused, 'message', 'messages')} left out.`];
  return [...describeMemories(report), formatColumns([heading, row]), ...refusals, ...trial].join(
    '\n',
  );
}

/** What a dry run found, in the order of the conversations. */
function describeMemories({ memories = [] }: ChatImportReport): string[] {
  if (memories.length === 0) return [];
  const rows = memories.map(({ conversation, title, memory }) => [title ?? conversation, memory]);
  return [formatTable({ heading: ['CONVERSATION', 'MEMORY'], rows }), ''];
}
