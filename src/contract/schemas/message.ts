import * as z from 'zod';
import { misspeltName } from '../did-you-mean.ts';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';
import { charsAtMost, cleanText, nameText, severalMessages } from './text.ts';

const roles = ['user', 'assistant', 'system', 'tool'] as const;

/** Other words than the usual ones are allowed, but a misspelt `user` would store no facts. */
const Role = nameText(limits.role_max_chars).superRefine((role, ctx) => {
  const meant = roles.some((known) => known === role) ? null : misspeltName(role, roles);
  if (meant === null) return;
  const hint = `did you mean "${meant}"? The usual roles are ${roles.join(', ')}`;
  ctx.addIssue({ code: 'custom', message: `${JSON.stringify(role)} is not a role; ${hint}` });
});

/**
 * One turn of a conversation. `name` is the speaker if several share a role. Multimodal content is
 * one part or an array of parts: text parts are joined, and the others are counted in
 * `skipped_parts`, so that the event can report them.
 */
export const Message = z.preprocess(
  joinTextParts,
  z.object({
    role: Role.describe('user or assistant'),
    content: z
      .string()
      .overwrite(cleanText)
      .check(...charsAtMost(limits.message_max_chars, severalMessages))
      .describe('Text'),
    name: nameText(limits.id_max_chars).optional().describe('Speaker'),
    skipped_parts: z.int().min(0).optional().meta({ internal: true }),
  }),
);
export type Message = z.output<typeof Message>;

/** Turns in order; a single turn or string is read as a list of one. */
export const Messages = z.preprocess((value) => {
  if (typeof value === 'string') return [{ role: 'user', content: value }];
  return isObject(value) ? [value] : value;
}, z.array(Message).min(1, 'must hold at least one message').max(limits.messages_max));

function joinTextParts(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { content } = message;
  // A turn that only calls tools says nothing.
  if (content === null) return { ...message, content: '' };
  if (!isObject(content) && !Array.isArray(content)) return message;
  const texts = (Array.isArray(content) ? content : [content]).map(partText);
  return {
    ...message,
    content: texts.filter((text) => text !== null).join('\n'),
    skipped_parts: texts.filter((text) => text === null).length,
  };
}

function partText(part: unknown): string | null {
  if (typeof part === 'string') return part;
  return isObject(part) && typeof part.text === 'string' ? part.text : null;
}
