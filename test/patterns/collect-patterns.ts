import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import ts from 'typescript';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A regular expression of the sources. `place` is its file and line. */
export type SourcePattern = { place: string; source: string; flags: string };

/** The sources in a folder of the checkout. */
export function listSources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith('.ts'))
    .sort();
}

/** What a file holds: its literals, and where it composes others. */
export function readPatterns(file: string): { literals: SourcePattern[]; composed: number[] } {
  const text = readFileSync(join(root, file), 'utf8');
  const literals: SourcePattern[] = [];
  const composed: number[] = [];
  if (!/RegExp|\//.test(text)) return { literals, composed };
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const { line } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed));
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      literals.push({ place: `${file}:${line + 1}`, source, flags });
    } else if (ts.isNewExpression(node) && node.expression.getText(parsed) === 'RegExp') {
      composed.push(node.getStart(parsed));
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return { literals, composed };
}

/**
 * The patterns that the files compose while they are loaded, by place: a copy of the sources notes
 * what each `new RegExp` was given.
 */
export async function loadComposed(files: readonly string[]): Promise<SourcePattern[]> {
  const folder = await mkdtemp(join(root, 'node_modules', '.patterns-'));
  try {
    const outfile = join(folder, 'patterns.mjs');
    await build({
      absWorkingDir: root,
      stdin: { contents: entryOf(files), resolveDir: root, loader: 'ts' },
      plugins: [notingPlugin],
      outfile,
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      define: { MNEME_VERSION: '"0"' },
      logLevel: 'error',
    });
    const { noted } = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
    return noted;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function entryOf(files: readonly string[]): string {
  const imports = files.map((file) => `import ${JSON.stringify(`./${file}`)};`);
  return [...imports, firstUses, `export { noted } from 'noted';`].join('\n');
}

/** Some patterns are composed with the first text that may need them. */
const firstUses = `
  import { findSeasons } from './src/core/extraction/languages/seasons.ts';
  import { seasonWords } from './src/core/extraction/languages/season-words.ts';
  import { statedAliases } from './src/core/language/stated-aliases.ts';
  import { otherDays } from './src/core/search/query/days/other-days.ts';
  import { findConcepts } from './src/core/safety/order-concepts.ts';
  const summers = 'summer, Sommer, été, verano, estate, verão, летом, 夏, 夏天';
  for (const language of Object.keys(seasonWords)) findSeasons(summers, [language]);
  statedAliases('k8s is short for Kubernetes');
  findConcepts('any text');
  otherDays.patternsFor([]);
`;

/** Has the sources report each regular expression that they compose. */
const notingPlugin: Plugin = {
  name: 'noting',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^noted$/ }, () => ({ path: 'noted', namespace: 'noted' }));
    onLoad({ filter: /.*/, namespace: 'noted' }, () => ({ contents: notedModule, loader: 'ts' }));
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const file = relative(root, path);
      if (file.startsWith('..') || file.includes('node_modules')) return null;
      const text = readFileSync(path, 'utf8');
      return { contents: notingSource(file, text), loader: 'ts' };
    });
  },
};

const notedModule = `
  export const noted = [];
  export const note = (place) => class extends RegExp {
    static get [Symbol.species]() { return RegExp; }
    constructor(source, flags) {
      super(source, flags);
      noted.push({ place, source: this.source, flags: this.flags });
      return new RegExp(source, flags);
    }
  };
`;

function notingSource(file: string, text: string): string {
  const { composed } = readPatterns(file);
  if (composed.length === 0) return text;
  let noting = text;
  for (const start of composed.toReversed()) {
    const place = JSON.stringify(placeAt(file, text, start));
    const after = noting.slice(start).replace(/^new RegExp/, `new (note(${place}))`);
    noting = noting.slice(0, start) + after;
  }
  return `import { note } from 'noted';${noting}`;
}

/** The file and line of a position. */
export function placeAt(file: string, text: string, position: number): string {
  return `${file}:${text.slice(0, position).split('\n').length}`;
}
