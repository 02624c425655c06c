import { didYouMean } from '../../contract/did-you-mean.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Command } from './command.ts';
import { type CommandName, commandNamed, commandWords } from './command-table.ts';
import { UsageError } from './usage-error.ts';

/** The command of that name or alias. Throws `invalid` with a suggestion when there is none. */
export function resolveCommandName(name: string): CommandName {
  const command = commandNamed(name);
  if (command !== undefined) return command;
  if (name === 'version') {
    throw new ApiError('invalid', 'unknown command "version"; mneme --version prints the version');
  }
  throw unknownNameError(name, { kind: 'command', known: commandWords });
}

/** An action of a command, as a command itself; null if the command does not have it. */
export function findAction(
  { actions = {}, more: _, ...command }: Command,
  name: string,
): Command | null {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) return null;
  const flags = Object.entries(command.flags).filter(([flag]) => action.flags.includes(flag));
  return { ...command, ...action, flags: Object.fromEntries(flags) };
}

/** What a command line names: the command itself, or the action in its first word. */
export function resolveAction(command: Command, [first = '']: readonly string[]): Command {
  if (command.actions === undefined) return command;
  const action = findAction(command, first);
  if (action !== null) return action;
  const names = Object.keys(command.actions);
  if (first !== '' && !first.startsWith('-'))
    throw unknownNameError(first, { kind: 'action', known: names });
  throw new UsageError(`an action is missing; use one of ${names.join(', ')}`);
}

export function unknownNameError(
  name: string,
  { kind, known }: { kind: string; known: readonly string[] },
): ApiError {
  const quote = JSON.stringify(name.slice(0, 60));
  const hint = didYouMean(name, known) || ` Known: ${known.join(', ')}`;
  return new ApiError('invalid', `unknown ${kind} ${quote}.${hint}`);
}
