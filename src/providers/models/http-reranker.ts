import { ApiError } from '../../contract/errors.ts';
import type { Reranker } from '../../core/ports/index.ts';
import { modelServerError } from './model-server.ts';
import type { PostToModel } from './post.ts';

export type HttpRerankerOptions = {
  post: PostToModel;
  close(): Promise<void>;
  /** Sent unchanged; null if the server has only one model. */
  model: string | null;
};

/** Any server with the `POST /rerank` of Cohere and Jina: vLLM, LocalAI, Voyage and others. */
export function createHttpReranker({ post, close, model }: HttpRerankerOptions): Reranker {
  return {
    close,
    rerank: async (query, documents, signal) => {
      const body = { ...(model !== null && { model }), query, documents, top_n: documents.length };
      const answer = await post('/rerank', body, { ...signal, retry: false });
      if (answer.status !== 200) throw modelServerError('reranker', answer);
      return toUnitScores(parseScores(answer.body, documents.length));
    },
  };
}

function parseScores(body: unknown, count: number): number[] {
  const { results, data } = { results: null, data: null, ...(body as object | null) };
  const items: unknown = results ?? data;
  if (!Array.isArray(items)) throw unreadableResponse();
  // Texts that a server omits score lowest.
  const scores = new Array<number | null>(count).fill(null);
  for (const item of items as ({ index?: unknown; relevance_score?: unknown } | null)[]) {
    const { index, relevance_score: score } = { ...item };
    if (typeof index !== 'number' || !(index in scores) || !Number.isFinite(score)) {
      throw unreadableResponse();
    }
    scores[index] = Number(score);
  }
  const lowest = Math.min(0, ...scores.filter((score) => score !== null));
  return scores.map((score) => score ?? lowest);
}

/** Most servers return 0 to 1; some return raw logits, which a logistic function converts. */
function toUnitScores(scores: readonly number[]): number[] {
  if (scores.every((score) => score >= 0 && score <= 1)) return [...scores];
  return scores.map((score) => 1 / (1 + Math.exp(-score)));
}

function unreadableResponse(): ApiError {
  return new ApiError('unavailable', 'the reranker did not return a list of scores');
}
