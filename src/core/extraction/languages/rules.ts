import type { MemoryType } from '../../../contract/schemas/memory.ts';

/** The rules of one language. Patterns match one sentence. */
export type LanguageRules = {
  /** Frequent words, which identify the language of a text. */
  words: string;
  /** Greetings and thanks, removed from the beginning if something follows. */
  opening: RegExp;
  /** Fillers such as "so" and "btw", removed wherever they occur. */
  joint?: RegExp;
  /** Whole sentences with nothing to remember. */
  smallTalk: RegExp;
  /** Questions without a question mark; null if the language always uses one. */
  question: RegExp | null;
  /** Things to do now. */
  request: RegExp;
  /** "Please remember that": what follows is a fact, whatever its form. */
  reminder: RegExp;
  /** The first match is the type; without one, it is a fact. */
  types: readonly (readonly [MemoryType, RegExp])[];
  slots: readonly SlotRule[];
  /** Only sentences that match this are parsed for dates. */
  dated: RegExp;
  /** Verbs in the past and future, which decide what "on Friday" means. */
  past: RegExp;
  future: RegExp;
};

/**
 * A sentence that states something of which there is one at a time. Groups of the pattern: `who` is
 * the subject (by default the speaker), `topic` is part of the slot's name, `ended` says that it is
 * over.
 */
export type SlotRule = { slot: string; pattern: RegExp };

/** Alternatives in a non-capturing group. */
export function anyOf(...alternatives: readonly string[]): string {
  return `(?:${alternatives.join('|')})`;
}

/** A sentence that is one of these and nothing else, apart from punctuation. */
export function wholeSentence(...alternatives: readonly string[]): RegExp {
  const mark = '[\\s,.!~…:;)(‘’“”"\'。！、，〜～\\p{Extended_Pictographic}\\uFE0F]*';
  return new RegExp(`^${mark}(?:${anyOf(...alternatives)}${mark})+$`, 'iu');
}

/** A sentence that begins with one of these as a whole word. */
export function sentenceStart(...alternatives: readonly string[]): RegExp {
  return new RegExp(`^[¿¡\\s]*${anyOf(...alternatives)}(?![\\p{L}\\p{M}])`, 'iu');
}

/** One of these words, anywhere. */
export function anyWord(...alternatives: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])${anyOf(...alternatives)}(?![\\p{L}\\p{M}])`, 'iu');
}

/** One of these, anywhere, in scripts without spaces. */
export function anyText(...alternatives: readonly string[]): RegExp {
  return new RegExp(anyOf(...alternatives), 'u');
}

/** Greetings before a sentence: each ends with punctuation, and words follow. */
export function leadingPhrases(...alternatives: readonly string[]): RegExp {
  const words = anyOf(...alternatives);
  return new RegExp(`^(?:[¡\\s]*${words}\\s*[,.!:;–—-]+\\s*)+(?=\\S+\\s+\\S)`, 'iu');
}
