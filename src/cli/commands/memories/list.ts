import type { Config } from '../../../config/options.ts';
import { formatCount } from '../../../contract/format-count.ts';
import type { Output } from '../../../contract.ts';
import { printToStderr } from '../../../log.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { readClocks } from '../../command-line/read-clocks.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { withScopedInvoke } from '../../context/scoped-invoke.ts';
import { describeScope, memoryTable } from '../../io/memory-lines.ts';
import { pageNote, print, printJson } from '../../io/output.ts';
import { describeTerminal } from '../../io/terminal.ts';

/** Lists memories, newest first. */
export const run: RunCommand = async ({ flags, positionals }) => {
  requirePositionals(positionals);
  const asJson = wantsJsonOutput(flags);
  const { page, limit = defaultPageSize, page_size = limit } = flags;
  const input = { page_size, ...(page !== undefined && { page }), ...readClocks(flags) };
  const loaded = await loadCommandConfig({ flags });
  const call = { project: 'must exist' } as const;
  const answer = await withScopedInvoke(loaded, (invoke) => invoke('get_memories', input), call);
  if (asJson) printJson(answer);
  else printPage(answer, loaded.values);
  return 0;
};

/** About a screen. */
const defaultPageSize = '20';

function printPage(answer: Output<'get_memories'>, values: Config) {
  const { results, total, page } = answer;
  const terminal = describeTerminal();
  const { timezone } = values;
  const owners = describeScope(values);
  if (results.length === 0) {
    printToStderr(`Nothing is remembered${owners}${page > 1 ? ` on page ${page}` : ''}.`);
    return;
  }
  print(memoryTable(results, { ...terminal, timezone }));
  if (!terminal.isInteractive) return;
  printToStderr(`\n${formatCount(total, 'memory', 'memories')}${owners}.${pageNote(answer)}`);
}
