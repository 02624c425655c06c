import type { Reranker } from '../../../core/ports/index.ts';
import { createLocalModel, type LocalModelOptions } from './local-model.ts';

/** A cross-encoder on this machine, which reads question and memory together. */
export function createLocalReranker(
  options: LocalModelOptions & { timeout_ms: number },
): Reranker & Required<Pick<Reranker, 'preload'>> {
  const model = createLocalModel(options);
  return {
    preload: model.warm,
    rerank: async (question, texts, { signal }) => {
      const late = AbortSignal.timeout(options.timeout_ms);
      const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
      const answer = await model.request({ task: 'rerank', question, texts }, ended);
      return answer as number[]; // the result of `rerank`
    },
    close: model.close,
  };
}
