import { irregularForms } from '../../language/irregular-forms.ts';

/** The two sides of a conversation with an assistant. */
export type AskedRole = 'user' | 'assistant';

/**
 * Tells which side a question is about when it names nobody: "what did you recommend" asks for what
 * the assistant said before, and anything else for what the user said. A request for new words,
 * such as "can you recommend" or "what would you have said", also asks for what the user said.
 */
export function detectAskedRole(query: string): AskedRole {
  const text = query.replaceAll('’', "'");
  return assistantSaid.some((pattern) => pattern.test(text)) ? 'assistant' : 'user';
}

/** Verbs for what an assistant does with words. */
const speechVerbs = (
  'advise answer calculate cite claim compare compose compute create define describe draft ' +
  'estimate explain generate give list mention name note offer outline promise propose provide ' +
  'quote recommend reply say share show state suggest summarise summarize tell translate write'
).split(' ');

function pastForms(verb: string): string[] {
  const irregular = [...irregularForms].flatMap(([form, word]) => (word === verb ? [form] : []));
  if (irregular.length > 0) return irregular;
  return [verb.replace(/y$/, 'i').replace(/e?$/, 'ed')];
}

const base = `(?:${speechVerbs.join('|')})\\b`;
const past = `(?:${speechVerbs.flatMap(pastForms).join('|')}|showed)\\b`;
const assistant = '(?:you|the (?:ai |chat)?(?:assistant|bot))\\b';
/** What may stand before the verb: "already", "also", "last time". */
const adverb = '(?: (?!(?:would|could|should|might)\\b)\\w+){0,2}?';

/** Nouns for an assistant's advice. */
const advice =
  '(?:advice|answer|explanation|idea|list|proposal|recommendation|reply|response|suggestion|' +
  'summar(?:y|ie)|tip)s?\\b';
const earlier =
  '(?:earlier|early|first|former|initial|last|latest|original|previous|prior|recent|second|third)';

const assistantSaid: readonly RegExp[] = [
  // "What did you say", "what'd you say", "didn't you tell me".
  `(?:\\bdid(?:n'?t)?|\\b(?:what|who|which|where|when|why|how)'d) ${assistant}${adverb} ${base}`,
  // "Had you told me", "haven't you suggested".
  `\\b(?:had|have|has)(?:n'?t)? ${assistant}${adverb} ${past}`,
  // "You told me", "you'd recommended", "you have already said"; not "would you have said".
  `(?<!\\b(?:can|could|would|should|might|may|will|must)(?:n'?t)? )\\b${assistant}` +
    `(?:'d|'ve| had| have| has)?${adverb} ${past}`,
  `\\b(?:were|was)(?:n'?t)? ${assistant} (?:saying|telling|suggesting|recommending)\\b`,
  `\\byour ${earlier} (?:\\w+ )?${advice}`,
  `\\b(?:was|were) your (?:\\w+ ){0,2}${advice}`,
  `\\bremind me (?:of|about) your (?:\\w+ ){0,2}${advice}`,
  `\\byour ${advice}(?: \\w+){0,4} (?:ago|before|earlier|last|previously|yesterday)\\b`,
].map((source) => new RegExp(source, 'i'));
