import { type OptionName, optionNames, options } from '../config/options.ts';
import { closest } from '../contract/closest.ts';
import { ApiError } from '../contract/errors.ts';
import { version } from '../version.ts';
import { type Command, commands } from './commands.ts';
import { failureOf } from './failure.ts';
import { type FlagKinds, readArguments } from './flags.ts';
import { endQuietlyWithReader, print } from './output.ts';

/** Runs a command line and sets the exit code. */
export async function run(args: readonly string[]): Promise<void> {
  endQuietlyWithReader();
  try {
    process.exitCode = await dispatch(args);
  } catch (error) {
    process.exitCode = failureOf(error, args);
  }
}

async function dispatch(args: readonly string[]): Promise<number> {
  const [first = '', ...others] = args;
  const name = first.startsWith('-') ? '' : first;
  const rest = name === '' ? args : others;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new ApiError('invalid', unknownCommand(name));
  if (wants(rest, '--help', '-h')) {
    const topics = rest.filter((arg) => !arg.startsWith('-'));
    if (name === '') return help([]);
    return help(name === 'help' ? topics : [name, ...topics]);
  }
  if (name === '' && wants(rest, '--version', '-v', '-V')) {
    print(version);
    return 0;
  }
  const kinds = kindsOf(command);
  const parsed = command.open ? { flags: {}, positionals: [] } : readArguments(rest, kinds);
  const { run: carryOut } = await command.load();
  return carryOut(parsed, { args: rest, kinds });
}

async function help(topics: readonly string[]): Promise<number> {
  const { printHelp } = await import('./commands/help.ts');
  return printHelp(topics);
}

/** Flags of a command: its own and all options of the configuration. */
function kindsOf({ flags }: Command): FlagKinds {
  const own = Object.entries(flags).map(([name, { kind }]) => [name, kind] as const);
  const shared = optionNames.map((name) => [name, flagKindOf(name)] as const);
  return Object.fromEntries([...shared, ['config', 'text'] as const, ...own]);
}

function flagKindOf(name: OptionName): 'switch' | 'text' {
  return options[name].schema.type === 'boolean' ? 'switch' : 'text';
}

function wants(args: readonly string[], ...names: string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end === -1 ? undefined : end).some((arg) => names.includes(arg));
}

function unknownCommand(name: string): string {
  const names = Object.keys(commands).filter((known) => known !== '');
  const near = closest(name, names);
  const hint = near === null ? '' : ` did you mean "${near}"?`;
  return `${JSON.stringify(name.slice(0, 60))} is no command;${hint} (commands: ${names.join(', ')})`;
}
