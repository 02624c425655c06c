/** The two sides of a conversation with an assistant. */
export type Side = 'user' | 'assistant';

/**
 * Whose words a question is about when it names nobody: "what did you recommend" asks for the
 * assistant's, anything else for what the user told.
 */
export function sideAsked(query: string): Side {
  return youSaid.test(query) ? 'assistant' : 'user';
}

const saying =
  '(?:say|said|tell|told|give|gave|recommend(?:ed)?|suggest(?:ed)?|advised?|explain(?:ed)?|' +
  'mention(?:ed)?|proposed?|provided?|outlined?|shared?)';
const youSaid = new RegExp(
  `\\b(?:did|had|have|were) you\\b|\\byou ${saying}\\b|` +
    '\\byour (?:recommendation|suggestion|advice|answer|response|explanation)s?\\b',
  'i',
);
