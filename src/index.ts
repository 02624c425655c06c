/** The public API: the engine in this process, its types and its errors. */
export { createMemory, type EmbeddedMemory, type MemoryOptions } from './app/create-memory.ts';
export type { EngineOptions } from './app/engine-options.ts';
export type { Client, WaitOptions } from './client/client-interface.ts';
// All public, and in the package with the inputs, outputs and nouns of all methods.
export type * from './client/operations.ts';
export type { Paged, RequestOptions } from './client/paged.ts';
export { ApiError, type ErrorCode, errorStatus, type FieldErrors } from './contract/errors.ts';
export { limits } from './contract/limits.ts';
export type { Log, LogLevel } from './log.ts';
