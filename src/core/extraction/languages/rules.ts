import type { MemoryType } from '../../../contract/schemas/memory.ts';
import type { Language } from '../../language/languages.ts';
import type { AskingWords } from './asking-words.ts';
import type { CalendarWords } from './calendar-words.ts';
import type { CorrectionWords } from './correction-words.ts';
import type { CategoryWords } from './default-categories.ts';
import type { ForgettingWords } from './forgetting-words.ts';
import type { UnrecordedWords } from './unrecorded-words.ts';

/** The rules of one language. Patterns match one sentence. */
export type LanguageRules = {
  /** Its name where words are stemmed; null if they are not. */
  language: Language | null;
  /** Characters that tell the language, if it is not in Latin script; the first match counts. */
  script?: RegExp;
  /** Frequent words, which identify the language of a text in Latin script. */
  words: string;
  /** Letters that only one or two of the languages use. */
  letters?: RegExp;
  /** Whether it is written without spaces between words. */
  isSpaceless?: true;
  /** Greetings and thanks, removed from the beginning if something follows. */
  opening: RegExp;
  /** Fillers such as "so" and "btw", removed wherever they occur. */
  joint?: RegExp;
  /** Whole sentences with nothing to remember. */
  smallTalk: SentenceTest;
  /** Facts of a word or two, where nothing was asked. */
  terse?: (sentence: string) => boolean;
  /** Questions without a question mark; null if the language always uses one. */
  question: RegExp | null;
  asking: AskingWords;
  unrecorded: UnrecordedWords;
  /** Things to do now. */
  request: RegExp;
  /** "Please remember that": what follows is a fact, whatever its form. */
  reminder: RegExp;
  /** The end of a reminder, after its fact. */
  reminderEnd?: RegExp;
  /** The first match is the type; without one, it is a fact. */
  types: readonly (readonly [MemoryType, RegExp])[];
  sentences: SentenceWords;
  slots: readonly SlotRule[];
  clauses: ClauseRules;
  categories: CategoryWords;
  /** Beginnings of words which say that something ended or changed; a space ends a word. */
  changes: string;
  /** Words with which one value takes the place of another. */
  newValue: RegExp;
  /** Words of what is true beside something else, at times or perhaps, or was once. */
  beside: RegExp;
  calendar: CalendarWords;
  corrections: CorrectionWords;
  /** Only sentences that match this are parsed for dates. */
  dated: RegExp;
  /** Verbs in the past and future, which decide what "on Friday" means. */
  past: RegExp;
  future: RegExp;
  /** Words that say when something is true. */
  validity: ValidityRules;
  dates: DateRules;
  forgetting: ForgettingWords;
};

/** Words by which a sentence says who or what it is about; sources of patterns. */
export type SentenceWords = {
  /** For the speaker, and for what is theirs. */
  speaker: string;
  /** Words that may stand before the first word that counts. */
  joints?: string;
  /** A sentence falls into clauses before these; empty where only punctuation tells. */
  conjunctions: string;
  /** Other words that may stand before a clause that counts. */
  leading?: string;
  /** Words with which a clause says more of what was named last. */
  relatives: string;
  /** At the beginning of a sentence, for somebody or something that was named before it. */
  people: string;
  things: string;
  /** A sentence that need not say who is meant: "they moved my driving test". */
  anybody?: RegExp;
  /** How such a word points at what stands beside it: "that bakery". */
  pointing?: RegExp;
  /** A sentence that begins with what somebody does: "Loves whisky", behind "My dad's a pilot". */
  goesOn?: RegExp;
  /** How else a sentence shows that it speaks of something that it does not name. */
  unnamed: readonly RegExp[];
  /** Short forms that end with a dot. */
  abbreviations?: string;
  /** Before a date such as "12.05.", whose dot ends no sentence. */
  ordinalAfter?: string;
  /** Words that join parts of a sentence, in all languages of the rules. */
  joining: string;
  /** Possessives before a person: "his sister Ana". */
  possessives: string;
  /** Before what somebody works as, and before where; or how both are told together. */
  role?: string;
  places?: string;
  rolePlace?: string;
  /** Requests to work on a text. */
  textTasks: string;
};

