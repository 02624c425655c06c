import type { MemoryType } from '../../../contract/schemas/memory.ts';

/** What the rules know of one language. Patterns look at one sentence. */
export type LanguageRules = {
  /** Frequent words, by which a text is known to be of this language. */
  words: string;
  /** Greetings and thanks, cut off at the beginning where something follows. */
  opening: RegExp;
  /** Words that only join a sentence to the talk ("so", "btw"), cut off wherever they stand. */
  joint?: RegExp;
  /** Sentences that say nothing to remember, as a whole. */
  smallTalk: RegExp;
  /** Questions without their mark; null where the mark is never left out. */
  question: RegExp | null;
  /** Things to do now. */
  request: RegExp;
  /** "Please remember that": what follows is a fact, whatever it looks like. */
  reminder: RegExp;
  /** The first that fits is the type; else it is a fact. */
  types: readonly (readonly [MemoryType, RegExp])[];
  slots: readonly SlotRule[];
  /** What a sentence with a date in it holds: only such are read for dates. */
  dated: RegExp;
  /** Verbs about what is over or to come, which decide what "on Friday" means. */
  past: RegExp;
  future: RegExp;
};

/**
 * A sentence that tells something of which there is one at a time. Groups of the pattern: `who` is
 * told of (else who speaks), `topic` is part of the slot's name, `ended` says that it is over.
 */
export type SlotRule = { slot: string; pattern: RegExp };

/** Alternatives in a group that is not captured. */
export function anyOf(...alternatives: readonly string[]): string {
  return `(?:${alternatives.join('|')})`;
}

/** A sentence that is one of these and no more, but for marks. */
export function wholeSentence(...alternatives: readonly string[]): RegExp {
  const mark = '[\\s,.!~…:;)(‘’“”"\'。！、，〜～\\p{Extended_Pictographic}\\uFE0F]*';
  return new RegExp(`^${mark}(?:${anyOf(...alternatives)}${mark})+$`, 'iu');
}

/** A sentence that begins with one of these; a letter behind it would make another word. */
export function sentenceStart(...alternatives: readonly string[]): RegExp {
  return new RegExp(`^[¿¡\\s]*${anyOf(...alternatives)}(?![\\p{L}\\p{M}])`, 'iu');
}

/** One of these words, anywhere. */
export function anyWord(...alternatives: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])${anyOf(...alternatives)}(?![\\p{L}\\p{M}])`, 'iu');
}

/** One of these, anywhere, in scripts that are written without spaces. */
export function anyText(...alternatives: readonly string[]): RegExp {
  return new RegExp(anyOf(...alternatives), 'u');
}

/** Greetings before a sentence: each ends with punctuation, and words follow. */
export function leadingPhrases(...alternatives: readonly string[]): RegExp {
  const words = anyOf(...alternatives);
  return new RegExp(`^(?:[¡\\s]*${words}\\s*[,.!:;–—-]+\\s*)+(?=\\S+\\s+\\S)`, 'iu');
}
