import { createInterface } from 'node:readline/promises';
import { ApiError } from '../../../contract/errors.ts';
import type { PartialMemory } from '../../../contract/schemas/memory.ts';
import { printToStderr } from '../../../log.ts';
import type { RunCommand } from '../../command-line/command.ts';
import { formatCount, isSwitchOn, wantsJsonOutput } from '../../command-line/read-arguments.ts';
import { loadCommandConfig } from '../../context/command-config.ts';
import { type ScopedInvoke, withScopedInvoke } from '../../context/scoped-invoke.ts';
import { isTerminal } from '../../init/terminal-prompt.ts';
import { idCell, type ShownTimes, timeCell } from '../../io/memory-lines.ts';
import { print, printJson } from '../../io/output.ts';
import { formatTable } from '../../io/table.ts';
import { describeTerminal } from '../../io/terminal.ts';

/** Deletes memories, all or none, after showing them and asking. */
export const run: RunCommand = async ({ flags, positionals }) => {
  const asJson = wantsJsonOutput(flags);
  const isConfirmed = isSwitchOn(flags.yes);
  if (positionals.length === 0) throw new ApiError('invalid', 'MEMORY_ID is missing');
  const loaded = await loadCommandConfig({ flags });
  return withScopedInvoke(
    loaded,
    async (call) => {
      const found = await findMemories(call, positionals);
      const deletion = formatCount(found.length, 'memory', 'memories');
      if (!isConfirmed) {
        printToStderr(describeMemories(found, loaded.values));
        if (asJson || !isTerminal()) throw unconfirmed(deletion);
        if (!(await ask(`Forget ${found.length === 1 ? 'it' : `these ${deletion}`}?`))) {
          printToStderr('Nothing was changed.');
          return 1;
        }
      }
      const memory_ids = found.map(({ id }) => id);
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
  const found = new Map<string, PartialMemory>();
  for (const memory_id of ids) {
    const memory = await call('get_memory', { memory_id });
    found.set(memory.id, memory);
  }
  return [...found.values()];
}

function describeMemories(
  memories: readonly PartialMemory[],
  { timezone }: Pick<ShownTimes, 'timezone'>,
): string {
  const terminal = describeTerminal(process.stderr);
  const rows = memories.map(({ id, created_at, memory = '' }) => [
    idCell(id),
    timeCell(created_at, { ...terminal, timezone }),
    memory,
  ]);
  return formatTable({ heading: ['ID', 'CREATED', 'MEMORY'], rows }, terminal);
}

function unconfirmed(deletion: string): ApiError {
  const next = 'Add --yes to forget without being asked.';
  return new ApiError('invalid', `this forgets ${deletion}, and nobody can be asked here`, {
    next,
  });
}

/** The end of the input means no. */
async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    lines.setPrompt(`${question} [y/N] `);
    lines.prompt();
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
