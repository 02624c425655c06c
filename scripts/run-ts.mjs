// Makes the checkout ready, then runs a TypeScript program of this project, such as a benchmark:
// `node scripts/run-ts.mjs test/bench/store.ts --adds 100`.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ready, root } from './ready.mjs';

await ready();
const { build } = await import('esbuild');
const [source = ''] = process.argv.splice(2, 1);
// Inside the checkout, so that its packages are found from there.
const folder = join(root, '.build', `run-${process.pid}`);
const program = join(folder, `${basename(source, '.ts')}.mjs`);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

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
await import(pathToFileURL(program).href);
