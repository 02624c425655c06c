// The declarations use Symbol.asyncDispose, which a user's configured libraries may lack.
/// <reference lib="esnext.disposable" preserve="true" />

import type { Client } from '../client/client-interface.ts';
import { createMethods, type RunOperation } from '../client/create-methods.ts';
import { configFromOptions } from '../config/load-config.ts';
import type { Option } from '../config/option.ts';
import { optionNames, options as table } from '../config/options.ts';
import { ApiError, invalid } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import { entityIdFields } from '../contract/schemas/entity.ts';
import { applyScopeUnattended } from '../contract/scope/apply-scope.ts';
import { contract, type OperationName } from '../contract.ts';
import type { Log } from '../log.ts';
import { createApp } from './create-app.ts';
import type { EngineOptions } from './engine-options.ts';

/** Where memories are stored, and their owner if a call names none. */
export interface MemoryOptions extends EngineOptions {
  /** Receives log messages of the engine. Default: none. */
  log?: Log | undefined;
}

/** The engine in this process: the methods of a client, and `close`. */
export interface EmbeddedMemory extends Client {
  /** Lets calls in progress end, at most 3 seconds, and closes the store. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens the engine in this process, on a folder that other processes may use at the same time. It
 * opens in the background; if that fails, the first call throws the reason, and the next one tries
 * again. Reads neither configuration files nor `MNEME_*` variables.
 *
 * @throws {ApiError} invalid, for an option that is unknown or malformed
 */
export function createMemory(options: MemoryOptions = {}): EmbeddedMemory {
  const { log = () => {}, ...given } = options;
  if (typeof log !== 'function') throw invalid('log', 'must be a function');
  const config = configFromOptions(given, engineOptionNames);
  const app = createApp(config, { log });
  const inScope = createScopeDefaults(given);
  let closed = false;

  const run: RunOperation = async (name, input, options) => {
    if (closed) throw new ApiError('unavailable', 'this memory is closed');
    options.signal?.throwIfAborted();
    return app.invoke(name, inScope(name, input), { ...options, caller: app.caller });
  };
  const close = () => {
    closed = true;
    return app.close();
  };
  app.open().catch(() => {}); // The first call throws the same error.
  return { ...createMethods(run), close, [Symbol.asyncDispose]: close };
}

type MethodInput = Readonly<Record<string, unknown>>;

/** Fills in the ids that a program has set. Without any, inputs are passed on unchanged. */
function createScopeDefaults(
  given: EngineOptions,
): (name: OperationName, input: MethodInput) => MethodInput {
  const set = entityIdFields.filter((field) => given[field] !== undefined);
  if (set.length === 0) return (_, input) => input;
  const scope = Object.fromEntries(set.map((field) => [field, given[field]]));
  return (name, input) => {
    const operation: Operation = contract[name];
    return applyScopeUnattended({ operation }, input, { scope, lock_scope: false });
  };
}

const engineOptionNames = optionNames.filter((name) => (table[name] as Option).engine);
