import { ApiError } from '../../contract/errors.ts';
import type { ModelResponse } from './post.ts';

/** Kinds of models as options begin, and as they are called. */
export const modelKindNames = {
  embedder: 'embedder',
  reranker: 'reranker',
  llm: 'language model',
} as const;
export type ModelKind = keyof typeof modelKindNames;

/** An answer that is none, in words for whoever has configured the model. */
export function modelServerError(what: ModelKind, { status }: ModelResponse): ApiError {
  return new ApiError(
    'unavailable',
    `the ${modelKindNames[what]} answered ${status}${statusHint(what, status)}`,
  );
}

function statusHint(what: ModelKind, status: number): string {
  if (status === 401 || status === 403) return `: ${what}_api_key is missing or wrong`;
  if (status === 404) return `: ${what}_url or ${what}_model is unknown to it`;
  if (status === 429) return ': its limit is reached';
  return '';
}
