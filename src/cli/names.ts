import { didYouMean } from '../contract/closest.ts';
import { ApiError } from '../contract/errors.ts';
import { type CommandName, commandNames, isCommandName } from './commands.ts';

/** The command of that name. Throws `invalid` with the one that was meant. */
export function commandNamed(name: string): CommandName {
  if (isCommandName(name)) return name;
  throw unknownName(name, { kind: 'command', known: commandNames });
}

export function unknownName(
  name: string,
  { kind, known }: { kind: string; known: readonly string[] },
): ApiError {
  const shown = JSON.stringify(name.slice(0, 60));
  const hint = didYouMean(name, known);
  return new ApiError('invalid', `${shown} is no ${kind}.${hint} Known: ${known.join(', ')}`);
}
