// Which files a build runs from; dist may hold those of earlier builds as well.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The command of a build and all files of its program, each by its path. */
export function programFiles(/** @type {string} */ dist) {
  const command = join(dist, 'cli.js');
  const found = new Set([command]);
  for (const file of found) {
    for (const [, name = ''] of readFileSync(file, 'latin1').matchAll(/"\.\/([\w-]+\.cjs)#/g)) {
      found.add(join(dist, 'program', name));
    }
  }
  return found;
}
