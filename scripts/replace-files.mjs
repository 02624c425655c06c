// Replaces an old build with a new one while programs of the old one may be running.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Long enough for a running server of an earlier build to load the rest of its program. */
const programAgeMaxMs = 7 * 24 * 3600_000;

/**
 * Each file is replaced in one step, and the entry points (`last`) only after all that they import
 * is in place.
 *
 * @param {{ from: string, to: string, last: string[], clean: boolean }} options
 */
export function replaceFiles({ from, to, last, clean }) {
  const files = filesIn(from);
  const rest = files.filter((file) => !last.includes(file));
  for (const file of [...rest, ...last]) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  for (const file of filesIn(to)) {
    if (files.includes(file)) continue;
    if (clean || !isRecentProgram(join(to, file))) rmSync(join(to, file));
  }
}

function isRecentProgram(/** @type {string} */ path) {
  if (!path.endsWith('.cjs')) return false;
  return Date.now() - statSync(path).mtimeMs < programAgeMaxMs;
}

function filesIn(/** @type {string} */ folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
