import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** A program that tests run in separate processes, such as those that are killed. */
export type ChildProgram = { path: string; remove(): void };

/** Bundled inside the checkout, so that its packages are found. */
export async function buildChild(source: URL): Promise<ChildProgram> {
  const name = `${basename(source.pathname, '.ts')}-${process.pid}.mjs`;
  const path = fileURLToPath(new URL(`../../.build/${name}`, import.meta.url));
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile: path,
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  return { path, remove: () => rmSync(path, { force: true }) };
}
