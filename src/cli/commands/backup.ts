import { resolve } from 'node:path';
import { backup } from '../../app/backup.ts';
import { wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { fileConfigOf } from '../configured.ts';
import { print } from '../output.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = wordsOf(positionals, 'FILE');
  const { values } = await fileConfigOf({ flags }, 'backup');
  const bytes = await backup(values, resolve(file));
  print(`wrote ${resolve(file)}, ${bytes.toLocaleString('en')} bytes`);
  return 0;
};
