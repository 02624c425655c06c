// The software bill of materials: every package whose code ships, in the CycloneDX format. All
// packages are bundled, so the dependencies in package.json cannot tell an audit what is inside.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes the packages that are in each file or folder of dist.
 *
 * @param {string} root
 * @param {Record<string, Set<string>>} shipped folders of packages by where their code is
 * @param {string} path
 */
export function writeSbom(root, shipped, path) {
  const about = aboutOf(root);
  const self = `pkg:npm/${about.name}@${about.version}`;
  const components = componentsOf(root, shipped);
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': self, ...described(about), purl: self },
    },
    components,
    dependencies: [{ ref: self, dependsOn: components.map(({ purl }) => purl) }],
  };
  writeFileSync(path, `${JSON.stringify(sbom)}\n`);
}

/**
 * @param {string} root
 * @param {Record<string, Set<string>>} shipped
 */
function componentsOf(root, shipped) {
  /** @type {Map<string, { purl: string, properties: { name: string, value: string }[] }>} */
  const found = new Map();
  for (const [place, folders] of Object.entries(shipped)) {
    for (const folder of folders) {
      const about = aboutOf(join(root, folder));
      const purl = purlOf(about);
      const component = found.get(purl) ?? {
        ...{ type: 'library', 'bom-ref': purl, ...described(about), purl },
        properties: [],
      };
      component.properties.push({ name: 'mneme:file', value: place });
      found.set(purl, component);
    }
  }
  return [...found.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1));
}

/**
 * @typedef {{ name: string, version: string, license?: string }} About
 * @param {About} about
 */
function described({ name, version, license }) {
  const [scope, short] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return { ...(scope && { group: scope }), name: short, version, licenses: licensesOf(license) };
}

/** One licence by its SPDX id; several, or a choice, as an expression. */
function licensesOf(/** @type {string | undefined} */ license) {
  if (license === undefined) return [];
  return /[\s(]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function purlOf(/** @type {About} */ { name, version }) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** @returns {About} */
function aboutOf(/** @type {string} */ folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}
