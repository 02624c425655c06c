/** `mneme/client`: the client of a remote instance, for browsers and Node.js. */

export type { Client, WaitOptions } from './client/client-interface.ts';
export { type ClientOptions, createClient } from './client/create-client.ts';
// Generated, and all public: a list of names here would have to be kept in step.
export type * from './client/operations.ts';
export type { Paged, RequestOptions } from './client/paged.ts';
export { ApiError, type ErrorCode, type FieldErrors } from './contract/errors.ts';
export { limits } from './contract/limits.ts';
