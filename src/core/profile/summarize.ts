import { toWriterFact, tryWriter } from '../export/write-schema.ts';
import type { Deps, StoredMemory, TextWriter } from '../ports/index.ts';

/** Topic to what is known of it, newest first; the topics in the order of their newest memory. */
export function groupByTopic(memories: readonly StoredMemory[]): Map<string, string[]> {
  const topics = new Map<string, string[]>();
  for (const { memory, categories } of memories) {
    const topic = categories[0] ?? otherTopic;
    topics.set(topic, [...(topics.get(topic) ?? []), memory]);
  }
  return topics;
}

/** The topic of memories without a category. */
const otherTopic = 'general';

/** Sums memories up: with a language model where there is one that answers. */
export async function writeSummary(
  deps: Pick<Deps, 'writer' | 'log'>,
  memories: readonly StoredMemory[],
  signal: AbortSignal | undefined,
): Promise<string> {
  if (memories.length === 0) return '';
  const options = { max_chars: summaryMaxChars, ...(signal && { signal }) };
  const ask = (writer: TextWriter) => writer.summarize(memories.map(toWriterFact), options);
  const written = await tryWriter(deps, ask, signal);
  if (written === null || 'notice' in written) return summarizeByRules(memories);
  // A model counts characters badly.
  return written.text.slice(0, 2 * summaryMaxChars).toWellFormed();
}

/**
 * The newest facts as lines under their topics, without a model: the same memories always make the
 * same text, of at most {@link summaryMaxChars} characters.
 */
export function summarizeByRules(memories: readonly StoredMemory[]): string {
  const topics = groupByTopic(withinBudget(memories));
  return [...topics]
    .map(([topic, facts]) => {
      const lines = facts.map((fact) => `- ${toLine(fact)}`);
      return topics.size === 1 && topic === otherTopic
        ? lines.join('\n')
        : [`${topic}:`, ...lines].join('\n');
    })
    .join('\n\n');
}

/** About what a person reads at a glance, and an agent for 500 tokens. */
export const summaryMaxChars = 2000;
const factMaxChars = 300;

/** As many of the newest as fit, each counted with its topic's heading. */
function withinBudget(memories: readonly StoredMemory[]): StoredMemory[] {
  let left = summaryMaxChars;
  return memories.filter(({ memory, categories }) => {
    left -= toLine(memory).length + (categories[0]?.length ?? 0) + lineExtraChars;
    return left >= 0;
  });
}

const lineExtraChars = '\n\n- :\n'.length;

function toLine(fact: string): string {
  const text = fact.replace(/\s+/g, ' ');
  return text.length <= factMaxChars ? text : `${text.slice(0, factMaxChars - 1).trimEnd()}…`;
}
