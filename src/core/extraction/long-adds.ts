import type { Message } from '../../contract/schemas/message.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import { firstPart, textParts } from '../language/parts-by-length.ts';
import type { Decision } from '../ports/index.ts';
import { mayStateFacts } from './speakers.ts';

/** What rules read of an add, and what is kept of the rest, word for word. */
type SplitAdd = { read: Message[]; rest: Decision[] };

/**
 * Rules read the beginning of an add that is longer than a conversation. Nothing of the rest is
 * lost: what people said there is kept in passages. What states no facts takes no room: it shows
 * what is answered, with its end.
 */
export function splitLongAdd(messages: readonly Message[]): SplitAdd {
  const rest: Decision[] = [];
  let charsLeft = readMaxChars;
  const read = messages.map((message, number): Message => {
    const { content } = message;
    if (!mayStateFacts(message))
      return { ...message, content: content.slice(Math.max(0, content.length - charsLeft)) };
    if (content.length <= charsLeft) {
      charsLeft -= content.length;
      return message;
    }
    const begin = charsLeft === 0 ? '' : firstPart(content, charsLeft);
    charsLeft = 0;
    rest.push(...passagesOf(content.slice(begin.length), number));
    return { ...message, content: begin };
  });
  return { read, rest };
}

function passagesOf(text: string, message: number): Decision[] {
  const passages = textParts(text, passageMaxChars).map((part) => part.trim());
  return passages
    .filter((passage) => passage !== '')
    .map((passage) => ({ ...passageFields, text: passage, message }));
}

const passageFields: StrictOmit<Decision, 'text' | 'message'> = {
  event: 'ADD',
  target: null,
  reason: null,
  type: null,
  slot: null,
  occurred: null,
  said: null,
};

/** Nearly an hour of talk. What it states is stored within some seconds of processor time. */
const readMaxChars = 40_000;

/** A search reads a memory in parts of 250 characters, so that a passage may hold several facts. */
const passageMaxChars = 2000;

/** What an event says of an add that was read in part. */
export const longAddNotice =
  `rules read the first ${readMaxChars} characters of an add; ` +
  'the rest is kept word for word: send it as several adds to have its facts extracted';
