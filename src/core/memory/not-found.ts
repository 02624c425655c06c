import { ApiError } from '../../contract/errors.ts';

/** The same message for an unknown id and one of another project. */
export function memoryNotFound(memory_id?: string): ApiError {
  return new ApiError(
    'not_found',
    memory_id === undefined ? 'memory not found' : `memory ${memory_id} not found`,
  );
}
