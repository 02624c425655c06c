/** A response of a model's server; `body` is its JSON, or null without JSON. */
export type ModelResponse = { status: number; body: unknown };

/**
 * Posts JSON to a model's server. Throws `unavailable` without a response; `retry` repeats requests
 * after transient failures.
 */
export type PostToModel = (
  path: string,
  body: unknown,
  options: { retry: boolean; signal?: AbortSignal },
) => Promise<ModelResponse>;
