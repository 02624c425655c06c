import { createHash } from 'node:crypto';
import type { TextWriter } from '../../core/ports/index.ts';

/** What nobody has asked for since so many others is forgotten. */
const cacheEntriesMax = 200;

/**
 * Asks the model once for the same: while facts and wishes stay as they are, so does the answer.
 * Answers are kept in memory only, under what they were made of, so that none outlives a change
 * or a deletion of a memory.
 */
export function createCachedWriter(writer: TextWriter): TextWriter {
  const answers = new Map<string, Promise<unknown>>();

  /** The answer under this key; a failure is no answer, and is not kept. */
  function keep<T>(parts: readonly unknown[], ask: () => Promise<T>): Promise<T> {
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    const known = answers.get(key) as Promise<T> | undefined; // a key stands for one kind of answer
    const answer = known ?? ask();
    answers.delete(key);
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
    const [oldest] = answers.keys();
    if (answers.size > cacheEntriesMax && oldest !== undefined) answers.delete(oldest);
    return answer;
  }

  return {
    name: writer.name,
    fill: (facts, options) => {
      const { schema, instructions } = options;
      return keep(['fill', facts, schema, instructions], () => writer.fill(facts, options));
    },
    summarize: (facts, options) =>
      keep(['sum', facts, options.max_chars], () => writer.summarize(facts, options)),
  };
}
