/** `mneme/client`: the client of a remote instance, for browsers and Node.js. */

export type { Client, WaitOptions } from './client/client-interface.ts';
export { type ClientOptions, createClient } from './client/create-client.ts';
// All public, and in the package with the inputs, outputs and nouns of all methods.
export type * from './client/operations.ts';
export type { Paged, RequestOptions } from './client/paged.ts';
export { ApiError, type ErrorCode, type FieldErrors } from './contract/errors.ts';
export { limits } from './contract/limits.ts';
