// Writes the declarations of the public API, and only those that it reaches.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { importTs } from './import-ts.mjs';

const relativeImport = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.[^'"]+)\.ts\2/g;

const entries = ['index.d.ts', 'client.d.ts', 'contract.d.ts'];

/** Writes them to that folder. */
export async function writeTypes(/** @type {string} */ root, /** @type {string} */ folder) {
  const all = `${folder}-all`;
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', 'tsconfig.build.json', '--outDir', all];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('tsc could not write the declarations');
  // What the sources infer from the contract, users get as plain types: they need no zod.
  const client = await importTs('scripts/client-types.ts');
  const { outputText } = ts.transpileDeclaration(await client.clientTypes(), {});
  writeFileSync(join(all, 'client/operations.d.ts'), outputText);
  const done = new Set();
  for (const entry of entries) copyReachable(join(all, entry), { from: all, to: folder, done });
  rmSync(all, { recursive: true });
}

/**
 * The compiler leaves `.ts` in the imports of declarations; the shipped files are `.js`.
 *
 * @param {string} path
 * @param {{ from: string, to: string, done: Set<string> }} state
 */
function copyReachable(path, state) {
  if (state.done.has(path) || !existsSync(path)) return;
  state.done.add(path);
  const text = readFileSync(path, 'utf8');
  const target = path.replace(state.from, state.to);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text.replace(relativeImport, '$1$2$3.js$2'));
  for (const [, , , specifier] of text.matchAll(relativeImport)) {
    copyReachable(join(dirname(path), `${specifier}.d.ts`), state);
  }
}
