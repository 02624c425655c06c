/**
 * What can go wrong, as codes that every face translates: REST to a status, MCP to a tool error,
 * the CLI to an exit code.
 */
export const errorStatus = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Field name to what is wrong with it; a nested field is dotted (`messages.0.content`). */
export type FieldErrors = Record<string, string[]>;

/**
 * The only error that crosses a part's border. Its message helps the reader act and leaks nothing:
 * what is wrong, what is allowed; no driver text, no content of the caller's.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  /** What to do about it, where the code alone does not tell; a sentence. */
  readonly next: string | undefined;
  /** The message for callers on other machines, where `message` names a file of this one. */
  readonly elsewhere: string;

  constructor(
    code: ErrorCode,
    message: string,
    options: { fields?: FieldErrors; next?: string; elsewhere?: string; cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'ApiError';
    this.code = code;
    this.fields = options.fields;
    this.next = options.next;
    this.elsewhere = options.elsewhere ?? message;
  }

  /** The package ships this class for servers and for browsers: each knows the other's errors. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: a class that extends it asks for itself
    if (this !== ApiError) return Function.prototype[Symbol.hasInstance].call(this, value);
    // biome-ignore-end lint/complexity/noThisInStatic: only there
    const isError = value instanceof Error && value.name === 'ApiError' && 'code' in value;
    return isError && Object.hasOwn(errorStatus, String(value.code));
  }
}

/** A 400 about one field. */
export function invalid(field: string, problem: string): ApiError {
  return new ApiError('invalid', `${field}: ${problem}`, { fields: { [field]: [problem] } });
}
