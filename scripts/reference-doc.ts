// The tables of docs/tools.md, docs/configuration.md and docs/rest.md.
import { type Option, shownDefault } from '../src/config/option.ts';
import {
  flagOf,
  type OptionName,
  optionNames,
  options,
  variableOf,
} from '../src/config/options.ts';
import { kindOf } from '../src/config/values.ts';
import { contract } from '../src/contract/index.ts';
import type { Operation } from '../src/contract/operation.ts';

/** A tool as it is listed, with what its record says. */
export type ToolRow = {
  name: string;
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean };
  toolsets: readonly string[];
  about: string;
};

/** Each part of docs/configuration.md, and the option that it begins with. */
const optionParts: readonly [title: string, first: OptionName][] = [
  ['Where the memories are', 'data_dir'],
  ['Owner and project', 'org_id'],
  ['Tools and hooks', 'toolsets'],
  ['PostgreSQL', 'database_url'],
  ['Search by meaning', 'embedder_url'],
  ['Language model', 'llm_url'],
  ['What is stored, and for how long', 'secrets'],
  ['Webhooks and log', 'webhook_timeout_ms'],
  ['The server', 'host'],
  ['OAuth', 'oauth_issuer'],
  ['REST', 'bootstrap_key'],
];

export function toolTable(tools: readonly ToolRow[]): string {
  const rows = tools.map(({ name, annotations, toolsets, about }) => [
    code(name),
    toolsets.map(code).join(', '),
    annotations.readOnlyHint ? 'reads' : annotations.destructiveHint ? 'changes' : 'adds',
    about,
  ]);
  return table(['tool', 'toolsets', 'data', 'what for'], rows);
}

/** A heading and a table for each part: every option is in the part that begins before it. */
export function optionTables(): string {
  const starts = optionParts.map(([, first]) => optionNames.indexOf(first));
  const sections = optionParts.map(([title], at) => {
    const names = optionNames.slice(starts[at], starts[at + 1]);
    return `### ${title}\n\n${table(['option', 'takes', 'meaning'], names.map(optionRow))}`;
  });
  return sections.join('\n\n');
}

function optionRow(name: OptionName): string[] {
  const option: Option = options[name];
  const names = [code(name), code(flagOf(name)), code(variableOf(name))];
  const isForProjects = option.project ? ' A working folder may set it.' : '';
  const about = `${option.about} Default: ${shownDefault(option)}.${isForProjects}`;
  return [names.join(', '), kindOf(option), about];
}

/** Each operation with its paths: the first is canonical, the others reach it as well. */
export function routeTable(): string {
  const rows = Object.entries<Operation>(contract).map(([name, { summary, routes }]) => [
    code(name),
    summary,
    routes.map(({ method, path }) => code(`${method} ${path}`)).join('<br>'),
  ]);
  return table(['operation', 'what it does', 'paths'], rows);
}

function code(text: string): string {
  return `\`${text}\``;
}

function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(escaped))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function escaped(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
