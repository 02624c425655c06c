import type { Message } from '../../src/contract/schemas/message.ts';
import type { Extractor } from '../../src/core/ports/index.ts';

/** Finds facts in messages; replaces a model. */
export type Extract = (
  messages: readonly Message[],
  signal: AbortSignal,
) => Promise<{ text: string; source: Message }[]>;

/** Adds each fact that was found. */
export function extractorFrom(extract: Extract): Extractor {
  return {
    extract: async ({ messages }, signal) => {
      const facts = await extract(messages, signal);
      const unknown = { type: null, slot: null, occurred: null, said: null };
      const decisions = facts.map(({ text, source }) => ({
        event: 'ADD' as const,
        target: null,
        reason: null,
        ...unknown,
        text,
        message: messages.indexOf(source),
      }));
      return { decisions, by: 'test', notice: null, cost: null };
    },
  };
}
