import type { RunCommand } from '../../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { withScopedInvoke } from '../../context/scoped-invoke.ts';
import { formatFields } from '../../io/field-list.ts';
import { print, printJson } from '../../io/output.ts';
import { describeTerminal } from '../../io/terminal.ts';

/** Counts the memories, writes and searches of the configured project. */
export const run: RunCommand = async ({ flags, positionals }) => {
  requirePositionals(positionals);
  const asJson = wantsJsonOutput(flags);
  const loaded = await loadCommandConfig({ flags });
  const stats = await withScopedInvoke(loaded, (call) => call('get_stats', {}), {
    project: 'must exist',
  });
  if (asJson) {
    printJson(stats);
    return 0;
  }
  const counts: readonly [name: string, count: number][] = [
    ['memories', stats.total_memories],
    ['users', stats.total_users_with_memories],
    ['memories per user', stats.memories_per_user],
    ['adds', stats.total_add_events],
    ['searches and lists', stats.total_retrieval_events],
  ];
  const terminal = describeTerminal();
  const fields = counts.map(([name, count]): [string, string] => [
    name,
    terminal.isInteractive
      ? count.toLocaleString('en', { maximumFractionDigits: 1 })
      : String(count),
  ]);
  print(formatFields(fields, terminal));
  return 0;
};
