// Bundles the command line program: CommonJS modules, in files that src/cli/module-loader.ts reads.
// Modules that run together share a file, so that a start reads few files with matching code
// caches.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';

const entry = 'src/cli/run.ts';

/** Each of these files holds its sources and all their imports that no earlier file has. */
const shared = {
  start: [entry, 'src/cli/commands/stdio.ts'],
  tools: [
    'src/mcp/tools/list-tools.ts',
    'src/mcp/tools/call-tool.ts',
    'src/mcp/tools/tool-call.ts',
    'src/mcp/prompts.ts',
    'src/mcp/resources.ts',
  ],
  engine: [
    ...['src/app/engine.ts', 'src/storage/store.ts', 'src/core/invoke.ts'],
    ...['src/core/jobs/job-worker.ts', 'src/core/jobs/delivery-worker.ts'],
    ...['src/core/jobs/event-recorder.ts', 'src/core/jobs/retention.ts'],
    ...['src/providers/url-policy.ts'],
    'node_modules/uuid/dist-node/index.js',
  ],
  search: [
    ...[
      'src/core/jobs/key-usage.ts',
      'src/core/queue/completion.ts',
      'src/app/models/classifiers.ts',
    ],
    ...['src/app/models/static-search.ts', 'src/storage/sqlite/search/vector-index.ts'],
    ...['src/core/search/semantic/dense-candidates.ts', 'src/core/search/rank/fuse.ts'],
    'src/core/search/words/name-directions.ts',
  ],
};

/**
 * A chunk of esbuild, whose `require` calls name other chunks.
 *
 * @typedef {{ source?: string, first: string[], imports: string[], code: string }} Module
 * @typedef {Map<string, Module>} Modules by name
 */

/**
 * Writes the program to a folder. Returns the id of its entry, and esbuild's metafile.
 *
 * @param {string} folder
 * @param {import('esbuild').BuildOptions} options
 */
export async function writeProgram(folder, options) {
  const { outputFiles, metafile } = await build({
    ...options,
    entryPoints: [entry],
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    define: { ...options.define, 'import.meta.url': 'here.url' },
    metafile: true,
    write: false,
  });
  const modules = await modulesOf(outputFiles, metafile);
  const files = filesOf(modules);
  const ids = new Map(
    [...files].flatMap(([file, names]) => names.map((name) => [name, `./${file}#${name}`])),
  );
  mkdirSync(folder, { recursive: true });
  for (const [file, names] of files) {
    const parts = names.map((name) => wrapped(name, linked(modules.get(name), ids)));
    writeFileSync(join(folder, file), `({${parts.join(',\n')}})\n`);
  }
  return { metafile, entry: ids.get(madeOf(entry, modules)) };
}

/**
 * @param {import('esbuild').OutputFile[]} outputFiles
 * @param {import('esbuild').Metafile} metafile
 */
async function modulesOf(outputFiles, metafile) {
  /** @type {Modules} */
  const modules = new Map();
  for (const [path, { entryPoint, imports }] of Object.entries(metafile.outputs)) {
    const name = basename(path);
    const file = outputFiles.find((output) => basename(output.path) === name);
    if (!file) throw new Error(`esbuild made no ${name}`);
    const inside = imports.filter(({ external }) => !external);
    const first = inside.filter(({ kind }) => kind === 'import-statement');
    modules.set(name, {
      ...(entryPoint !== undefined && { source: entryPoint }),
      imports: inside.map((chunk) => basename(chunk.path)),
      first: first.map((chunk) => basename(chunk.path)),
      code: await toCommonJs(file.text),
    });
  }
  return modules;
}

async function toCommonJs(/** @type {string} */ text) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'neutral',
    target: 'node20',
    supported: { 'dynamic-import': false },
    minifyWhitespace: true,
    minifySyntax: true,
  });
  // esbuild leaves non-ASCII letters in regular expressions; the loader reads bytes as letters.
  return code.replace(/[^\0-\x7f]/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/**
 * The modules of each file. Any change of the program changes all names, because files name
 * each other: a program that is running while a new build replaces it still finds its own files,
 * and no code cache fits another file.
 */
function filesOf(/** @type {Modules} */ modules) {
  const build = hashOf([...modules.values()].map(({ code }) => code));
  /** @type {Map<string, string[]>} */
  const files = new Map();
  const taken = new Set();
  for (const [title, sources] of Object.entries(shared)) {
    const names = sources.flatMap((source) => needed(madeOf(source, modules), modules, taken));
    files.set(`${title}-${build}.cjs`, names);
  }
  for (const name of modules.keys()) {
    if (taken.has(name)) continue;
    files.set(name.replace(/\.js$/, `-${build}.cjs`), [name]);
  }
  return files;
}

/**
 * The module and all that runs before it.
 *
 * @param {string} name
 * @param {Modules} modules
 * @param {Set<string>} taken
 * @returns {string[]}
 */
function needed(name, modules, taken) {
  if (taken.has(name)) return [];
  taken.add(name);
  const first = modules.get(name)?.first ?? [];
  return [...first.flatMap((other) => needed(other, modules, taken)), name];
}

function hashOf(/** @type {string[]} */ texts) {
  const hash = createHash('sha256').update(texts.join('\n'));
  return hash.digest('hex').slice(0, 8).toUpperCase();
}

/** The name of the module built from a source. */
function madeOf(/** @type {string} */ source, /** @type {Modules} */ modules) {
  for (const [name, module] of modules) if (module.source === source) return name;
  throw new Error(`no module is made of ${source}; scripts/program.mjs names it`);
}

/** The code, with imports of other modules by file and name. */
function linked(/** @type {Module | undefined} */ module, /** @type {Map<string, string>} */ ids) {
  let code = module?.code ?? '';
  for (const name of module?.imports ?? []) {
    code = code.replaceAll(`require("./${name}")`, `require(${JSON.stringify(ids.get(name))})`);
  }
  return code;
}

/** In parentheses, because V8 then compiles the function immediately. */
function wrapped(/** @type {string} */ name, /** @type {string} */ code) {
  return `${JSON.stringify(name)}:(function({exports,require,module,here}){${code}\n})`;
}
