import { formatCount } from '../../contract/format-count.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadCommandConfig } from '../context/command-config.ts';
import { withScopedInvoke } from '../context/scoped-invoke.ts';
import { timeCell } from '../io/memory-lines.ts';
import { pageNote, print, printJson } from '../io/output.ts';
import { formatTable } from '../io/table.ts';
import { describeTerminal } from '../io/terminal.ts';

/** Lists the users of the project, the newest first, whichever user is configured. */
export const run: RunCommand = async ({ flags, positionals }) => {
  requirePositionals(positionals);
  const asJson = wantsJsonOutput(flags);
  const { page } = flags;
  const input = { entity_type: 'user', page_size: pageSize, ...(page !== undefined && { page }) };
  const loaded = await loadCommandConfig({ flags });
  const call = { project: 'must exist' } as const;
  const users = await withScopedInvoke(loaded, (invoke) => invoke('list_entities', input), call);
  if (asJson) {
    printJson(users);
    return 0;
  }
  const { results, total } = users;
  if (results.length === 0) {
    printToStderr(users.page > 1 ? `No users on page ${users.page}.` : 'No users yet.');
    return 0;
  }
  const terminal = describeTerminal();
  const rows = results.map(({ name, total_memories, updated_at }) => [
    String(total_memories),
    timeCell(updated_at, { ...terminal, timezone: loaded.values.timezone }),
    name,
  ]);
  print(formatTable({ heading: ['MEMORIES', 'CHANGED', 'USER'], rows }, terminal));
  if (terminal.isInteractive) {
    const next = 'mneme list --user-id USER lists what one has.';
    printToStderr(`\n${formatCount(total, 'user', 'users')}.${pageNote(users)} ${next}`);
  }
  return 0;
};

/** About a screen. */
const pageSize = 20;
