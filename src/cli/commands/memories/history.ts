import type { ToldChange } from '../../../contract/schemas/change.ts';
import { describeChanged } from '../../../mcp/results/changed-fields.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { withScopedInvoke } from '../../context/scoped-invoke.ts';
import { type ShownTimes, timeCell } from '../../io/memory-lines.ts';
import { print, printJson } from '../../io/output.ts';
import { type Cell, formatTable } from '../../io/table.ts';
import { describeTerminal, type Style } from '../../io/terminal.ts';

/** Lists the changes of a memory, oldest first, also of a deleted one. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const [memory_id] = requirePositionals(positionals, 'MEMORY_ID');
  const asJson = wantsJsonOutput(flags);
  const loaded = await loadCommandConfig({ flags });
  const answer = await withScopedInvoke(loaded, (call) => call('get_history', { memory_id }), {
    project: 'must exist',
  });
  const terminal = describeTerminal();
  const times = { ...terminal, timezone: loaded.values.timezone };
  if (asJson) printJson(answer);
  else {
    const rows = answer.results.map((entry) => historyRow(entry, times));
    print(formatTable({ heading: ['WHEN', 'CHANGE', 'MEMORY'], rows }, terminal));
  }
  return 0;
};

const styles: Readonly<Record<ToldChange['event'], Style>> = {
  ADD: 'green',
  UPDATE: 'yellow',
  DELETE: 'red',
};

function historyRow(entry: ToldChange, times: ShownTimes): Cell[] {
  const { event, new_memory, old_memory, created_at, updated_at, undo } = entry;
  const at = event === 'ADD' && !undo ? created_at : updated_at;
  const text = new_memory ?? old_memory ?? '';
  const fields = describeChanged(entry.changed);
  const suffix = fields === '' ? '' : ` (${fields})`;
  const change = { text: undo ? `undo (${event})` : event, style: styles[event] };
  return [timeCell(at, times), change, text + suffix];
}
