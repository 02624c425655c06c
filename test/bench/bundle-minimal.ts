import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Program } from './client.ts';

/** A server of this folder, bundled as the program itself is: see scripts/build.mjs. */
export async function minimal(folder: string, source: string): Promise<Program> {
  const outdir = join(folder, 'minimal');
  await build({
    entryPoints: { cli: resolve('test/bench', source) },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: true,
    legalComments: 'none',
    outExtension: { '.js': '.mjs' },
  });
  return { args: [join(outdir, 'cli.mjs')], env: {} };
}
