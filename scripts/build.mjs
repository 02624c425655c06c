// `npm run build`: writes to dist the command, its program, the library with types, licences, a
// list of the bundled packages, the API reference page and the configuration schema. `--clean` also
// removes the programs of earlier builds.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { build as buildPages } from 'vite';
import checkNode from './check-node.cjs';
import { bundledPackages, packageTree, writeLicenses } from './licenses.mjs';
import { writeProgram } from './program.mjs';
import { replaceFiles } from './replace-files.mjs';
import { writeSbom } from './sbom.mjs';
import { standInsPlugin } from './stand-ins.mjs';
import { writeTypes } from './types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const draft = join(root, '.build', `dist-${process.pid}`);
const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const started = new Date();

try {
  const packages = bundledPackages([...(await bundle()), (await bundleClient()).metafile]);
  chmodSync(join(draft, 'cli.js'), 0o755);
  await bundleDocs();
  const dashboardPackages = await bundleDashboard();
  for (const folder of ['embedding', 'extraction', 'safety'])
    cpSync(join(root, 'assets', folder), join(draft, folder), { recursive: true });
  writeLicenses(root, packages, join(draft, 'THIRD_PARTY_LICENSES.txt'));
  writeSbom(
    root,
    { dist: packages, 'dist/dashboard': dashboardPackages },
    join(draft, 'sbom.cdx.json'),
  );
  await writeTypes(root, join(draft, 'types'));
  writeType('commonjs', draft);
  writeType('module', join(draft, 'types'));
  writeConfigSchema();
  // Dated to the start of the build, so that a source edited during the build counts as newer.
  utimesSync(join(draft, 'cli.js'), started, started);
  replaceFiles({
    from: draft,
    to: dist,
    last: ['client.mjs', 'contract.mjs', 'index.mjs', 'cli.js'],
    clean: isClean(),
  });
} finally {
  rmSync(draft, { recursive: true, force: true });
}

/** The command's small entry and its program, the process of local models, and the library. */
async function bundle() {
  /** @type {import('esbuild').BuildOptions & { metafile: true }} */
  const shared = {
    absWorkingDir: root,
    tsconfig: join(root, 'tsconfig.json'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    // Names are kept for stack traces: minifying them and keeping a map costs time at start.
    legalComments: 'none',
    external: ['@photostructure/sqlite'],
    plugins: [standInsPlugin()],
    define: { MNEME_VERSION: JSON.stringify(version) },
    metafile: true,
    logLevel: 'warning',
  };
  const program = await writeProgram(join(draft, 'program'), shared);
  const entry = JSON.stringify(program.entry);
  const command = await build({
    ...shared,
    entryPoints: { cli: 'src/cli/main.ts' },
    outdir: draft,
    // Node starts CommonJS faster than an ES module.
    format: 'cjs',
    // An older Node must be able to parse this file to report that it is too old.
    target: 'es2015',
    banner: { js: `"use strict";(${checkNode})(${JSON.stringify(engines.node)});` },
    define: { ...shared.define, 'import.meta.dirname': '__dirname', MNEME_PROGRAM: entry },
  });
  const models = await build({
    ...shared,
    entryPoints: { 'model-process': 'src/providers/models/local/model-process.ts' },
    outdir: draft,
    outExtension: { '.js': '.mjs' },
    format: 'esm',
  });
  const library = await build({
    ...shared,
    entryPoints: { index: 'src/index.ts', contract: 'src/contract.ts' },
    outdir: draft,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    format: 'esm',
    // Modules are UTF-8: other scripts take a third of the space of escapes.
    charset: 'utf8',
  });
  return [program, command, models, library].map(({ metafile }) => metafile);
}

/** The client of an instance: one file that browsers can load directly. */
function bundleClient() {
  return build({
    absWorkingDir: root,
    tsconfig: join(root, 'tsconfig.json'),
    entryPoints: ['src/client.ts'],
    outfile: join(draft, 'client.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
}

/** The pages of the dashboard; returns the packages that they contain. */
async function bundleDashboard() {
  // Tests build too, and have another value, with which pages name the files of this machine.
  process.env.NODE_ENV = 'production';
  await buildPages({
    root: join(root, 'src/dashboard'),
    base: '/dashboard/',
    configFile: false,
    logLevel: 'warn',
    define: { MNEME_VERSION: JSON.stringify(version) },
    build: {
      outDir: join(draft, 'dashboard'),
      emptyOutDir: false,
      target: 'es2022',
      // Colours of both themes stand beside each other: light-dark().
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // Names of files that browsers may keep forever contain a hash; nothing is inline.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  const names = [
    ...['preact', '@preact/signals', '@tanstack/virtual-core', 'zod', '@noble/hashes'],
    ...['d3-force', 'diff', 'lucide', 'unzipit', 'uplot'],
    ...['@humanwhocodes/momoa', 'smol-toml', 'yaml'],
  ];
  const trees = names.map((name) => packageTree(root, `node_modules/${name}`));
  const packages = new Set(trees.flatMap((tree) => [...tree]));
  writeLicenses(root, packages, join(draft, 'dashboard/THIRD_PARTY_LICENSES.txt'));
  return packages;
}

/** What the page at /docs loads; its packages are among those of the dashboard. */
function bundleDocs() {
  return build({
    absWorkingDir: root,
    tsconfig: join(root, 'src/dashboard/tsconfig.json'),
    entryPoints: ['src/dashboard/docs/docs.ts', 'src/dashboard/docs/docs.css'],
    outdir: join(draft, 'docs'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
}

/** Says how Node and TypeScript interpret .js and .d.ts files in that folder. */
function writeType(/** @type {'commonjs' | 'module'} */ type, /** @type {string} */ folder) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
}

function writeConfigSchema() {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(draft, 'cli.js'), 'config', '--schema'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 20_000 },
  );
  if (status !== 0 || !stdout.startsWith('{')) {
    console.error('build: the program prints no schema of its configuration');
    return;
  }
  writeFileSync(
    join(draft, 'config.schema.json'),
    `${JSON.stringify(JSON.parse(stdout), null, 2)}\n`,
  );
}

function isClean() {
  return process.argv.includes('--clean');
}
