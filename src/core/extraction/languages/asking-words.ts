/** How a language asks for something to be done now, and sets up what is not so. */
export type AskingWords = {
  /** A clause that asks for work on something, which is over when it is done. */
  task: RegExp;
  /** Words of what is to hold for good: "always answer in French" is remembered. */
  lasting: RegExp;
  /** How a sentence begins that only supposes something: "suppose I lived in Rome". */
  supposing: RegExp;
  /** The user gives both sides a part to play; what they say after it is not about themselves. */
  play: RegExp;
};

/** Sources of patterns, in languages that write words apart. */
type AskingSources = {
  /** What may stand before the verb of a task. */
  polite: string;
  tasks: readonly string[];
  lasting: string;
  supposing: string;
  play: string;
};

export function askingWords(words: AskingSources): AskingWords {
  const { polite, tasks, lasting, supposing, play } = words;
  const start = `^[\\s¿¡"“„«(]{0,3}(?:(?:${polite})[,:]? ){0,3}`;
  return {
    task: new RegExp(`${start}(?:${tasks.join('|')})(?:(?<=["'’“‘„«])|(?![\\p{L}\\p{M}]))`, 'iu'),
    lasting: new RegExp(`(?<!\\p{L})(?:${lasting})(?!\\p{L})`, 'iu'),
    supposing: new RegExp(`${start}(?:${supposing})`, 'iu'),
    play: new RegExp(`(?<!\\p{L})(?:${play})(?![\\p{L}\\p{M}])`, 'iu'),
  };
}
