// The files that a build runs from; dist may also hold those of earlier builds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of a build's command and of all files of its program. */
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
