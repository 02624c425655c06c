// Writes everything derived from the contract, the options and the clients: parts of documents,
// types of the library and a report of them, files for installers and registries, pictures of time,
// and the kernel that scans vectors.
// `node scripts/run-ts.mjs scripts/generate.ts`; with `--check` it only reports what is out of
// date.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import assembler from 'wabt';
import { agentInstructions } from '../src/cli/init/agents-md.ts';
import { documentedDefault, type Option } from '../src/config/option.ts';
import { orderedOptions } from '../src/config/option-sections.ts';
import { options, variableName } from '../src/config/options.ts';
import { listTools } from '../src/mcp/tools/list-tools.ts';
import { toolName, toolRecords } from '../src/mcp/tools/select-tools.ts';
import { clientReport, engineOptionTypes } from './client-types.ts';
import { clientButtons, clientList, clientSections, clientTable } from './clients-doc.ts';
import { clockPictures } from './clock-pictures.ts';
import { cursorRule, marketplaceJson, pluginJson } from './plugin-files.ts';
import {
  engineOptionTable,
  modelTable,
  optionTables,
  routeTable,
  toolTable,
} from './reference-doc.ts';
import { serverJson } from './server-json.ts';

const root = process.cwd();
const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { description, version, keywords, license, author } = about;

const everything = { toolsets: null, tools: null, exclude_tools: [], read_only: false, scope: {} };
/** The listed tools, each described by its record or the record of its first action. */
const tools = listTools({ ...everything, lock_scope: false }).flatMap(({ name, annotations }) => {
  const record = toolRecords.find((one) => toolName(one) === name);
  return record === undefined ? [] : [{ name, annotations, ...record.tool }];
});

/** What each tool costs a model as it is sent without its output schema. */
const measured = listTools({ ...everything, lock_scope: false }).map((tool) => {
  const { name, description, inputSchema } = tool;
  const sent = JSON.stringify({ name, description, inputSchema });
  return `  ${name}: { tokens: ${countTokens(sent)}, chars: ${sent.length} },`;
});
const measuredTools = `/** Made by npm run generate: tokens in o200k, and characters, of each tool as it is sent. */
export const measuredTools: Readonly<Record<string, { tokens: number; chars: number }>> = {
${measured.join('\n')}
};
`;

const wanted = {
  'README.md': filled('README.md', { clients: clientList(), buttons: clientButtons() }),
  'docs/tools.md': filled('docs/tools.md', { tools: toolTable(tools) }),
  'docs/configuration.md': filled('docs/configuration.md', { options: optionTables() }),
  'docs/library.md': filled('docs/library.md', { options: engineOptionTable() }),
  'docs/rest.md': filled('docs/rest.md', { routes: routeTable() }),
  'docs/embeddings.md': filled('docs/embeddings.md', { models: modelTable() }),
  'docs/clients.md': filled('docs/clients.md', {
    ...{ clients: clientTable(), sections: await clientSections() },
  }),
  'docs/agents.md': filled('docs/agents.md', {
    agents: `\`\`\`markdown\n${agentInstructions}\n\`\`\``,
  }),
  'docs/python.md': withPrograms('docs/python.md'),
  ...Object.fromEntries(
    ['langchain', 'llamaindex', 'crewai', 'openai-agents', 'vercel-ai-sdk'].map((name) => {
      const file = `docs/integrations/${name}.md`;
      return [file, withPrograms(file)];
    }),
  ),
  'manifest.json': json(manifest()),
  'server.json': json(serverJson(about)),
  '.claude-plugin/marketplace.json': json(marketplaceJson(about)),
  'plugins/claude-code/.claude-plugin/plugin.json': json(pluginJson(about)),
  'plugins/cursor/mneme.mdc': cursorRule(),
  'src/cli/io/measured-tools.ts': formatted(measuredTools),
  'src/client/operations.md': await clientReport(),
  'src/app/engine-options.ts': formatted(engineOptionTypes()),
  'src/storage/sqlite/vectors/kernel-binary.ts': await kernelBinary(),
  ...clockPictures(),
};

