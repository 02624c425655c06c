/** How a language asks not to remember what is said. Patterns of a sentence or a part of it. */
export type UnrecordedWords = {
  /** Every such request has one of the first and one of the second: few texts are read closely. */
  hint: RegExp;
  storing: RegExp;
  /** A clause that asks for it: "don't store this". Global. */
  asked: RegExp;
  /** Words in the clause for what follows, for what came before, and for all that was said. */
  next: RegExp;
  back: RegExp;
  all: RegExp;
  /** A clause that asks to forget what was just said: "please forget that". */
  pointed: RegExp;
  /** Words for what was said a moment ago: "what I just told you". */
  just: RegExp;
  /** Words that tell what is so instead: "I'm a principal now". */
  corrected: RegExp;
  /** Words that only tell why: "it's embarrassing". */
  excused: RegExp;
  /** How somebody says that there is something to tell: "I'd like to tell you a secret". */
  announced: RegExp;
  /** A sentence that complains of what was stored: "you should never have stored it". */
  blamed: RegExp;
};

/** Sources of patterns, in languages that write words apart. */
type UnrecordedSources = {
  hint: string;
  storing: string;
  /** What may stand before the request, apart from punctuation. */
  polite: string;
  joints: string;
  asked: readonly string[];
  /** As a request of its own it leads its sentence: "I told him to forget that" asks nobody. */
  pointed: string;
  just: string;
  corrected: string;
  excused: string;
  /** How what is not to be remembered begins, where no mark stands before it: "that I ...". */
  stated: string;
  next: string;
  back: string;
  all: string;
  announced: string;
  blamed: string;
};

export function unrecordedWords(words: UnrecordedSources): UnrecordedWords {
  const { polite, joints, stated } = words;
  const core = `(?:${words.asked.join('|')})`;
  const first = '^[\\s¿¡"“„«(*]{0,3}';
  const lead = `(?:(?:${polite})[,:]? ){0,4}`;
  const start = `(?:${first}|[,;(/–—]\\s{0,2}|[.!?]\\s|\\s-\\s|(?<![\\p{L}\\p{M}])(?:${joints})\\s)`;
  const end = `(?=\\s{0,3}(?:[^\\s\\p{L}\\p{N}]|$)| (?:${stated}|${joints})(?:(?<=['’])|(?![\\p{L}\\p{M}])))`;
  const anyWord = (source: string) =>
    new RegExp(`(?<![\\p{L}\\p{M}])(?:${source})(?![\\p{L}\\p{M}])`, 'iu');
  return {
    hint: new RegExp(words.hint, 'iu'),
    storing: new RegExp(words.storing, 'iu'),
    asked: new RegExp(
      `(?:${start}${lead}${core}|${first}${lead}(?:${words.pointed})(?! \\p{L}|\\s?[:：]))${end}`,
      'giu',
    ),
    pointed: new RegExp(`${first}${lead}(?:${words.pointed})$`, 'iu'),
    just: anyWord(words.just),
    corrected: anyWord(words.corrected),
    excused: anyWord(words.excused),
    next: anyWord(words.next),
    back: anyWord(words.back),
    all: anyWord(words.all),
    announced: anyWord(words.announced),
    blamed: anyWord(words.blamed),
  };
}
