// What a release changes in hand-written files; all others are generated from package.json.

/** @typedef {{ version: string, day: string }} Release */

/** @type {Record<string, (text: string, release: Release) => string>} */
const changes = {
  'package.json': (text, { version }) => replaced(text, /^( {2}"version": ")[^"]+/m, version),
  'package-lock.json': (text, { version }) => {
    const lock = JSON.parse(text);
    lock.version = version;
    lock.packages[''].version = version;
    return `${JSON.stringify(lock, null, 2)}\n`;
  },
  'CHANGELOG.md': withHeading,
  'deploy/Dockerfile': (text, { version }) => replaced(text, /(image\.version=")[^"]+/, version),
  'deploy/kubernetes/kustomization.yaml': (text, { version }) => {
    return replaced(text, /(newTag: )\S+/, version);
  },
};

/**
 * The new contents of each file.
 *
 * @param {(file: string) => string} read
 * @param {Release} release
 * @returns {Record<string, string>}
 */
export function releasedFiles(read, release) {
  const entries = Object.entries(changes);
  return Object.fromEntries(entries.map(([file, change]) => [file, change(read(file), release)]));
}

/** Turns the unreleased section into that of this version, with a new empty one above. */
function withHeading(/** @type {string} */ text, /** @type {Release} */ { version, day }) {
  const [head = '', rest] = text.split('\n## [Unreleased]\n');
  if (rest === undefined) throw new Error('CHANGELOG.md has no heading "## [Unreleased]"');
  const [news = ''] = rest.split(/^## \[/m);
  if (news.trim() === '') throw new Error('CHANGELOG.md says nothing below "## [Unreleased]"');
  return `${head}\n## [Unreleased]\n\n## [${version}] - ${day}\n${rest}`;
}

/**
 * @param {string} text
 * @param {RegExp} pattern its group stays, and what follows the group is replaced
 * @param {string} version
 */
function replaced(text, pattern, version) {
  if (!pattern.test(text)) throw new Error(`nothing matches ${pattern}`);
  return text.replace(pattern, (_, before) => `${before}${version}`);
}
