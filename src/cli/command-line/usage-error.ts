import { ApiError } from '../../contract/errors.ts';

/** A command line that lacks something; its report ends with the usage of the command. */
export class UsageError extends ApiError {
  constructor(message: string) {
    super('invalid', message);
  }
}
