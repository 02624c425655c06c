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
 * "She is 31" stays with what was said of her in the message before; null if the two do not belong
 * together, or have no room in one memory.
 */
export function joinReference<Statement extends JoinableStatement>(
  earlier: Statement,
  reference: Statement,
): Statement | null {
  const isNear =
    reference.message > earlier.message && reference.message <= earlier.message + nearMessages;
  const isPlain =
    earlier.kind === 'statement' && reference.kind === 'statement' && reference.slot === null;
  if (!isNear || !isPlain || reference.speaker !== defaultSpeaker) return null;
  if (reference.isReadAlone || !hasRoom(reference.text, [earlier.text])) return null;
  const isRewritten = earlier.said !== null || reference.said !== null;
  return {
    ...earlier,
    text: `${earlier.text} ${reference.text}`,
    said: isRewritten
      ? `${earlier.said ?? earlier.text} ${reference.said ?? reference.text}`
      : null,
    isDated: earlier.isDated || reference.isDated,
  };
}

/** The assistant's answer stands between two messages of a user. */
const nearMessages = 2;
