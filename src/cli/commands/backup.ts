import { resolve } from 'node:path';
import { backup } from '../../app/store/backup.ts';
import type { RunCommand } from '../command-line/command.ts';
import { requirePositionals, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { loadFileStoreConfig } from '../context/command-config.ts';
import { print, printJson } from '../io/output.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = requirePositionals(positionals, 'FILE');
  const { values } = await loadFileStoreConfig({ flags }, 'backup');
  const copy = resolve(file);
  const bytes = await backup(values, copy);
  if (wantsJsonOutput(flags)) printJson({ file: copy, bytes });
  else print(`wrote ${copy}, ${bytes.toLocaleString('en')} bytes`);
  return 0;
};
