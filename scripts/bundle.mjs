// `npm run bundle`: packs mneme-VERSION.mcpb for Claude Desktop. The folder holds the manifest and
// the built program without node_modules: Node has SQLite built in. `--output FILE` names the file.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { programFiles } from './program-files.mjs';
import { ready, root } from './ready.mjs';

await ready();
const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { values } = parseArgs({
  options: { output: { type: 'string', default: join(root, `${name}-${version}.mcpb`) } },
});
const folder = join(root, '.build', `bundle-${process.pid}`);

try {
  fill(folder);
  mcpb('validate', join(folder, 'manifest.json'));
  mcpb('pack', folder, resolve(values.output));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function fill(/** @type {string} */ target) {
  const dist = join(root, 'dist');
  const notices = ['THIRD_PARTY_LICENSES.txt', 'sbom.cdx.json'];
  const others = ['model-process.mjs', 'package.json', ...notices];
  for (const file of [...programFiles(dist), ...others.map((name) => join(dist, name))]) {
    const copy = join(target, relative(root, file));
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(file, copy);
  }
  for (const file of ['manifest.json', 'LICENSE']) cpSync(join(root, file), join(target, file));
  writeFileSync(
    join(target, 'package.json'),
    `${JSON.stringify({ name, version, license, private: true }, null, 2)}\n`,
  );
}

function mcpb(/** @type {string[]} */ ...args) {
  const program = join(root, 'node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`mcpb ${args[0]} failed`);
}
