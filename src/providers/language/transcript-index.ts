import type { ModelDecision } from './decisions-answer.ts';
import { subjectTerms, type TermAnalyzer } from './evidence.ts';
import type { MessageChunk } from './extraction-prompt.ts';

export type TranscriptMessage = { piece: MessageChunk; text: string; terms: ReadonlySet<string> };

export type TranscriptIndex = {
  /** The terms of all messages. */
  terms: ReadonlySet<string>;
  /** The terms of a text without those of the speakers. */
  subjectTerms(text: string): string[];
  /** The message that a decision names; if that is wrong, the one that supports it most. */
  findMessage(decision: ModelDecision): TranscriptMessage | null;
  /** The original words that a text was made from; null if they equal the text. */
  quoteFor(text: string, message: string): string | null;
};

/** The terms of a conversation, by message and in total. */
export function createTranscriptIndex({ chunks, terms }: TranscriptInput): TranscriptIndex {
  const messages = indexMessages(chunks, terms);
  const names = chunks.flatMap(({ name }) => (name === undefined ? [] : terms.all(name)));
  const people = new Set([...names, ...terms.all('user users assistant')]);
  const subjectsOf = (text: string) => subjectTerms(text, terms, people);

  return {
    terms: new Set([...messages.values()].flatMap((message) => [...message.terms])),
    subjectTerms: subjectsOf,
    findMessage: ({ message: number, text }) =>
      messages.get(number - 1) ??
      bestMatch([...messages.values()], subjectsOf(text), (message) => message.terms),
    quoteFor: (text, message) => {
      const sentences = message
        .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
        .filter((sentence) => sentence.trim());
      const best = bestMatch(sentences, subjectsOf(text), (one) => new Set(terms.all(one))) ?? '';
      const words = best.trim().slice(0, quoteMaxChars).toWellFormed();
      return words === text ? null : words;
    },
  };
}

type TranscriptInput = { chunks: readonly MessageChunk[]; terms: TermAnalyzer };

/** The chunks of a message are one entry. */
function indexMessages(chunks: readonly MessageChunk[], terms: TermAnalyzer) {
  const messages = new Map<number, TranscriptMessage>();
  for (const piece of chunks) {
    const before = messages.get(piece.message);
    const text = before === undefined ? piece.text : `${before.text} ${piece.text}`;
    messages.set(piece.message, { piece, text, terms: new Set(terms.all(text)) });
  }
  return messages;
}

/** The first of the items that share most terms with the subjects; null without items. */
function bestMatch<T>(
  items: readonly T[],
  subjects: readonly string[],
  termsOf: (item: T) => ReadonlySet<string>,
): T | null {
  let best: { item: T; count: number } | null = null;
  for (const item of items) {
    const terms = termsOf(item);
    const count = subjects.filter((term) => terms.has(term)).length;
    if (best === null || count > best.count) best = { item, count };
  }
  return best === null ? null : best.item;
}

const quoteMaxChars = 500;
