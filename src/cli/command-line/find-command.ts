import { didYouMean } from '../../contract/did-you-mean.ts';
import { ApiError } from '../../contract/errors.ts';
import { type Command, type CommandName, commandNames, isCommandName } from './command-table.ts';

/** The command of that name. Throws `invalid` with the one that was meant. */
export function resolveCommandName(name: string): CommandName {
  if (isCommandName(name)) return name;
  throw unknownNameError(name, { kind: 'command', known: commandNames });
}

/** An action of a command, as if it were a command of its own; null when there is none such. */
export function findAction({ actions = {}, ...command }: Command, name: string): Command | null {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) return null;
  const flags = Object.entries(command.flags).filter(([flag]) => action.flags.includes(flag));
  return { ...command, ...action, flags: Object.fromEntries(flags) };
}

/** What a command line asks for: the command itself, or the action that its first word names. */
export function resolveAction(command: Command, [first = '']: readonly string[]): Command {
  if (command.actions === undefined) return command;
  const action = findAction(command, first);
  if (action !== null) return action;
  const known = Object.keys(command.actions);
  if (first !== '' && !first.startsWith('-'))
    throw unknownNameError(first, { kind: 'action', known });
  throw new ApiError('invalid', `name an action first: ${known.join(', ')}`);
}

export function unknownNameError(
  name: string,
  { kind, known }: { kind: string; known: readonly string[] },
): ApiError {
  const shown = JSON.stringify(name.slice(0, 60));
  const hint = didYouMean(name, known);
  return new ApiError('invalid', `${shown} is no ${kind}.${hint} Known: ${known.join(', ')}`);
}
