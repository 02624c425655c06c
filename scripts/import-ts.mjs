// Bundles a TypeScript module of this project, and loads it: older versions of Node.js cannot.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './ready.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * What it exports.
 *
 * @param {string} source its path in the repository
 */
export async function importTs(source) {
  // Inside the checkout, so that its packages are found from there.
  const folder = join(root, '.build', `run-${process.pid}`);
  const program = join(folder, `${basename(source, '.ts')}.mjs`);
  mkdirSync(folder, { recursive: true });
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await build({
    absWorkingDir: root,
    tsconfig: join(root, 'tsconfig.json'),
    entryPoints: [join(root, source)],
    outfile: program,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { MNEME_VERSION: JSON.stringify(version) },
    logLevel: 'warning',
  });
  return import(pathToFileURL(program).href);
}
