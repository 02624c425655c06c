import type { ModelDecision } from './decisions-answer.ts';
import { subjectTerms, type TermAnalyzer } from './evidence.ts';
import type { MessageChunk } from './extraction-prompt.ts';

type TranscriptMessage = { piece: MessageChunk; text: string; terms: ReadonlySet<string> };

/** The terms of a conversation, by message and in total. */
export function createTranscriptIndex({
  chunks,
  terms,
}: {
  chunks: readonly MessageChunk[];
  terms: TermAnalyzer;
}) {
  const sources = new Map<number, TranscriptMessage>();
  for (const piece of chunks) {
    const before = sources.get(piece.message);
    const text = before === undefined ? piece.text : `${before.text} ${piece.text}`;
    sources.set(piece.message, { piece, text, terms: new Set(terms.all(text)) });
  }
  const names = chunks.flatMap(({ name }) => (name === undefined ? [] : terms.all(name)));
  const people = new Set([...names, ...terms.all('user users assistant')]);
  const about = (text: string) => subjectTerms(text, terms, people);
  const all = new Set([...sources.values()].flatMap((source) => [...source.terms]));

  return {
    all,
    subjectsOf: about,
    /** The message that a decision names; if that is wrong, the one that supports it most. */
    sourceOf: ({ message, text }: ModelDecision): TranscriptMessage | null => {
      const exact = sources.get(message - 1);
      if (exact !== undefined) return exact;
      const subjects = about(text);
      const countIn = (source: TranscriptMessage) =>
        subjects.filter((term) => source.terms.has(term)).length;
      return [...sources.values()].reduce<TranscriptMessage | null>(
        (best, source) => (best === null || countIn(source) > countIn(best) ? source : best),
        null,
      );
    },
    /** The original words that a text was made from; null if they equal the text. */
    wordsFor: (text: string, message: string): string | null => {
      const subjects = about(text);
      const sentences = message
        .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/)
        .filter((one) => one.trim());
      const countIn = (sentence: string) => {
        const found = new Set(terms.all(sentence));
        return subjects.filter((term) => found.has(term)).length;
      };
      const best = sentences.reduce(
        (found, sentence) => (countIn(sentence) > countIn(found) ? sentence : found),
        sentences[0] ?? '',
      );
      const words = best.trim().slice(0, quoteMaxChars).toWellFormed();
      return words === text ? null : words;
    },
  };
}

const quoteMaxChars = 500;
