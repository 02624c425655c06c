/** The two sides of a conversation with an assistant. */
export type AskedRole = 'user' | 'assistant';

/**
 * Whose words a question is about when it names nobody: "what did you recommend" asks for the
 * assistant's, anything else for what the user told.
 */
export function detectAskedRole(query: string): AskedRole {
  return assistantSaid.test(query) ? 'assistant' : 'user';
}

const sayingVerbs =
  '(?:say|said|tell|told|give|gave|recommend(?:ed)?|suggest(?:ed)?|advised?|explain(?:ed)?|' +
  'mention(?:ed)?|proposed?|provided?|outlined?|shared?)';
const assistantSaid = new RegExp(
  `\\b(?:did|had|have|were) you\\b|\\byou ${sayingVerbs}\\b|` +
    '\\byour (?:recommendation|suggestion|advice|answer|response|explanation)s?\\b',
  'i',
);
