// Which part may import which: the import table of src/README.md, as rules.

/**
 * A part is a file, a folder, or both: `config.ts` and what it is made of in `config/`.
 *
 * @param {string} part the name of a part, or the path of one of its files
 */
const pathOf = (part) =>
  part.endsWith('.ts') ? `^src/${part.replace('.', '\\.')}$` : `^src/${part}(\\.ts$|/)`;

/** What a part may import from src, besides itself. */
const parts = {
  contract: [],
  core: ['contract', 'turns'],
  storage: ['contract', 'core/bm25', 'core/ports', 'log', 'regular-file', 'turns', 'version'],
  providers: ['contract', 'core/ports', 'log', 'regular-file', 'turns', 'version'],
  client: ['contract', 'log', 'version'],
  'client-entries': ['contract'],
  conversations: ['contract'],
  rest: ['contract', 'log', 'version'],
  mcp: ['contract', 'log', 'version'],
  dashboard: ['client', 'client-entries', 'contract', 'conversations', 'log', 'version'],
  config: ['contract', 'log', 'regular-file', 'version'],
  log: ['version'],
  'regular-file': ['contract'],
  turns: [],
  version: [],
  app: [
    ...['client', 'config', 'contract', 'core', 'log', 'mcp'],
    ...['providers', 'rest', 'storage', 'version'],
  ],
  cli: [
    ...['app', 'client', 'client-entries', 'config', 'contract', 'conversations'],
    ...['core/safety/secrets.ts', 'log', 'mcp', 'regular-file', 'rest', 'version'],
  ],
  index: ['app', 'client', 'config', 'contract', 'log', 'version'],
};

/** Packages that a part may import. `node:` modules are free, but for the parts in `portable`. */
const packages = {
  contract: ['zod', 'fastest-levenshtein'],
  core: ['stemmer', '@orama/stemmers'],
  storage: ['kysely', 'pg', '@photostructure/sqlite'],
  providers: ['undici', 'ipaddr.js', 'chrono-node', 'zod'],
  client: [],
  'client-entries': ['@humanwhocodes/momoa', 'smol-toml', 'yaml'],
  conversations: ['@noble/hashes', 'zod'],
  rest: ['hono', '@hono/node-server', 'prom-client', 'zod'],
  mcp: ['@modelcontextprotocol/server', '@modelcontextprotocol/node', 'zod'],
  dashboard: [
    ...['preact', '@preact/signals', '@tanstack/virtual-core'],
    ...['d3-force', 'diff', 'lucide', 'unzipit', 'uplot'],
  ],
  config: ['zod', 'env-paths', '@humanwhocodes/momoa'],
  log: [],
  'regular-file': [],
  turns: [],
  version: [],
  app: ['undici', 'uuid', 'jose', 'zod'],
  cli: ['zod', 'string-width', 'yauzl'],
  index: [],
};

/** These also run in a browser. */
const portable = ['contract', 'client', 'client-entries', 'conversations', 'dashboard'];

const partRules = Object.entries(parts).map(([part, others]) => ({
  name: `${part}-imports`,
  comment: `${part} may import ${others.join(', ') || 'nothing else of src'}.`,
  severity: 'error',
  from: { path: pathOf(part) },
  to: { path: '^src/', pathNot: [part, ...others].map(pathOf) },
}));

const packageRules = Object.entries(packages).map(([part, names]) => ({
  name: `${part}-packages`,
  comment: `${part} may import these packages: ${names.join(', ') || 'none'}.`,
  severity: 'error',
  from: { path: pathOf(part) },
  to: { path: 'node_modules/', pathNot: names.map((name) => `node_modules/${name}/`) },
}));

export default {
  forbidden: [
    ...partRules,
    ...packageRules,
    {
      name: 'no-unlisted-part',
      comment: 'Each file of src belongs to a part of the import table.',
      severity: 'error',
      from: { path: '^src/', pathNot: Object.keys(parts).map(pathOf) },
      to: {},
    },
    {
      name: 'portable',
      comment: `${portable.join(' and ')} run in browsers too: no modules of Node.`,
      severity: 'error',
      from: { path: portable.map(pathOf) },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-cycles',
      // For folders, with all that is beneath them: test/package/cycles.test.ts.
      comment: 'Modules that import each other cannot be read, tested or moved one by one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'The imported file or package does not exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-test-code',
      comment: 'What ships does not know its tests.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types are imports too: a part that knows another's types depends on it.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
