import type { Message } from '../../../contract/schemas/message.ts';
import { allRules } from '../languages/all-languages.ts';

/** Whether a sentence is only hypothetical. */
export function isHypothetical(sentence: string): boolean {
  if (allRules.some(({ asking }) => asking.supposing.test(sentence))) return true;
  return allRules.some(({ asking: { conditional } }) => {
    const match = conditional?.condition.exec(sentence);
    if (!conditional || !match) return false;
    const rest = sentence.slice(match[0].length);
    return conditional.consequence.test(rest) && !conditional.fact.test(rest);
  });
}

/** The number of the message from which on the user plays a part; infinite if there is none. */
export function startOfPlay(messages: readonly Message[]): number {
  const index = messages.findIndex(({ role, content }) => {
    return role === 'user' && allRules.some(({ asking }) => asking.play.test(content));
  });
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}
