import { createHash } from 'node:crypto';

/** Words that have the same meaning here; all others have only their own. */
const synonyms: readonly (readonly string[])[] = [
  ['city', 'live', 'moved', 'lisbon'],
  ['eat', 'vegetarian', 'soup', 'food', 'cuisine'],
  ['pets', 'dog', 'cats'],
  ['work', 'office', 'train', 'commute'],
  ['programming', 'language', 'rust', 'services'],
  ['music', 'jazz', 'saxophone'],
  ['doctor', 'dentist', 'appointment'],
  ['summer', 'holidays', 'sea'],
  ['automobile', 'car', 'vehicle'],
];

/** Every word with a synonym. */
export const knownWords = synonyms.flat();

const concepts = new Map(
  synonyms.flatMap((words) => words.map((word) => [word, words[0] ?? word])),
);

/**
 * A vector that is the same in every run: the sum of the concepts of a text, each in its own
 * direction.
 */
export function conceptVector(text: string, dimension: number): number[] {
  const vector = new Array<number>(dimension).fill(0);
  for (const word of text.toLowerCase().match(/[a-z]{3,}/g) ?? []) {
    directionOf(concepts.get(word) ?? word, dimension).forEach((value, index) => {
      vector[index] = (vector[index] ?? 0) + value * (concepts.has(word) ? 2 : 0.5);
    });
  }
  return vector;
}

function directionOf(concept: string, dimension: number): number[] {
  const bytes: number[] = [];
  for (let part = 0; bytes.length < dimension; part += 1) {
    bytes.push(...createHash('sha256').update(`${concept} ${part}`).digest());
  }
  return bytes.slice(0, dimension).map((byte) => byte - 127.5);
}
