import { ApiError } from '../../../contract/errors.ts';
import { formatCount } from '../../../contract/format-count.ts';
import type { PartialMemory } from '../../../contract/schemas/memory.ts';
import { printToStderr } from '../../../log.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { isSwitchOn, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { type ScopedInvoke, withScopedInvoke } from '../../context/scoped-invoke.ts';
import { isTerminal } from '../../init/terminal-prompt.ts';
import { confirm } from '../../io/confirm.ts';
import { memoryTable } from '../../io/memory-lines.ts';
import { print, printJson } from '../../io/output.ts';
import { describeTerminal } from '../../io/terminal.ts';

/** Deletes memories, all or none, after showing them and asking. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const asJson = wantsJsonOutput(flags);
  const isConfirmed = isSwitchOn(flags.yes);
  if (positionals.length === 0) throw new UsageError('MEMORY_ID is missing');
  const loaded = await loadCommandConfig({ flags });
  return withScopedInvoke(
    loaded,
    async (call) => {
      const memories = await findMemories(call, positionals);
      const deletion = formatCount(memories.length, 'memory', 'memories');
      if (!isConfirmed) {
        const { timezone } = loaded.values;
        printToStderr(memoryTable(memories, { ...describeTerminal(process.stderr), timezone }));
        if (asJson || !isTerminal()) throw unconfirmed(deletion);
        if (!(await confirm(`Forget ${memories.length === 1 ? 'it' : `these ${deletion}`}?`))) {
          printToStderr('Nothing was changed.');
          return 1;
        }
      }
      const memory_ids = memories.map(({ id }) => id);
      const answer = await call('batch_delete_memories', { memory_ids });
      if (asJson) printJson({ ...answer, memory_ids });
      else print(`Forgot ${deletion}.`);
      return 0;
    },
    { project: 'must exist' },
  );
};

/** Each once, however its id was written. */
async function findMemories(call: ScopedInvoke, ids: readonly string[]): Promise<PartialMemory[]> {
  const memoriesById = new Map<string, PartialMemory>();
  for (const memory_id of ids) {
    const memory = await call('get_memory', { memory_id });
    memoriesById.set(memory.id, memory);
  }
  return [...memoriesById.values()];
}

function unconfirmed(deletion: string): ApiError {
  const next = 'Add --yes to forget without being asked.';
  return new ApiError('invalid', `this forgets ${deletion}, and nobody can be asked here`, {
    next,
  });
}
