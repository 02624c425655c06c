import { ApiError } from '../../contract/errors.ts';
import { commandNamed, commands } from './command-table.ts';

/** The first word of a command line is a flag, so that the command after it is not one. */
export function strayWordsError(words: readonly string[]): ApiError {
  const stray = `unexpected ${words.join(' ')}`;
  const command = words.map(commandNamed).find((name) => name !== undefined);
  if (command === undefined) return new ApiError('invalid', stray);
  return new ApiError('invalid', `${stray}; the command comes first: ${commands[command].usage}`);
}
