import { resolve } from 'node:path';
import { restore } from '../../app/backup.ts';
import { ApiError } from '../../contract/errors.ts';
import type { RunCommand } from '../command-line/command.ts';
import {
  formatCount,
  isSwitchOn,
  requirePositionals,
  wantsJsonOutput,
} from '../command-line/read-arguments.ts';
import { loadFileStoreConfig } from '../context/command-config.ts';
import { print, printJson } from '../io/output.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = requirePositionals(positionals, 'FILE');
  const { values } = await loadFileStoreConfig({ flags }, 'restore');
  const options = { file: resolve(file), replace: isSwitchOn(flags.yes) };
  const { memories, previous_store } = await restore(values, options).catch((error: unknown) => {
    throw withReplaceHint(error);
  });
  if (wantsJsonOutput(flags)) {
    printJson({ file: options.file, memories, previous_store });
    return 0;
  }
  print(`restored ${formatCount(memories, 'memory', 'memories')} from ${options.file}`);
  if (previous_store !== null) print(`the previous store was kept as ${previous_store}`);
  return 0;
};

/** An existing store is replaced only on request. */
function withReplaceHint(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return error;
  const hint = '--yes replaces it with the backup and keeps the old store';
  return new ApiError('conflict', `${error.message}; ${hint}`, { cause: error });
}