/** How clauses are joined of which each is a statement of its own. */
export type ClauseRules = {
  /** The subject at the start of a sentence; a clause without one takes it over. */
  subject: RegExp;
  /** A subject that loses its last letter before a vowel, from the start; group `letters` stays. */
  elided?: RegExp;
  /** The words and marks between two clauses. */
  joint: RegExp;
  /** A clause that lacks what another one says: "my son is". */
  elliptic?: RegExp;
  /** How a clause begins that has a subject of its own and a verb. */
  own: RegExp;
  /** How a clause begins whose subject is that of the first; null if none can be told. */
  verb: RegExp | null;
  /** Words that join things or clauses, and those with which something is said by the way. */
  joiners: string;
  /** After these words nothing is stated for certain: "if", "I hope". */
  unsure: RegExp;
  /** A word that also governs a second verb: "can", "not", "used to". */
  governing: RegExp;
  /** Words for what was named before: a clause with one is not read alone. */
  reference: RegExp;
  /** What a speaker says of an age, `#`, who gave a name before it: "I'm Nora, 41". */
  age: string;
  /** A list of people with their ages; each is of the kind that the head names. */
  relatives?: (sentence: string) => string[] | null;
};

export type DateRules = {
  /** Words for planned events, which are in the future even if the verb is in the past. */
  arranged: RegExp;
  /** A verb of the present or future before a date: in past words, something that lies ahead. */
  ahead?: RegExp;
  /** An appointment with its day, called off: told in the past, though that day may be to come. */
  calledOff: RegExp;
  /** A day that is not the one, or no longer, before the one that is. */
  superseded: RegExp;
  /** Words for extensions: the event lasts until the day to which it is extended. */
  extended: RegExp;
  /** Words for yearly events, which are not a single date. */
  yearly: RegExp;
  /**
   * A weekday before a day of a month, with what leads to it (group `lead`) or stands between them,
   * and the words for all of that if nothing leads to it.
   */
  weekdayBefore: RegExp;
  on: string;
  /** A weekday after a day of a month; group `date` is the day. */
  weekdayAfter: RegExp;
  /** Between a day and the hour, where both together read like a range: "el 5 a las 8". */
  beforeHour?: RegExp;
  /** Something is moved to another day; group `date` begins with that day or what leads to it. */
  moved: RegExp;
};

/**
 * What leads to the date since which something is true, from which on it is, or until which; and a
 * range with both. Groups: `date`; of a range `from` and `until`.
 */
type ValidityRules = { since: RegExp; starting: RegExp; until: RegExp; range: RegExp };

/** The rules of a language for dates. */
export type DatingRules = Pick<LanguageRules, 'calendar' | 'dated' | 'validity' | 'dates'>;

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

/** Tells whether a sentence is of a kind, in time in proportion to its length. */
export type SentenceTest = Pick<RegExp, 'test'>;

/**
 * A sentence that is one or more of these and nothing else, apart from punctuation between them.
 * One pattern for all of it would try every way to divide "hahahaha".
 */
export function wholeSentence(...alternatives: readonly string[]): SentenceTest {
  const start = new RegExp(anyOf(...alternatives), 'iuy');
  const phrase = new RegExp(`^${anyOf(...alternatives)}$`, 'iu');
  const endsAfter = (sentence: string, from: number): number[] => {
    start.lastIndex = from;
    if (!start.test(sentence)) return [];
    const length = Math.min(sentence.length - from, phraseMaxChars);
    const ends = Array.from({ length }, (_, index) => from + index + 1);
    return ends
      .filter((end) => isPhraseEnd(sentence, end))
      .filter((end) => phrase.test(sentence.slice(from, end)))
      .map((end) => skipMarks(sentence, end));
  };
  return {
    test: (sentence) => {
      if (sentence.length > sequenceMaxChars) return false;
      const reached = new Set([skipMarks(sentence, 0)]);
      // A set hands out what is added meanwhile, too.
      for (const from of reached) for (const end of endsAfter(sentence, from)) reached.add(end);
      return reached.size > 1 && reached.has(sentence.length);
    },
  };
}

/** Nobody says pleasantries at length. */
const phraseMaxChars = 60;
const sequenceMaxChars = 300;

const marks = /(?:[\s,.!~…:;)(‘’“”"'。！、，〜～\p{Extended_Pictographic}]|\uFE0F)*/uy;

function skipMarks(sentence: string, from: number): number {
  marks.lastIndex = from;
  marks.test(sentence);
  return marks.lastIndex;
}

/** Where a word ends; in scripts without spaces, anywhere. */
function isPhraseEnd(sentence: string, end: number): boolean {
  const [before, after] = [sentence.charAt(end - 1), sentence.charAt(end)];
  return !/[\p{L}\p{M}\p{N}]/u.test(after) || /[\u3040-\u30ff\u3400-\u9fff]/u.test(before);
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
  return new RegExp(`^[¡\\s]*(?:${words}\\s*[,.!:;–—-]+[¡\\s]*)+(?=\\S{1,100}\\s+\\S)`, 'iu');
}
