import type { OptionName } from '../../config/options.ts';
import type { CommandArguments, FlagKind, FlagKinds } from './flags.ts';

/** A flag of one command, in addition to the options of the configuration. */
export type CommandFlag = {
  kind: FlagKind;
  about: string;
  /** The field of the operation, where it has another name. */
  field?: string;
  /** An older spelling, which help leaves out. */
  hidden?: true;
};

/** Runs a command and returns the exit code. */
export type RunCommand = (args: CommandArguments, line: CommandLine) => Promise<number>;

/** The raw command line, for a command whose flags depend on its arguments. */
export type CommandLine = { args: readonly string[]; kinds: FlagKinds };

export type Command = {
  usage: string;
  /** Other names of the command. */
  aliases?: readonly string[];
  /** One line in the list of commands. */
  about: string;
  /** Text that only the command's own help shows. */
  more?: string;
  flags: Readonly<Record<string, CommandFlag>>;
  /** The options that matter most to this command; its help shows them first. */
  options?: readonly OptionName[];
  /** The command accepts more flags than these, and parses its line itself. */
  open?: true;
  /** The words after the command, by their fields, where those have other names. */
  words?: Readonly<Record<string, string>>;
  /** The values of the first word after the command; each action accepts some of the flags. */
  actions?: Readonly<Record<string, CommandAction>>;
};

export type CommandAction = { usage: string; about: string; flags: readonly string[] };

export const jsonFlag = { kind: 'switch', about: 'Print JSON, errors too.' } as const;

/** `--output json` was how some commands spelled it. */
export const machineFlags = {
  json: jsonFlag,
  output: { kind: 'text', about: 'json: same as --json.', hidden: true },
} as const;
export const machineFlagNames = Object.keys(machineFlags);

/** Entities whose memories are meant; the configured ids are ignored. */
export const entityFlags = {
  user_id: { kind: 'text', about: 'Only memories of this user.' },
  agent_id: { kind: 'text', about: 'Only memories of this agent.' },
  app_id: { kind: 'text', about: 'Only memories of this app.' },
  run_id: { kind: 'text', about: 'Only memories of this session.' },
} as const;
