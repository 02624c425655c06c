import { canonicalRole, isSpeakingRole, type Message } from '../../contract/schemas/message.ts';

/**
 * Users state facts about themselves. An assistant mostly gives advice and repeats, unless it has a
 * name, as one of several people in a conversation. Anybody may have written what tools return and
 * what instructions say, under any name.
 */
export function mayStateFacts(message: Message): boolean {
  const { role } = message;
  return role === 'user' || (isSpeakingRole(role) && isNamedSpeaker(message));
}

export function speakerOf(message: Message): string {
  const { name = defaultSpeaker } = message;
  return isNamedSpeaker(message) ? name : defaultSpeaker;
}

export const defaultSpeaker = 'User';

/**
 * True for a named speaker in a conversation of several people. One turn is mostly about one thing
 * and is found better as one memory, except facts that a newer one may supersede.
 */
export function isNamedSpeaker({ role, name }: Message): boolean {
  return name !== undefined && canonicalRole(name) !== role;
}
