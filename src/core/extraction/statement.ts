import type { MemoryType } from '../../contract/schemas/memory.ts';
import type { ForgetRequest } from './classify-sentences.ts';
import type { Tense } from './dates/tense.ts';
import type { RuleLanguage } from './languages/all-languages.ts';
import type { FilledSlot } from './slots.ts';

/** A statement of a speaker, and what the rules find in it. */
export type ExtractedStatement = {
  text: string;
  message: number;
  /** The original words, if `text` differs. */
  said: string | null;
  /**
   * In a conversation of several people: the words with their surroundings, for search. Of a
   * request to forget: the message that it stands in.
   */
  around: string | null;
  /** The speaker, as memories name them. */
  speaker: string;
  type: MemoryType;
  slot: FilledSlot | null;
  language: RuleLanguage;
  isDated: boolean;
  tense: Tense;
  /** Whether it says who or what it is about. */
  isReadAlone: boolean;
  /**
   * A `question` between people, or JSON, is remembered, but changes no memory; a request to
   * `forget` is not remembered, and if it is not sure that it is one, nothing is forgotten either.
   */
  kind: 'statement' | 'question' | ForgetRequest;
};
