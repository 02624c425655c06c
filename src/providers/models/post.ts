/** An answer of a model's server; `body` is its JSON, or null where it sent none. */
export type ModelResponse = { status: number; body: unknown };

/**
 * Posts JSON to a model's server. Throws `unavailable` when no answer came; `patient` tries again
 * what fails for the moment.
 */
export type PostToModel = (
  path: string,
  body: unknown,
  options: { patient: boolean; signal?: AbortSignal },
) => Promise<ModelResponse>;
