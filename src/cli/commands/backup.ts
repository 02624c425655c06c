import { resolve } from 'node:path';
import { backup } from '../../app/backup.ts';
import { isJson, wordsOf } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { fileConfigOf } from '../configured.ts';
import { print, printJson } from '../output.ts';

export const run: RunCommand = async ({ flags, positionals }) => {
  const [file = ''] = wordsOf(positionals, 'FILE');
  const { values } = await fileConfigOf({ flags }, 'backup');
  const copy = resolve(file);
  const bytes = await backup(values, copy);
  if (isJson(flags)) printJson({ file: copy, bytes });
  else print(`wrote ${copy}, ${bytes.toLocaleString('en')} bytes`);
  return 0;
};
