import { ApiError } from '../../contract/errors.ts';
import { commands, isCommandName } from './command-table.ts';

/** The first word of a command line is a flag, so that the command after it is not one. */
export function strayWordsError(words: readonly string[]): ApiError {
  const stray = `unexpected ${words.join(' ')}`;
  const command = words.find(isCommandName);
  if (command === undefined) return new ApiError('invalid', stray);
  return new ApiError('invalid', `${stray}; the command comes first: ${commands[command].usage}`);
}
