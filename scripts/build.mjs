// `npm run build`: one bundle with code splitting into dist, beside it types, licences, the renderer
// of the API reference and the schema of the configuration. `--clean` also removes the chunks of earlier builds.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundledPackages, packageTree, writeLicenses } from './licenses.mjs';
import { replaceFiles } from './replace-files.mjs';
import { writeTypes } from './types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const draft = join(root, '.build', `dist-${process.pid}`);
const started = new Date();
/** The package that shows the API reference at /docs. */
const renderer = 'node_modules/openapi-explorer';

try {
  const metafiles = [(await bundle()).metafile, (await bundleClient()).metafile];
  chmodSync(join(draft, 'cli.js'), 0o755);
  writeDocsRenderer();
  writeLicenses(root, bundledPackages(metafiles), join(draft, 'THIRD_PARTY_LICENSES.txt'));
  writeTypes(root, join(draft, 'types'));
  writeConfigSchema();
  // Dated to the start of the build: a source edited meanwhile is then newer than its build.
  utimesSync(join(draft, 'cli.js'), started, started);
  replaceFiles({
    from: draft,
    to: dist,
    last: ['client.mjs', 'contract.js', 'index.js', 'cli.js'],
    clean: isClean(),
  });
} finally {
  rmSync(draft, { recursive: true, force: true });
}

function bundle() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return build({
    absWorkingDir: root,
    tsconfig: join(root, 'tsconfig.json'),
    entryPoints: {
      cli: 'src/cli/main.ts',
      index: 'src/index.ts',
      contract: 'src/contract/index.ts',
    },
    outdir: draft,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    // Names stay, for stack traces: shortening them and keeping them beside costs time at start.
    legalComments: 'none',
    external: ['@photostructure/sqlite'],
    // Bundled CommonJS (undici, prom-client) asks for modules of Node with `require`.
    banner: {
      js:
        "import { createRequire as requireFrom } from 'node:module';" +
        'const require = requireFrom(import.meta.url);',
    },
    plugins: [smallValidator()],
    define: { MNEME_VERSION: JSON.stringify(version) },
    metafile: true,
    logLevel: 'warning',
  });
}

/** The client of an instance: one file that browsers take as it is. */
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

/** Compressed, as browsers get it: a quarter of the size, in the package too. */
function writeDocsRenderer() {
  const script = readFileSync(join(root, renderer, 'dist/browser/openapi-explorer.min.js'));
  const docs = join(draft, 'docs');
  mkdirSync(docs);
  const compressed = gzipSync(script, { level: constants.Z_BEST_COMPRESSION });
  writeFileSync(join(docs, 'explorer.js.gz'), compressed);
  writeLicenses(root, packageTree(root, renderer), join(docs, 'THIRD_PARTY_LICENSES.txt'));
}

/**
 * The MCP SDK validates what users fill in, with a validator that it loads before the first
 * answer: the one it has for workers is an eighth of the size of the one it has for Node.
 *
 * @returns {import('esbuild').Plugin}
 */
function smallValidator() {
  const shims = '@modelcontextprotocol/server/_shims';
  const contents = `
    export { default as process } from 'node:process';
    export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator }
      from '@modelcontextprotocol/server/validators/cf-worker';`;
  return {
    name: 'small-validator',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${shims}$`) }, ({ path }) => ({ path, namespace: 'shims' }));
      onLoad({ filter: /./, namespace: 'shims' }, () => ({ contents, resolveDir: root }));
    },
  };
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
