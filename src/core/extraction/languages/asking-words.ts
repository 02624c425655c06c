/** How a language asks for something to be done now, and sets up what is not so. */
export type AskingWords = {
  /** A clause that asks for work on something, which is over when it is done. */
  task: RegExp;
  /** Words of what is to hold for good: "always answer in French" is remembered. */
  lasting: RegExp;
  /** How a sentence begins, up to its colon, that gives what somebody else says or wrote. */
  quoting: RegExp;
  /** How a sentence begins that only supposes something: "suppose I lived in Rome". */
  supposing: RegExp;
  /** The user gives both sides a part to play; what they say after it is not about themselves. */
  play: RegExp;
  /**
   * "If I lived in Rome, I'd walk more": the condition that begins a sentence, the consequence, and
   * words that introduce a fact after it: "..., but I live in Bonn". Null where it is not told.
   */
  conditional: Record<ConditionalPart, RegExp> | null;
};

type ConditionalPart = 'condition' | 'consequence' | 'fact';

/** Sources of patterns, in languages that write words apart. */
type AskingSources = {
  /** Words that may stand before the verb of a task. */
  polite: string;
  tasks: readonly string[];
  lasting: string;
  quoting: string;
  supposing: string;
  play: string;
  conditional: Record<ConditionalPart, string>;
};

export function askingWords(words: AskingSources): AskingWords {
  const { polite, tasks, lasting, quoting, supposing, play, conditional } = words;
  const start = `^[\\s¿¡"“„«(]{0,3}(?:(?:${polite})[,:]? ){0,3}`;
  const anyWord = (source: string) =>
    new RegExp(`(?<!\\p{L})(?:${source})(?![\\p{L}\\p{M}])`, 'iu');
  return {
    task: new RegExp(`${start}(?:${tasks.join('|')})(?:(?<=["'’“‘„«])|(?![\\p{L}\\p{M}]))`, 'iu'),
    lasting: anyWord(lasting),
    quoting: new RegExp(`^[^:]{0,80}?(?:${quoting})[^:]{0,40}: `, 'iu'),
    supposing: new RegExp(`${start}(?:${supposing})`, 'iu'),
    play: anyWord(play),
    conditional: {
      condition: new RegExp(
        `^(?:(?:well|so|haha|lol|ach|ah|oh),? )?${conditional.condition}(?!\\p{L})`,
        'iu',
      ),
      consequence: anyWord(conditional.consequence),
      fact: anyWord(conditional.fact),
    },
  };
}
