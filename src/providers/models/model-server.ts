import { ApiError } from '../../contract/errors.ts';
import type { ModelResponse } from './post.ts';

/** Kinds of models: the prefix of their options, and their name in messages. */
export const modelKindNames = {
  embedder: 'embedder',
  reranker: 'reranker',
  llm: 'language model',
} as const;
export type ModelKind = keyof typeof modelKindNames;

/** The error for a failed response, in words for the operator. */
export function modelServerError(what: ModelKind, { status }: ModelResponse): ApiError {
  return new ApiError(
    'unavailable',
    `the ${modelKindNames[what]} returned status ${status}${statusHint(what, status)}`,
  );
}

function statusHint(what: ModelKind, status: number): string {
  if (status === 401 || status === 403) return `: ${what}_api_key is missing or wrong`;
  if (status === 404) return `: check ${what}_url and ${what}_model`;
  if (status === 429) return ': its rate limit is reached';
  return '';
}
