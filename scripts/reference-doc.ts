// The tables of docs/tools.md, docs/configuration.md, docs/library.md, docs/rest.md and
// docs/embeddings.md.
import {
  catalog,
  type SearchQuality,
  tableModel,
  wordsQuality,
} from '../src/app/models/model-catalog.ts';
import { documentedDefault, type Option } from '../src/config/option.ts';
import {
  advancedSections,
  commonOptions,
  isCommonOption,
  orderedOptions,
} from '../src/config/option-sections.ts';
import { optionKind } from '../src/config/option-values.ts';
import {
  flagName,
  type OptionName,
  optionNames,
  options,
  variableName,
} from '../src/config/options.ts';
import type { Operation } from '../src/contract/operation.ts';
import { contract } from '../src/contract.ts';
import { languageNames } from '../src/core/language/languages.ts';

/** A listed tool and the description in its record. */
export type ToolRow = {
  name: string;
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean };
  toolsets: readonly string[];
  description: string;
};

/** How many tools there are, and what each is for. */
export function toolTable(tools: readonly ToolRow[]): string {
  const daily = tools.filter(({ toolsets }) => toolsets.includes('core'));
  const count = `mneme offers ${numberWord(tools.length)} tools, ${numberWord(daily.length)} of them for every day (\`core\`):`;
  const rows = tools.map(({ name, annotations, toolsets, description }) => [
    code(name),
    toolsets.map(code).join(', '),
    annotations.readOnlyHint ? 'reads' : annotations.destructiveHint ? 'changes' : 'adds',
    description,
  ]);
  return `${count}\n\n${table(['tool', 'toolsets', 'data', 'what for'], rows)}`;
}

/** The models that `mneme models` lists, with what it costs and brings to use them. */
export function modelTable(): string {
  const head = ['model', 'languages', 'download', 'dimensions', 'English', 'others', 'LoCoMo'];
  const figures = (measured: SearchQuality | null) =>
    measured === null
      ? ['-', '-', '-']
      : [
          String(measured.english),
          String(measured.other_languages),
          measured.locomo?.toFixed(1) ?? '-',
        ];
  const { name, languages, dimensions, measured } = tableModel;
  return table(head, [
    ['words alone', String(languageNames.length), '-', '-', ...figures(wordsQuality)],
    [code(name), languages, 'none', String(dimensions), ...figures(measured)],
    ...catalog.map((model) => [
      code(model.name),
      model.languages,
      `${Math.round(model.bytes / 1_000_000)} MB`,
      String(model.dimensions),
      ...figures(model.measured),
    ]),
  ]);
}

const commonTitle = 'Common options';

/** The common options with examples, and the advanced ones with a heading for each section. */
export function optionTables(): string {
  const missing = optionNames.filter((name) => !orderedOptions.includes(name));
  if (missing.length > 0)
    throw new Error(`src/config/option-sections.ts lacks ${missing.join(', ')}`);
  const common = Object.entries(commonOptions).map(([name, example]) =>
    optionRow(name as OptionName, code(example)),
  );
  const advanced = advancedSections.map(({ title, names }) => {
    const rows = names.map((name) => optionRow(name, optionKind(options[name])));
    return `#### ${title}\n\n${table(['option', 'takes', 'meaning'], rows)}`;
  });
  return [
    `### ${commonTitle}\n\n${table(['option', 'example', 'meaning'], common)}`,
    '### Advanced options\n\nThe defaults of these suit most people.',
    ...advanced,
  ].join('\n\n');
}

/** The options that programs may set too, by the parts of the document that explain them. */
export function engineOptionTable(): string {
  const common = { title: commonTitle, names: orderedOptions.filter(isCommonOption) };
  const rows = [common, ...advancedSections].flatMap(({ title, names }) => {
    const shared = names.filter((name) => {
      const option: Option = options[name];
      return option.engine;
    });
    if (shared.length === 0) return [];
    return [[`[${title}](configuration.md#${anchor(title)})`, shared.map(code).join(', ')]];
  });
  return table(['about', 'options'], rows);
}

/** Numbers up to twelve as words, as sentences have them. */
export function numberWord(count: number): string {
  const words = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');
  return words[count] ?? String(count);
}

function optionRow(name: OptionName, value: string): string[] {
  const option: Option = options[name];
  const names = [code(name), code(flagName(name)), code(variableName(name))];
  const about = `${option.description} Default: ${documentedDefault(option)}.${inProject(option)}`;
  return [names.join(', '), value, about];
}

function inProject({ fromProject }: Option): string {
  if (fromProject === 'refused') return '';
  if (fromProject === 'tools') return ' A working folder may leave out tools.';
  if (fromProject === 'allowed') return ' A working folder may set it.';
  return ` A working folder may narrow it: ${fromProject.narrows.slice(1).join(', ')}.`;
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

function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');
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
