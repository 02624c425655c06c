import { didYouMean } from '../contract/did-you-mean.ts';
import { invalid } from '../contract/errors.ts';
import type { Client } from './client-interface.ts';
import { createMethods } from './create-methods.ts';
import { baseUrlProblem } from './http-connection.ts';
import { createHttpInvoke } from './http-invoke.ts';

/** The address of an instance, and the credentials for it. */
export interface ClientOptions {
  /** Address of the instance: the part before `/v1/`. */
  base_url: string;
  /** An API key, or a function that returns one and receives a refused one. */
  api_key: string | ((refused: string | null) => Promise<string>);
  /** Organization and project of calls that name none. Default: those of the key. */
  org_id?: string | undefined;
  project_id?: string | undefined;
  /** Time limit of a call, retries included. Default 30,000. */
  timeout_ms?: number | undefined;
  /** Most tries of a call when the instance is busy or unreachable. Default 4. */
  tries_max?: number | undefined;
  /** Default: the `fetch` of the browser or of Node.js. */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Reaches an instance over HTTP. Sends nothing by itself.
 *
 * @throws {ApiError} invalid, for an option that is unknown, missing or malformed
 */
export function createClient(options: ClientOptions): Client {
  checkOptions({ ...options });
  const { fetch = defaultFetch, ...rest } = options;
  const invoke = createHttpInvoke({ ...rest, fetch });
  return createMethods(invoke);
}

/** Looked up at each call, so that a replaced `fetch` is used; it needs its `this`. */
const defaultFetch: typeof globalThis.fetch = (...args) => globalThis.fetch(...args);

/** For each option, what it must be, and the check for it. */
const optionChecks: Record<keyof ClientOptions, [string, (value: unknown) => boolean]> = {
  base_url: ['must be a text: the address of the instance', isText],
  api_key: [
    'must be a key, or a function that returns one',
    (value) => isText(value) || isFunction(value),
  ],
  org_id: ['must be an id', isOptionalText],
  project_id: ['must be an id', isOptionalText],
  timeout_ms: ['must be a number of milliseconds above 0', isOptionalCount],
  tries_max: ['must be a number above 0', isOptionalCount],
  fetch: ['must be a function', (value) => value === undefined || isFunction(value)],
};

/** A misspelt option could send data to the wrong place. */
function checkOptions(options: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(optionChecks);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, names);
    throw invalid(unknown, `is not an option.${hint} Allowed: ${names.join(', ')}`);
  }
  for (const [name, [problem, fits]] of Object.entries(optionChecks)) {
    if (!fits(options[name])) throw invalid(name, problem);
  }
  const problem = baseUrlProblem(String(options.base_url));
  if (problem !== null) throw invalid('base_url', problem);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isOptionalCount(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY)
  );
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}
