import { limits } from '../../contract/limits.ts';
import type { Message } from '../../contract/schemas/message.ts';
import { refersBack } from '../search/query/clauses.ts';
import { endOf, questionIn } from './question-in.ts';

/**
 * What the end of a conversation asks: the last turn of the user. One that refers to what was said
 * before ("And her husband?") is read together with the turns of the user before it, up to one that
 * does not. Null where no turn of the user holds text.
 */
export function questionOf(messages: readonly Message[]): string | null {
  const userTurns = messages.filter(
    ({ role, content }) => role === 'user' && content.trim() !== '',
  );
  let question = '';
  for (const { content } of userTurns.slice(-turnsMax).reverse()) {
    const text = questionIn(content).trim();
    // One question: the marks at its end would make several of it.
    question = question === '' ? text : `${text.replace(/[?!.？！。;\s]{1,9}$/u, '')} ${question}`;
    if (!refersBack(text)) break;
  }
  return question === '' ? null : endOf(question, limits.query_max_chars);
}

const turnsMax = 4;
