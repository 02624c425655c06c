import * as z from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';
import { parseIfJson } from './json.ts';
import { charsAtMost, cleanText, nameText, severalMessages } from './text.ts';

/** The roles that speak, with what other services call them. */
const otherWords = {
  user: ['human', 'customer', 'client', 'me'],
  assistant: ['ai', 'model', 'bot', 'chatbot', 'agent'],
} as const;

const instructionRoles = ['system', 'developer'];

const toolRoles = `
  tool tool_call tool_result tool_response function function_call data ipython observation
`
  .trim()
  .split(/\s+/);

const roleByWord = new Map([
  ...Object.entries(otherWords).flatMap(([role, words]) =>
    [role, ...words].map((word) => [word, role] as const),
  ),
  ...[...instructionRoles, ...toolRoles].map((role) => [role, role] as const),
]);

/** The role that a word means, in any case; an unknown word as it is. */
export function canonicalRole(word: string): string {
  return roleByWord.get(word.toLowerCase().replaceAll('-', '_')) ?? word;
}

/** Whether it is a side of the conversation: instructions and what tools return are not. */
export function isSpeakingRole(role: string): boolean {
  return Object.hasOwn(otherWords, role);
}

/** Whether messages of this role hold the operator's instructions to the assistant. */
export function isInstructionRole(role: string): boolean {
  return instructionRoles.includes(role);
}

/**
 * One turn of a conversation. `name` is the speaker if several share a role. Multimodal content is
 * one part or an array of parts: text parts are joined, and the others are counted in
 * `skipped_parts`, so that the event can report them.
 */
export const Message = z.preprocess(
  joinTextParts,
  z.object({
    role: nameText(limits.role_max_chars).describe('user or assistant'),
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

/**
 * Turns in order, each with a role that is known. A single turn or string is read as a list of
 * one, and JSON text of a turn or of a list of turns as what it says.
 */
export const Messages = z.preprocess(
  (value) => {
    const read = readIfTurns(value);
    if (typeof read === 'string') return [{ role: 'user', content: read }];
    return isObject(read) ? [read] : read;
  },
  z
    .array(Message)
    .min(1, 'must hold at least one message')
    .max(limits.messages_max)
    .overwrite((turns) => turns.map((one) => ({ ...one, role: canonicalRole(one.role) })))
    .superRefine((turns, ctx) => {
      for (const [index, { role }] of turns.entries()) {
        if (roleByWord.has(role)) continue;
        ctx.addIssue({ code: 'custom', path: [index, 'role'], message: unknownRole(role) });
      }
    }),
);

/** Refused, because messages of an unknown role would be left out silently. */
function unknownRole(role: string): string {
  const hint = didYouMean(role, [...Object.keys(otherWords), ...instructionRoles, 'tool']);
  const allowed =
    'The roles are user and assistant; system, developer, tool and function state no facts';
  return `${JSON.stringify(role)} is not a role.${hint} ${allowed}`;
}

/** Models and clients of few types send a list as its JSON. Other text is what somebody said. */
function readIfTurns(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const read = parseIfJson(value);
  return [read].flat().every(isTurn) ? read : value;
}

function isTurn(value: unknown): boolean {
  if (!isObject(value) || typeof value.role !== 'string') return false;
  return 'content' in value || saysNothing(value);
}

/** A turn that only calls tools. */
function saysNothing({ content = null, tool_calls, function_call }: Record<string, unknown>) {
  return content === null && (tool_calls ?? function_call ?? null) !== null;
}

function joinTextParts(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { content } = message;
  if (content === null || saysNothing(message)) return { ...message, content: '' };
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
