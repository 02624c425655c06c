import { ApiError } from '../../../contract/errors.ts';
import type { Embedder, VectorScale } from '../../ports/index.ts';
import { cosineSimilarity } from '../../vectors.ts';

/**
 * Questions with their answers, on unrelated topics and with few words in common. Their vectors
 * show how to read the cosines of a model: unrelated texts have about 0 with one model and 0.75
 * with another.
 */
const calibrationPairs: readonly [question: string, answer: string][] = [
  ['Which city does she live in?', 'Maria moved to Lisbon last spring.'],
  ['What does he eat?', 'Tom is a vegetarian and loves lentil soup.'],
  ['Do they have pets?', 'Our old dog sleeps next to the two cats.'],
  ['How does she get to work?', 'Anna takes the train to her office every morning.'],
  ['Which programming language is preferred?', 'The team writes all new services in Rust.'],
  ['What music does he like?', 'On weekends Paul plays jazz on his saxophone.'],
  ['When is the doctor appointment?', 'The dentist sees me on the third of May.'],
  ['What are the plans for summer?', 'We booked two weeks of holidays by the sea in August.'],
];

/** Embeds the pairs to learn the dimension of the vectors and how to read their cosines. */
export async function calibrateScale(
  embedder: Embedder,
  signal?: AbortSignal,
): Promise<{ dimension: number; scale: VectorScale }> {
  const options = signal === undefined ? {} : { signal };
  const questions = calibrationPairs.map(([question]) => question);
  const answers = calibrationPairs.map(([, answer]) => answer);
  const questionVectors = requireVectors(
    await embedder.embed(questions, { purpose: 'question', ...options }),
  );
  const answerVectors = requireVectors(
    await embedder.embed(answers, { purpose: 'memory', ...options }),
  );
  const related: number[] = [];
  const unrelated: number[] = [];
  questionVectors.forEach((question, index) => {
    answerVectors.forEach((answer, other) => {
      (index === other ? related : unrelated).push(cosineSimilarity(question, answer));
    });
  });
  const scale = {
    unrelated: mean(unrelated),
    related: mean(related),
    trust: calibrationTrust(related, unrelated),
  };
  return { dimension: questionVectors[0]?.length ?? 0, scale };
}

/**
 * 1 if every answer is nearer than any unrelated text, 0 if the model does no better than chance.
 */
function calibrationTrust(related: readonly number[], unrelated: readonly number[]): number {
  const wins = related.reduce(
    (count, one) => count + unrelated.filter((other) => one > other).length,
    0,
  );
  return Math.max(0, (wins / (related.length * unrelated.length)) * 2 - 1);
}

function requireVectors(vectors: readonly (Float32Array | null)[]): Float32Array[] {
  return vectors.map((vector) => {
    if (vector === null) throw new ApiError('unavailable', 'the embedder refuses plain sentences');
    return vector;
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
