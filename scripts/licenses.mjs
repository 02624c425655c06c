// Collects the licences of bundled packages, which must be distributed with their code.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes name, version and licence text of each package in some folders.
 *
 * @param {string} root
 * @param {Set<string>} folders
 * @param {string} path
 */
export function writeLicenses(root, folders, path) {
  const entries = [...folders].sort().map((folder) => licenseOf(join(root, folder)));
  const intro = 'Files of this package contain code of these packages.\n';
  writeFileSync(path, [intro, ...entries].join(`\n${'-'.repeat(80)}\n\n`));
}

/**
 * Folders of the packages that have code in some bundles.
 *
 * @param {import('esbuild').Metafile[]} metafiles
 * @returns {Set<string>}
 */
export function bundledPackages(metafiles) {
  const folders = new Set();
  for (const output of metafiles.flatMap(({ outputs }) => Object.values(outputs))) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const [folder] = /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(input) ?? [];
      if (folder && bytesInOutput > 0) folders.add(folder);
    }
  }
  return folders;
}

/**
 * Folders of a package and of all that it depends on, and so was built from.
 *
 * @param {string} root
 * @param {string} folder
 * @param {Set<string>} found
 * @returns {Set<string>}
 */
export function packageTree(root, folder, found = new Set()) {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies = {} } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys(dependencies)) {
    const near = `${folder}/node_modules/${name}`;
    packageTree(root, existsSync(join(root, near)) ? near : `node_modules/${name}`, found);
  }
  return found;
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
