import {
  batchByLength,
  type LoadedNetwork,
  runNetwork,
  tensorRows,
  tokenize,
} from './inference.ts';
import type { StepwiseModel } from './request-queue.ts';

/** A longer question is cut, so that there is room for the text. */
const questionMaxChars = 1000;

/** A network that scores how well a text answers a question. */
export function createRerankingNetwork(loaded: LoadedNetwork): StepwiseModel {
  return {
    *run(ask) {
      if (ask.task !== 'rerank') throw new Error('this model judges');
      const question = ask.question.slice(0, questionMaxChars);
      const questions = ask.texts.map(() => question);
      const shares = new Array<number>(ask.texts.length).fill(0);
      for (const batch of batchByLength(tokenize(loaded, ask.texts, questions))) {
        yield runNetwork(loaded, batch).then(({ logits }) => {
          if (logits === undefined) throw new Error('it is not a reranker: it has no logits');
          const { row } = tensorRows(logits);
          batch.forEach(({ at }, index) => {
            shares[at] = relevanceOf(row(index));
          });
        });
      }
      return shares;
    },
  };
}

/** A single number is the relevance; of two, the first is for "not relevant". */
function relevanceOf(logits: Float32Array): number {
  const [first, second] = logits;
  if (first === undefined || logits.length > 2 || !logits.every(Number.isFinite)) {
    throw new Error('it is not a reranker: it must return one number for each text');
  }
  const fit = second === undefined ? first : second - first;
  return 1 / (1 + Math.exp(-fit));
}
