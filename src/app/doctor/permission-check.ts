import { existsSync } from 'node:fs';
import { findExposedFiles } from '../../storage/sqlite/private-files.ts';
import { storePath } from '../../storage/store.ts';
import { type Check, warning } from './check.ts';

/** Whether other users of the machine have rights to the data. Changes nothing. */
export function checkPermissions({ data_dir }: { data_dir: string }): Check[] {
  if (!existsSync(data_dir)) return [];
  const { folder, files } = findExposedFiles(storePath(data_dir));
  const exposed = [...(folder ? [data_dir] : []), ...files];
  if (exposed.length === 0) return [];
  const commands = [
    ...(folder ? [`chmod 700 ${quote(data_dir)}`] : []),
    ...(files.length > 0 ? [`chmod 600 ${files.map(quote).join(' ')}`] : []),
  ];
  const finding = `other users have rights to ${exposed.join(', ')}`;
  return [warning('Permissions', finding, `Run: ${commands.join(' && ')}`)];
}

/** As one word of a shell. */
function quote(path: string): string {
  return /^[\w/.,:@+-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
