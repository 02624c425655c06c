import { didYouMean } from '../contract/closest.ts';
import { ApiError } from '../contract/errors.ts';
import { contract, isOperationName, type OperationName } from '../contract/index.ts';
import { type CommandName, commandNames, isCommandName } from './commands.ts';

/** The command of that name. Throws `invalid` with the one that was meant. */
export function commandNamed(name: string): CommandName {
  if (isCommandName(name)) return name;
  throw unknown(name, { kind: 'command', known: commandNames });
}

/** The operation of that name. Throws `invalid` with the one that was meant. */
export function operationNamed(name: string): OperationName {
  if (isOperationName(name)) return name;
  throw unknown(name, { kind: 'operation', known: Object.keys(contract) });
}

function unknown(name: string, { kind, known }: { kind: string; known: readonly string[] }) {
  const shown = JSON.stringify(name.slice(0, 60));
  const hint = didYouMean(name, known);
  return new ApiError('invalid', `${shown} is no ${kind}.${hint} Known: ${known.join(', ')}`);
}
