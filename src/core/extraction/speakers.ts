import type { Message } from '../../contract/schemas/message.ts';

/**
 * Users state facts about themselves. An assistant mostly gives advice and repeats, unless it has a
 * name, as one of several people in a conversation.
 */
export function mayStateFacts({ role, name }: Message): boolean {
  return role === 'user' || (role !== 'system' && name !== undefined && name !== role);
}

export function speakerOf({ role, name }: Message): string {
  return name === undefined || name === role ? defaultSpeaker : name;
}

export const defaultSpeaker = 'User';

/**
 * True for a named speaker in a conversation of several people. One turn is mostly about one thing
 * and is found better as one memory, except facts that a newer one may supersede.
 */
export function isNamedSpeaker({ role, name }: Message): boolean {
  return name !== undefined && name !== role;
}
