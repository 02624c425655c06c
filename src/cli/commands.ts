import type { Arguments, FlagKind, FlagKinds } from './flags.ts';

/** A flag of a command's own, beside the options of the configuration. */
export type CommandFlag = { kind: FlagKind; about: string };

/** Carries out a command; answers the exit code. */
export type RunCommand = (args: Arguments, line: CommandLine) => Promise<number>;

/** The command line before it is read, for a command whose flags depend on what it is about. */
export type CommandLine = { args: readonly string[]; kinds: FlagKinds };

export type Command = {
  usage: string;
  about: string;
  flags: Readonly<Record<string, CommandFlag>>;
  /** The command understands more flags than these, and reads its line itself. */
  open?: true;
};

const json = { kind: 'switch', about: 'Print JSON.' } as const;

/** Every command; the one without a name is the MCP server. */
export const commands = {
  '': {
    usage: 'mneme [flags]',
    about: 'Serve MCP over standard input and output.',
    flags: {},
  },
  serve: {
    usage: 'mneme serve [--host ADDRESS] [--port PORT] [flags]',
    about: 'Serve the REST API over HTTP.',
    flags: {},
  },
  call: {
    usage: "mneme call OPERATION [--json '{...}'] [--field value ...] [flags]",
    about: 'Carry out one operation and print its answer.',
    flags: {
      json: { kind: 'text', about: 'Input as JSON; - reads it from standard input.' },
      output: { kind: 'text', about: 'json: print errors as JSON too.' },
    },
    open: true,
  },
  tools: {
    usage: 'mneme tools [--json] [flags]',
    about: 'List the MCP tools and what they cost a model in tokens.',
    flags: { json },
  },
  config: {
    usage: 'mneme config [--sources] [--schema] [flags]',
    about: 'Print the effective configuration.',
    flags: {
      sources: { kind: 'switch', about: 'Say where each value comes from.' },
      schema: { kind: 'switch', about: 'Print the JSON Schema of the configuration file.' },
    },
  },
  doctor: {
    usage: 'mneme doctor [--json] [flags]',
    about: 'Check this machine, the data and the configuration; change nothing.',
    flags: { json },
  },
  help: {
    usage: 'mneme help [COMMAND]',
    about: 'Explain a command.',
    flags: {},
  },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof commands;

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

/** Names as people type them. */
export const commandNames = Object.keys(commands).filter((name) => name !== '');
