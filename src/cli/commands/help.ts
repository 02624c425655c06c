import { documentedDefault } from '../../config/option.ts';
import { advancedSections, commonOptions, isCommonOption } from '../../config/option-sections.ts';
import { optionKind } from '../../config/option-values.ts';
import {
  configFileName,
  flagName,
  type OptionName,
  options,
  userConfigFile,
} from '../../config/options.ts';
import type { Operation } from '../../contract/operation.ts';
import { contract } from '../../contract.ts';
import { version } from '../../version.ts';
import type { Command, RunCommand } from '../command-line/command.ts';
import { type CommandName, commands } from '../command-line/command-table.ts';
import { findAction, resolveCommandName } from '../command-line/find-command.ts';
import {
  describeLimits,
  describeType,
  operationFields,
  resolveOperationName,
} from '../command-line/operation-fields.ts';
import { exitCodes } from '../errors/report-error.ts';
import { formatColumns, outputWidth, print, wrapText } from '../io/output.ts';

export const run: RunCommand = async ({ positionals }) => printHelp(positionals);

/** Prints the help of the program, of a command, of its actions, or of an operation of `call`. */
export function printHelp([topic, detail]: readonly string[]): number {
  if (topic === undefined) print(programHelp());
  else if (topic === 'options') print(optionsHelp());
  else if (topic === 'call' && detail !== undefined) print(operationHelp(detail));
  else print(commandHelp(topic, detail));
  return 0;
}

/** Every command, by what it is for. */
export const commandGroups: Readonly<Record<string, readonly CommandName[]>> = {
  'Start here': ['', 'init', 'demo', 'ui', 'doctor', 'help'],
  'Every day': [
    'add',
    'search',
    'context',
    'list',
    'show',
    'edit',
    'forget',
    'history',
    'undo',
    'review',
    'users',
    'stats',
  ],
  'Server and agents': ['serve', 'call', 'tools', 'hook', 'keys', 'webhooks', 'invitations'],
  Data: ['import', 'export', 'erase', 'backup', 'restore', 'migrate'],
  Administration: ['config', 'models', 'reindex', 'audit', 'completion'],
};

const examples = [
  ['mneme add --infer "I live in Lisbon."', 'Store what a sentence says.'],
  ['mneme search "where do I live?"', 'Find it again.'],
  ['mneme init', 'Let your agents do both.'],
];

