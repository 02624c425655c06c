import { ApiError } from '../../contract/errors.ts';

/** What the command needs is not on its line; its report ends with the usage of the command. */
export class UsageError extends ApiError {
  constructor(message: string) {
    super('invalid', message);
  }
}
