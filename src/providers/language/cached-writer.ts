import { createHash } from 'node:crypto';
import type { TextWriter } from '../../core/ports/index.ts';

/** Older entries are dropped beyond this. */
const cacheEntriesMax = 200;

/**
 * Caches the model's output for the same facts and settings. The cache is in memory only and keyed
 * by its inputs, so that no output outlives a change or deletion of a memory.
 */
export function createCachedWriter(writer: TextWriter): TextWriter {
  const answers = new Map<string, Promise<unknown>>();

  /** The cached output of these inputs; a failure is not cached. */
  function keep<T>(parts: readonly unknown[], ask: () => Promise<T>): Promise<T> {
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
    const entry = answers.get(key) as Promise<T> | undefined; // a key belongs to one type of output
    const answer = entry ?? ask();
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
