/** The client of an instance, as `mneme/client`: for browsers and for Node.js. */

export type { Client, WaitOptions } from './client/client-interface.ts';
export { type ClientOptions, createClient } from './client/create-client.ts';
// Generated, and all of it public: naming each type here would be a second place to keep.
export type * from './client/operations.ts';
export type { Paged, RequestOptions } from './client/paged.ts';
export { ApiError, type ErrorCode, type FieldErrors } from './contract/errors.ts';
export { limits } from './contract/limits.ts';
