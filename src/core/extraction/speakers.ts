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
 * True if the message names its speaker, as in a conversation of several people. Some clients
 * repeat the role as the name, such as `user`, which names nobody.
 */
export function isNamedSpeaker({ role, name }: Message): boolean {
  return name !== undefined && canonicalRole(name) !== role;
}
