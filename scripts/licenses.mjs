// The bundle contains other people's code: their licences travel with it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes name, version and licence text of each package that has code in the bundle.
 *
 * @param {string} root
 * @param {import('esbuild').Metafile} metafile
 * @param {string} path
 */
export function writeLicenses(root, metafile, path) {
  const folders = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input) ?? [];
      if (folder && bytesInOutput > 0) folders.add(folder);
    }
  }
  const entries = [...folders].sort().map((folder) => licenseOf(join(root, folder)));
  const intro = 'The bundled files of this package contain code of these packages.\n';
  writeFileSync(path, [intro, ...entries].join(`\n${'-'.repeat(80)}\n\n`));
}

function licenseOf(/** @type {string} */ folder) {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((name) => /^(licen[cs]e|copying)/i.test(name));
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : authorOf(about);
  return `${about.name} ${about.version} (${about.license})\n\n${text}\n`;
}

/** Some packages ship no licence file: then the licence's name and the author are all there is. */
function authorOf(/** @type {{ author?: string | { name: string } }} */ about) {
  const author = typeof about.author === 'object' ? about.author.name : about.author;
  return `Copyright (c) ${author ?? 'the authors'}`;
}
