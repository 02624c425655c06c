import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { restore } from '../../app/store/backup.ts';
import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import type { RunCommand } from '../command-line/command.ts';
import { isSwitchOn, requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadFileStoreConfig } from '../context/command-config.ts';
import { print, printJson } from '../io/output.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = requirePositionals(positionals, 'FILE');
  const { values } = await loadFileStoreConfig({ flags }, 'restore');
  const options = { file: resolve(file), replace: isSwitchOn(flags.yes) };
  const { memories, previous_store } = await restore(values, options).catch((error: unknown) => {
    throw withImportHint(withReplaceHint(error), options.file);
  });
  if (wantsJsonOutput(flags)) {
    printJson({ file: options.file, memories, previous_store });
    return 0;
  }
  print(`restored ${formatCount(memories, 'memory', 'memories')} from ${options.file}`);
  if (previous_store !== null) print(`the previous store was kept as ${previous_store}`);
  return 0;
};

/** A file of `mneme export` begins with JSON. */
function withImportHint(error: unknown, file: string): unknown {
  if (!(error instanceof ApiError) || error.code !== 'invalid' || !beginsAsJson(file)) return error;
  const what = `${file} is not a backup of mneme; it looks like an export`;
  const next = `Read it with mneme import ${file}`;
  return new ApiError('invalid', what, { next, cause: error });
}

function beginsAsJson(file: string): boolean {
  if (!statSync(file).isFile()) return false;
  const descriptor = openSync(file, 'r');
  try {
    const first = Buffer.alloc(1);
    readSync(descriptor, first);
    return first.toString() === '{';
  } finally {
    closeSync(descriptor);
  }
}

/** An existing store is replaced only on request. */
function withReplaceHint(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return error;
  const hint = '--yes replaces it with the backup and keeps the old store';
  return new ApiError('conflict', `${error.message}; ${hint}`, { cause: error });
}