function programHelp(): string {
  const groups = Object.entries(commandGroups).map(([title, names]) => {
    const rows = names.map((name) => [
      commands[name].usage.replace(/ \[.*$/s, ''),
      `${commands[name].about}${aliasesOf(commands[name])}`,
    ]);
    return section(title, formatColumns(rows));
  });
  return [
    `mneme ${version}: long-term memory for agents, as an MCP server.`,
    '',
    section('Examples', formatColumns(examples)),
    ...groups,
    `Common options:\n${commonFlags()}`,
    'mneme help COMMAND explains a command.',
    moreOptions,
  ].join('\n');
}

const moreOptions = 'mneme help options explains the options of every command, and exit codes.';

/** The common options as they are typed; an option and its value stay in one line. */
function commonFlags(): string {
  const options = commonOptionNames.map((name) => `[${exampleOf(name)}]`.replace(' ', noBreak));
  const lines = wrapText(options.join(' '), outputWidth() - indent.length);
  return `${lines.map((line) => indent + line.replaceAll(noBreak, ' ')).join('\n')}\n`;
}

const noBreak = '\u00a0';
const indent = '  ';

/** Options that every command accepts. */
function optionsHelp(): string {
  return [
    section('Common options of every command', formatColumns(commonOptionNames.map(optionRow))),
    section('On the command line only', formatColumns(commandLineFlags)),
    'The options below are advanced: their defaults suit most people.\n',
    ...advancedSections.map(({ title, names }) =>
      section(title, formatColumns(names.map(optionRow))),
    ),
    ...wrapText(
      'Each is also an environment variable (--data-dir is MNEME_DATA_DIR; lists have commas) ' +
        `and a key of the configuration file (data_dir): ${configFileName} in the working ` +
        `folder, and ${userConfigFile()}. Flags override variables, and variables override files.`,
    ),
    '',
    section(
      'Exit codes',
      formatColumns(Object.entries(exitCodes).map(([code, meaning]) => [code, meaning])),
    ),
  ].join('\n');
}

function commandHelp(name: string, detail = ''): string {
  const whole: Command = commands[resolveCommandName(name)];
  const command = findAction(whole, detail) ?? whole;
  return [
    ...wrapText([`${command.about}${aliasesOf(command)}`, command.more ?? ''].join(' ').trim()),
    `\n  ${command.usage}\n`,
    ...actionList(command),
    ...ownFlags(command),
    ...(name === 'call' ? [section('Operations', formatColumns(operationRows()))] : []),
    ...(name === 'call' ? ['mneme call OPERATION --help lists the fields of one.'] : []),
    moreOptions,
  ].join('\n');
}

function aliasesOf({ aliases }: Command): string {
  return aliases === undefined ? '' : ` (also: ${aliases.join(', ')})`;
}

function actionList({ actions = {} }: Command): string[] {
  const rows = Object.values(actions).map(({ usage, about }) => [usage, about]);
  return rows.length === 0 ? [] : [section('Actions', formatColumns(rows))];
}

function operationHelp(name: string): string {
  const operation: Operation = contract[resolveOperationName(name)];
  const rows = operationFields(operation).map((field) => [
    flagName(field.name),
    describeType(field.schema),
    [field.required ? 'Required.' : '', field.about, parenthesized(describeLimits(field.schema))]
      .filter((part) => part !== '')
      .join(' '),
  ]);
  const waits = 'async_mode' in operation.input.shape;
  return [
    ...wrapText(operation.description),
    `\n  mneme call ${name} [--json '{...}'] [--field value ...]\n`,
    rows.length === 0 ? 'It takes no fields.\n' : section('Fields', formatColumns(rows)),
    ...(waits
      ? ['The command waits until the facts are stored; --async-mode true turns that off.\n']
      : []),
    'Names take - or _; --metadata.topic x sets one key; lists and objects are JSON.',
  ].join('\n');
}

function parenthesized(text: string): string {
  return text === '' ? '' : `(${text})`;
}

function ownFlags({ flags, options: own = [] }: HelpFlags): string[] {
  const visibleFlags = Object.entries(flags).filter(([, { hidden }]) => !hidden);
  const rows = visibleFlags.map(([name, { about }]) => [flagName(name), about]);
  const all = [...rows, ...own.map(optionRow)];
  return all.length === 0 ? [] : [section('Flags', formatColumns(all))];
}

function operationRows(): string[][] {
  return Object.entries<Operation>(contract).map(([name, { summary }]) => [name, summary]);
}

const commandLineFlags = [
  ['--config FILE', 'Configuration file to read instead of the usual ones.'],
  ['--help', 'Explain.'],
  ['--version', 'Print the version.'],
];

type HelpFlags = Pick<Command, 'flags' | 'options'>;

const commonOptionNames = (Object.keys(commonOptions) as OptionName[]).filter(isCommonOption);

/** A common option with an example, another one with what it takes. */
function optionRow(name: OptionName): string[] {
  const option = options[name];
  const about = `${option.description} Default: ${documentedDefault(option)}.`;
  if (!isCommonOption(name)) return [flagName(name), optionKind(option), about];
  return [exampleOf(name), about];
}

function exampleOf(name: keyof typeof commonOptions): string {
  const example = commonOptions[name];
  return example === 'true' ? flagName(name) : `${flagName(name)} ${example}`;
}

function section(title: string, body: string): string {
  return `${title}:\n${body}\n`;
}
