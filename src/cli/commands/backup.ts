import { resolve } from 'node:path';
import { backup } from '../../app/backup.ts';
import type { RunCommand } from '../command-line/command-table.ts';
import { requirePositionals } from '../command-line/read-arguments.ts';
import { loadFileStoreConfig } from '../context/command-config.ts';
import { print } from '../io/output.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = requirePositionals(positionals, 'FILE');
  const { values } = await loadFileStoreConfig({ flags }, 'backup');
  const bytes = await backup(values, resolve(file));
  print(`wrote ${resolve(file)}, ${bytes.toLocaleString('en')} bytes`);
  return 0;
};
