/**
 * The error codes, which every face translates: REST to a status, MCP to a tool error, the CLI to
 * an exit code.
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

/** Problems by field name; the name of a nested field is dotted (`messages.0.content`). */
export type FieldErrors = Record<string, string[]>;

/**
 * The only error that leaves a part. Its message says what is wrong and what is allowed; it never
 * holds driver text or the caller's content.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  /** A sentence on what to do about it, if the code does not imply that. */
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

  /**
   * The package ships this class twice, for servers and for browsers; each accepts the other's
   * errors.
   */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore-start lint/complexity/noThisInStatic: subclasses compare with themselves
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

/** What an error says, whatever was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code that Node.js or a driver gave an error; empty without one. */
export function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
