import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command.ts';
import { isSwitchOn, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadLocalConfig } from '../context/command-config.ts';
import { printJson } from '../io/output.ts';
import { reindexMemories } from '../models/reindex-memories.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  if (positionals.length > 0) throw new ApiError('invalid', `unexpected ${positionals.join(' ')}`);
  const loaded = await loadLocalConfig({ flags }, 'reindex');
  const { memories, model } = await reindexMemories(loaded, { all: isSwitchOn(flags.all) });
  if (wantsJsonOutput(flags)) printJson({ memories, model });
  else printToStderr(`embedded ${formatCount(memories, 'memory', 'memories')} with ${model}`);
  return 0;
};
