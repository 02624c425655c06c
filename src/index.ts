/** The public API: the contract as data, its types and its errors. */
export { ApiError, type ErrorCode, errorStatus, type FieldErrors } from './contract/errors.ts';
export {
  type Caller,
  type CallOptions,
  contract,
  type Input,
  type Invoke,
  type OperationName,
  type Output,
} from './contract/index.ts';
export { limits } from './contract/limits.ts';
