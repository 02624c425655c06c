import { ApiError } from '../../contract/errors.ts';
import type { Reranker } from '../../core/ports/index.ts';
import { modelServerError } from './model-server.ts';
import type { PostToModel } from './post.ts';

export type HttpRerankerOptions = {
  post: PostToModel;
  close(): Promise<void>;
  /** Sent as it is; null where the server has one model only. */
  model: string | null;
};

/** Any server with the `POST /rerank` of Cohere and Jina: vLLM, LocalAI, Voyage and others. */
export function createHttpReranker({ post, close, model }: HttpRerankerOptions): Reranker {
  return {
    close,
    rerank: async (query, documents, signal) => {
      const body = { ...(model !== null && { model }), query, documents, top_n: documents.length };
      const answer = await post('/rerank', body, { ...signal, patient: false });
      if (answer.status !== 200) throw modelServerError('reranker', answer);
      return toUnitScores(parseScores(answer.body, documents.length));
    },
  };
}

function parseScores(body: unknown, count: number): number[] {
  const { results, data } = { results: null, data: null, ...(body as object | null) };
  const items: unknown = results ?? data;
  if (!Array.isArray(items)) throw unreadableResponse();
  // What a server leaves out is not worth naming to it.
  const scores = new Array<number | null>(count).fill(null);
  for (const item of items as ({ index?: unknown; relevance_score?: unknown } | null)[]) {
    const { index, relevance_score: score } = { ...item };
    if (typeof index !== 'number' || !(index in scores) || !Number.isFinite(score)) {
      throw unreadableResponse();
    }
    scores[index] = Number(score);
  }
  const least = Math.min(0, ...scores.filter((score) => score !== null));
  return scores.map((score) => score ?? least);
}

/** Most answer 0 to 1; some what their model computes, of which a logistic function makes that. */
function toUnitScores(scores: readonly number[]): number[] {
  if (scores.every((score) => score >= 0 && score <= 1)) return [...scores];
  return scores.map((score) => 1 / (1 + Math.exp(-score)));
}

function unreadableResponse(): ApiError {
  return new ApiError('unavailable', 'the reranker answered something that is no list of scores');
}
