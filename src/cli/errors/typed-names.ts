import type { FieldErrors } from '../../contract/errors.ts';
import type { Command } from '../command-line/command.ts';
import { commandNamed, commands } from '../command-line/command-table.ts';
import { findAction } from '../command-line/find-command.ts';
import { flagText } from '../command-line/flags.ts';

/** The command that a line names, or its action; null when it names none. */
export function namedCommand([first = '', second = '']: readonly string[]): Command | null {
  const name = commandNamed(first);
  if (name === undefined) return null;
  const command: Command = commands[name];
  return findAction(command, second) ?? command;
}

/**
 * The message of an error with what is typed (`--limit`, `MEMORY_ID`) instead of the fields of
 * operations that it names. A field that is a plain word is one only where a problem begins.
 */
export function withTypedNames(
  message: string,
  { args, fields = {} }: { args: readonly string[]; fields?: FieldErrors | undefined },
): string {
  const names = typedNames(args);
  const wrong = new Set(Object.keys(fields).map((field) => field.split('.')[0]));
  return message.replace(fieldName, (name, at: number) => {
    const isField = name.includes('_') || (wrong.has(name) && beginsProblem(message, at));
    return (isField && names.get(name)) || name;
  });
}

const fieldName = /(?<![\w.-])[a-z]+(?:_[a-z]+)*(?!\w)/g;

function beginsProblem(message: string, at: number): boolean {
  return at === 0 || ['\n', '; ', ': '].some((mark) => message.startsWith(mark, at - mark.length));
}

/** The name of each field on this command line. */
function typedNames(args: readonly string[]): Map<string, string> {
  const command = namedCommand(args);
  if (command === null) return new Map();
  const flagNames = givenFlags(args);
  const flags = Object.entries(command.flags).map(
    ([name, { field = name }]) => [field, name] as const,
  );
  // If two flags set one field, errors name the one that was typed; otherwise the first.
  const pairs = [
    ...flags.filter(([, name]) => flagNames.has(name)),
    ...flags.filter(([, name]) => !flagNames.has(name)),
    ...(command.open ? Array.from(flagNames, (name) => [name, name] as const) : []),
  ];
  const words = Object.entries({ ...wordsOf(command.usage), ...command.words });
  return new Map([
    ...words,
    ...pairs.map(([field, name]) => [field, flagText(name)] as const).reverse(),
  ]);
}

function givenFlags(args: readonly string[]): Set<string> {
  const end = args.indexOf('--');
  const flags = args.slice(0, end === -1 ? undefined : end);
  const names = flags.flatMap((arg) => /^--([^=.]+)/.exec(arg)?.[1] ?? []);
  return new Set(names.map((name) => name.replaceAll('-', '_')));
}

/** `MEMORY_ID...` takes a list of ids. */
function wordsOf(usage: string): Record<string, string> {
  const matches = usage
    .replace(/(?<![\w-])--[\w-]+ \S+/g, '')
    .matchAll(/\b([A-Z]+(?:_[A-Z]+)*)\b/g);
  const words = Array.from(matches, ([word]) => word);
  return Object.fromEntries(
    words.flatMap((word) => {
      const field = word.toLowerCase();
      return [
        [field, word],
        [`${field}s`, word],
      ];
    }),
  );
}
