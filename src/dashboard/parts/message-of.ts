import { ApiError } from '../../client.ts';
import { reasonOf } from '../../contract/errors.ts';
import { isReachable, noAnswer } from './connection.ts';

/** What to tell the user about a failure. */
export function messageOf(error: unknown): string {
  const isSilent = error instanceof TypeError || isUnavailable(error);
  if (isSilent && !isReachable.value) return noAnswer;
  return reasonOf(error);
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unavailable';
}
