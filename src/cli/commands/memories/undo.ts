import { ApiError, invalid } from '../../../contract/errors.ts';
import { shortIdOf } from '../../../contract/short-id.ts';
import type { Output } from '../../../contract.ts';
import { printToStderr } from '../../../log.ts';
import { describeChanged } from '../../../mcp/results/changed-fields.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { isSwitchOn } from '../../command-line/read-arguments.ts';
import { readTime } from '../../command-line/read-clocks.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { withScopedInvoke } from '../../context/scoped-invoke.ts';
import { isTerminal } from '../../init/terminal-prompt.ts';
import { confirm } from '../../io/confirm.ts';
import { print, printJson } from '../../io/output.ts';
import { printableLine } from '../../io/printable.ts';

type Undone = Output<'undo_changes'>;

/** Shows what an undo would do, and does it once somebody at the terminal agrees. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const [memory_id, ...others] = positionals;
  if (others.length > 0) throw invalid('MEMORY_ID', 'name one memory, or none');
  const { event_id, as_of, since, key_id } = flags;
  const isJson = isSwitchOn(flags.json);
  const input = {
    ...(memory_id !== undefined && { memory_id }),
    ...(event_id !== undefined && { event_id }),
    ...(key_id !== undefined && { key_id }),
    ...(as_of !== undefined && { as_of: readTime(String(as_of)) }),
    ...(since !== undefined && { since: readTime(String(since)) }),
    force: isSwitchOn(flags.force),
  };
  const loaded = await loadCommandConfig({ flags });
  return withScopedInvoke(loaded, async (call) => {
    const plan = await call('undo_changes', { ...input, dry_run: true });
    const isDry = isSwitchOn(flags.dry_run);
    // A dry run was asked for the plan; otherwise it is only the reason of a question.
    const show = isDry ? print : printToStderr;
    if (!isJson || (!isDry && !isSwitchOn(flags.yes))) showPlan(plan, show);
    if (isDry || plan.changes.length === 0) {
      if (isJson) printJson(plan);
      return 0;
    }
    if (!isSwitchOn(flags.yes) && !(await isAgreed())) {
      printToStderr('Nothing was changed.');
      return 1;
    }
    const answer = await call('undo_changes', input);
    if (isJson) printJson(answer);
    else {
      const ref = shortIdOf(answer.event_id ?? '');
      print(printableLine(`${answer.message}. Take it back with mneme undo --event-id ${ref}`));
    }
    return 0;
  });
};

const signs = { ADD: '+', UPDATE: '~', DELETE: '-' } as const;

function showPlan({ changes, conflicts, redo }: Undone, show: (line: string) => void): void {
  if (redo) {
    const earlier = 'mneme undo MEMORY_ID --as-of TIME, or --since TIME, goes further back';
    show(`This would undo your undo; ${earlier}.`);
  }
  if (changes.length + conflicts.length === 0) show('Nothing to undo.');
  for (const { id, event, old_memory, memory, changed } of changes) {
    const texts = [...new Set([old_memory, memory])].filter((text) => text !== null);
    const beside = describeChanged(changed);
    const change = `${texts.join(' -> ')}${beside === '' ? '' : ` (${beside})`}`;
    show(printableLine(`${signs[event]} ${shortIdOf(id)}  ${change}`));
  }
  for (const { id, reason } of conflicts) {
    show(printableLine(`! ${shortIdOf(id)}  left alone: ${reason}`));
  }
}

function isAgreed(): Promise<boolean> {
  if (isTerminal()) return confirm('Undo this?');
  const next = 'Add --yes to undo it without being asked.';
  throw new ApiError('invalid', 'this undoes changes, and nobody can be asked here', { next });
}
