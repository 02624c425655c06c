import * as z from 'zod';
import { type OptionName, optionNames, options } from '../config/options.ts';
import { version } from '../version.ts';
import type { Command, RunCommand } from './command-line/command.ts';
import { type CommandName, commands } from './command-line/command-table.ts';
import { resolveAction, resolveCommandName } from './command-line/find-command.ts';
import { type FlagKinds, parseCommandLine } from './command-line/flags.ts';
import { print } from './io/output.ts';

// Otherwise zod compiles a function for each object schema at its first use, which no code cache
// can hold. Set before other modules define their schemas.
z.config({ jitless: true });

/** Runs a command line and sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    process.exitCode = await dispatch(args);
  } catch (error) {
    // Loaded only here: most starts have nothing to report.
    const { reportError } = await import('./errors/report-error.ts');
    process.exitCode = reportError(error, args);
  }
}

/** Commands are loaded when they are called: the server has to start fast. */
const loaders: Record<CommandName, () => Promise<{ run: RunCommand }>> = {
  '': () => import('./commands/stdio.ts'),
  init: () => import('./commands/init.ts'),
  reindex: () => import('./commands/reindex.ts'),
  models: () => import('./commands/models.ts'),
  list: () => import('./commands/memories/list.ts'),
  search: () => import('./commands/memories/search.ts'),
  add: () => import('./commands/memories/add.ts'),
  show: () => import('./commands/memories/show.ts'),
  edit: () => import('./commands/memories/edit.ts'),
  forget: () => import('./commands/memories/forget.ts'),
  history: () => import('./commands/memories/history.ts'),
  stats: () => import('./commands/memories/stats.ts'),
  completion: () => import('./commands/completion.ts'),
  context: () => import('./commands/memories/context.ts'),
  demo: () => import('./commands/demo.ts'),
  users: () => import('./commands/users.ts'),
  hook: () => import('./commands/hook.ts'),
  serve: () => import('./commands/serve.ts'),
  ui: () => import('./commands/ui.ts'),
  call: () => import('./commands/call.ts'),
  keys: () => import('./commands/keys.ts'),
  invitations: () => import('./commands/invitations.ts'),
  review: () => import('./commands/memories/review.ts'),
  undo: () => import('./commands/memories/undo.ts'),
  webhooks: () => import('./commands/webhooks.ts'),
  export: () => import('./commands/export.ts'),
  import: () => import('./commands/import.ts'),
  erase: () => import('./commands/erase.ts'),
  audit: () => import('./commands/audit.ts'),
  backup: () => import('./commands/backup.ts'),
  restore: () => import('./commands/restore.ts'),
  migrate: () => import('./commands/migrate.ts'),
  tools: () => import('./commands/tools.ts'),
  config: () => import('./commands/config.ts'),
  doctor: () => import('./commands/doctor.ts'),
  help: () => import('./commands/help.ts'),
};

async function dispatch(args: readonly string[]): Promise<number> {
  const [first = '', ...others] = args;
  const name = resolveCommandName(first.startsWith('-') ? '' : first);
  const rest = name === '' ? args : others;
  if (hasFlag(rest, '--help', '-h')) return showHelp(name, rest);
  if (name === '' && hasFlag(rest, '--version', '-v', '-V')) {
    print(version);
    return 0;
  }
  const command = resolveAction(commands[name], rest);
  const kinds = commandFlagKinds(command);
  const parsed = command.open ? { flags: {}, positionals: [] } : parseCommandLine(rest, kinds);
  const { run: carryOut } = await loaders[name]();
  return carryOut(parsed, { args: rest, kinds });
}

async function showHelp(name: CommandName, rest: readonly string[]): Promise<number> {
  const { printHelp } = await import('./commands/help.ts');
  if (name === '') return printHelp([]);
  const topics = rest.filter((arg) => !arg.startsWith('-'));
  return printHelp(name === 'help' ? topics : [name, ...topics]);
}

/** Flags of a command: its own and all options of the configuration. */
function commandFlagKinds({ flags }: Command): FlagKinds {
  const commandFlags = Object.entries(flags).map(([name, { kind }]) => [name, kind] as const);
  const options = optionNames.map((name) => [name, flagKindOf(name)] as const);
  return Object.fromEntries([...options, ['config', 'text'] as const, ...commandFlags]);
}

function flagKindOf(name: OptionName): 'switch' | 'text' {
  return options[name].schema.type === 'boolean' ? 'switch' : 'text';
}

function hasFlag(args: readonly string[], ...names: string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((arg) => names.includes(arg));
}
