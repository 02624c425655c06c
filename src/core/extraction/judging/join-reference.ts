import { hasRoom } from '../sentences.ts';
import { defaultSpeaker } from '../speakers.ts';

type JoinableStatement = {
  text: string;
  said: string | null;
  message: number;
  speaker: string;
  kind: string;
  slot: object | null;
  isDated: boolean;
  isReadAlone: boolean;
};

/**
 * "She is 31" stays with what was said of her in the message before; null for a statement that says
 * itself who or what it is about.
 */
export function joinReference<Statement extends JoinableStatement>(
  last: Statement,
  one: Statement,
): Statement | null {
  const words = one.said ?? one.text;
  const isNear = one.message > last.message && one.message <= last.message + nearMessages;
  const isPlain = last.kind === 'statement' && one.kind === 'statement' && one.slot === null;
  if (!isNear || !isPlain || one.speaker !== defaultSpeaker) return null;
  if (one.isReadAlone || !hasRoom(one.text, [last.text])) return null;
  const isRewritten = last.said !== null || one.said !== null;
  return {
    ...last,
    text: `${last.text} ${one.text}`,
    said: isRewritten ? `${last.said ?? last.text} ${words}` : null,
    isDated: last.isDated || one.isDated,
  };
}

/** The assistant's answer stands between two messages of a user. */
const nearMessages = 2;