for (const [file, content] of Object.entries(wanted)) {
  if (read(file) === content) continue;
  if (process.argv.includes('--check')) {
    console.error(`${file} is out of date: npm run generate`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
    console.error(`wrote ${file}`);
  }
}

/** The kernel as the program loads it: assembled here, so that users need no assembler. */
async function kernelBinary(): Promise<string> {
  const source = read('src/storage/sqlite/vectors/kernel.wat');
  const { parseWat } = await assembler();
  const features = { simd: true, threads: true };
  const { buffer } = parseWat('kernel.wat', source, features).toBinary({});
  const text = Buffer.from(buffer).toString('base64');
  return `/** Generated from kernel.wat by \`npm run generate\`. */
export const kernelBinary =
  '${text}';
`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Replaces the text between `<!-- generated:NAME -->` and `<!-- /generated:NAME -->`. */
function filled(file: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [start, end] = [`<!-- generated:${name} -->`, `<!-- /generated:${name} -->`];
    const [before, rest] = [text.indexOf(start), text.indexOf(end)];
    if (before === -1 || rest < before) throw new Error(`${file} has no part ${name}`);
    return `${text.slice(0, before + start.length)}\n${part}\n${text.slice(rest)}`;
  }, read(file));
}

/** A document with the programs of `examples` that it has parts for, named as their files. */
function withPrograms(file: string): string {
  const named = [...read(file).matchAll(/<!-- generated:([\w-]+\.(?:py|mjs)) -->/g)];
  const parts = named.map(([, name = '']) => {
    const [folder, language] = name.endsWith('.py')
      ? ['examples/python', 'python']
      : ['examples', 'js'];
    return [name, `\`\`\`${language}\n${read(`${folder}/${name}`).trimEnd()}\n\`\`\``];
  });
  return filled(file, Object.fromEntries(parts));
}

/** The manifest of a Claude Desktop bundle. */
function manifest() {
  const asked = orderedOptions.filter(
    (name) => (options[name] as Option).installerTitle !== undefined,
  );
  return {
    ...{ manifest_version: '0.3', name: 'mneme', display_name: 'mneme', version, description },
    ...{ author: { name: author }, license, keywords },
    server: {
      type: 'node',
      entry_point: 'dist/cli.js',
      mcp_config: {
        command: 'node',
        args: [`${filledIn('__dirname')}/dist/cli.js`],
        env: Object.fromEntries(
          asked.map((name) => [variableName(name), filledIn(`user_config.${name}`)]),
        ),
      },
    },
    tools: tools.map(({ name, description: about }) => ({ name, description: about })),
    prompts_generated: true,
    compatibility: {
      platforms: ['darwin', 'win32', 'linux'],
      // Older ones have no built-in SQLite with full text search, and bundles have no native
      // modules.
      runtimes: { node: '>=22.16.0' },
    },
    user_config: Object.fromEntries(asked.map((name) => [name, question(options[name])])),
  };
}

/** A placeholder that the installer fills in. */
function filledIn(name: string): string {
  return `\${${name}}`;
}

function question(option: Option) {
  const isSwitch = typeof option.default === 'boolean';
  return {
    type: option.path ? 'directory' : isSwitch ? 'boolean' : 'string',
    title: option.installerTitle,
    description: isSwitch
      ? option.description
      : `${option.description} Default: ${documentedDefault(option)}.`,
    required: false,
    ...(isSwitch && { default: option.default }),
    ...(option.secret && { sensitive: true }),
  };
}

function formatted(source: string): string {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'format', '--stdin-file-path=generated.ts'];
  return execFileSync(process.execPath, args, { input: source, encoding: 'utf8' });
}

function read(file: string): string {
  return existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
}
