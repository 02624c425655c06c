import { resolve } from 'node:path';
import { restore } from '../../app/backup.ts';
import { ApiError } from '../../contract/errors.ts';
import { counted, isJson, isOn, wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { fileConfigOf } from '../configured.ts';
import { print, printJson } from '../output.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = wordsOf(positionals, 'FILE');
  const { values } = await fileConfigOf({ flags }, 'restore');
  const options = { file: resolve(file), replace: isOn(flags.yes) };
  const { memories, kept } = await restore(values, options).catch((error: unknown) => {
    throw withHint(error);
  });
  if (isJson(flags)) {
    printJson({ file: options.file, memories, kept });
    return 0;
  }
  print(`restored ${counted(memories, 'memory', 'memories')} from ${options.file}`);
  if (kept !== null) print(`the store that was there is ${kept}`);
  return 0;
};

/** What is there is not replaced unasked. */
function withHint(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return error;
  const hint = '--yes puts the backup in its place and keeps it beside';
  return new ApiError('conflict', `${error.message}; ${hint}`, { cause: error });
}
