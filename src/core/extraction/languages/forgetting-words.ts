/** The words of a language in requests to forget, and for the people in them. */
export type ForgettingWords = {
  asks: AskingPatterns;
  /** The source of a pattern: people and pets, of whom a memory may speak. */
  kin: string;
  /** Sources of patterns: between such a one and their name, and between a name and what one is. */
  naming: { called: string; is: string };
  /** The source of a pattern: how notes name the user. */
  user: string;
  /** Null where no spaces tell words apart. */
  words: ForgettingLists | null;
  signs: ForgettingSigns | null;
};

/** Patterns of certain requests, which need no model. */
export type AskingPatterns = {
  forget: RegExp;
  /** "Delete the second paragraph" is a task, unless `remembered` says what was told. */
  delete: RegExp;
  remembered: RegExp;
  /** "Don't forget", "forget it", and "I want to forget", which asks nobody. */
  never: RegExp;
  /** "Never delete Anna", "all but Anna", "forget Anna?": it may ask to keep what it names. */
  sparing: RegExp;
  /** "I'd rather you didn't keep my weight"; its group is what is not to be kept. */
  keepNot: RegExp;
  /** "..., you can forget that": its end, which only points at what stands before. */
  pointing: RegExp;
};

/** Words, apart by spaces. */
export type ForgettingLists = {
  /** Verbs for changes of a memory. If one begins a sentence, its object follows. */
  verbs: string;
  /** Words of mere category beside them: that it is a note, or that it was told. */
  nouns: string;
  /** How people are polite, and address whom they ask. */
  polite: string;
  /** Further words with which requests are put that do not begin with such a verb. */
  free: string;
  /** The conjunction before a clause: "that". */
  that: string;
  /** Words before nouns, but rarely before names. */
  determiners: string;
  /** Words after a complete subject: in "weight goal is", the subject is a goal. */
  joinedBefore?: string;
  /** Parts that an apostrophe joins to a word: "l" of "l'espagnol". */
  elided?: string;
  /** Whether nouns begin with a capital letter as names do. */
  capitalizesNouns?: true;
  /** Whether the verb of a clause comes last; the user is then the first word, which this is. */
  verbLastAfter?: string;
  /** A form of a word that its stem does not cover. */
  otherForm?: (word: string) => string;
  /** Words that ask for everything about something: each memory of it is meant. */
  all: string;
  /**
   * Words for what kind of thing a memory says, by the slot that it then fills: of "forget my job"
   * a memory needs no "job" where rules know that it says what the user works as.
   */
  kinds: Partial<Record<ForgettingKind, string>>;
};

export type ForgettingKind = 'job' | 'lives_in' | 'age' | 'name' | 'diet' | 'allergic_to';

/** Patterns of a script without spaces. */
export type ForgettingSigns = {
  /** The words of the request before and after its object. */
  before: RegExp;
  after: RegExp;
  /** The text between the words that describe the object. */
  between: RegExp;
  all: RegExp;
  /** Verbs without their endings; null where none change. Of the rest, `endings` tell nothing. */
  stems: RegExp | null;
  endings: string;
  /** How a memory begins that is of the user. */
  ofUser: RegExp;
  /** The user where something is done to them. */
  toUser: RegExp;
  /** Words of having, before or after a thing. */
  has: RegExp;
  had: RegExp;
  /** After a thing of which only something else is said: that it is feared. */
  attitude: RegExp;
};

/** In languages that write words apart; `leads` may come before the verbs. */
export function askingPatterns(words: {
  leads: string;
  forget: string;
  delete: string;
  remembered: string;
  never: string;
  sparing: string;
  /** Requests not to keep something of the user, with one group in each alternative. */
  keepNot: string;
  pointing: string;
}): AskingPatterns {
  const leading = `^[\\s¡¿]*(?:(?:${words.leads}|ok|okay|hey|hi|please|pls)[\\s,]+){0,5}`;
  const start = (verbs: string) => `${leading}(?:${verbs})(?!\\p{L})`;
  // "Delete this: ..." names a memory, whatever kind of thing it is called.
  const labelledDeletion = `(?:${words.delete})(?: \\p{L}{1,20}){0,2} ?:`;
  return {
    forget: new RegExp(`${start(words.forget)}|${leading}${labelledDeletion}`, 'iu'),
    delete: new RegExp(start(words.delete), 'iu'),
    remembered: new RegExp(`(?<!\\p{L})(?:${words.remembered})(?!\\p{L})`, 'iu'),
    never: new RegExp(words.never, 'iu'),
    sparing: new RegExp(words.sparing, 'iu'),
    keepNot: new RegExp(`^(?:${words.keepNot})[.!]{0,3}$`, 'iu'),
    pointing: new RegExp(`[,;:–—-]\\s{1,3}(?:${words.pointing})[.!]{0,3}$`, 'iu'),
  };
}
