import * as z from 'zod';
import { isObject } from '../contract/is-object.ts';
import {
  type ConversationTurn,
  type ImportedConversation,
  parseRole,
  toUnixSeconds,
} from './conversation.ts';
import { type ChatLeftOut, countLeftOut, mediaKind } from './left-out.ts';
import { shortHash } from './short-hash.ts';

const OptionalName = z.string().trim().min(1).nullish().catch(null);

/** A message as most programs write it, with the names they use for its time. */
const PlainMessage = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]),
  name: OptionalName,
  timestamp: z.unknown().optional(),
  created_at: z.unknown().optional(),
  time: z.unknown().optional(),
});

const MessagesObject = z.object({
  messages: z.array(z.unknown()),
  id: z
    .union([z.string().min(1), z.number()])
    .nullish()
    .catch(null),
  title: OptionalName,
  timestamp: z.unknown().optional(),
  created_at: z.unknown().optional(),
});

/** `{ messages: [...] }`; null for anything else. */
export function parseMessagesConversation(
  value: unknown,
  left_out: ChatLeftOut,
): ImportedConversation | null {
  const { data } = MessagesObject.safeParse(value);
  if (data === undefined) return null;
  const turns = data.messages.flatMap((message) => parseTurn(message, left_out) ?? []);
  const start = toUnixSeconds(data.created_at ?? data.timestamp);
  for (const turn of turns) turn.at ??= start;
  const id =
    data.id === null || data.id === undefined
      ? conversationHash(data.title, turns)
      : String(data.id);
  return { id, title: data.title ?? null, source: 'turns', turns };
}

export function isMessage(value: unknown): boolean {
  return isObject(value) && 'role' in value && 'content' in value;
}

/** Identifies a conversation without an id: it may grow, but its beginning stays. */
export function conversationHash(
  title: string | null | undefined,
  turns: readonly ConversationTurn[],
): string {
  return shortHash(JSON.stringify([title ?? null, turns[0]?.content ?? null]));
}

const TextPart = z.object({ text: z.string() });

/** `image_url` and `image`, `input_audio` and `audio`, `file` and `document`. */
const MessagePart = z.object({ type: z.string() });
const partMedia = /^(?:input_)?(image|audio|video|file|document)(?:_url)?$/;

function countMedia(part: unknown, left_out: ChatLeftOut): void {
  const [, media] = partMedia.exec(MessagePart.safeParse(part).data?.type ?? '') ?? [];
  if (media !== undefined) countLeftOut(left_out, mediaKind(media) ?? 'document');
}

function parseTurn(value: unknown, left_out: ChatLeftOut): ConversationTurn | null {
  const { data } = PlainMessage.safeParse(value);
  const role = parseRole(data?.role);
  if (data === undefined || role === null) return null;
  const parts = typeof data.content === 'string' ? [data.content] : data.content;
  for (const part of parts) countMedia(part, left_out);
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : TextPart.safeParse(part).data?.text,
  );
  const content = texts
    .filter((text) => text !== undefined)
    .join('\n')
    .trim();
  if (content === '') return null;
  const at = toUnixSeconds(data.timestamp ?? data.created_at ?? data.time);
  return { role, content, at, ...(data.name && { name: data.name }) };
}
