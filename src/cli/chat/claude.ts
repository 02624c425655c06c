import * as z from 'zod';
import {
  type ConversationTurn,
  type ImportedConversation,
  parseRole,
  toUnixSeconds,
} from './conversation.ts';

/** A conversation in `conversations.json` of Claude's data export. */
const ExportedConversation = z.object({
  uuid: z.string(),
  name: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
});

const ExportedMessage = z.object({
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  created_at: z.unknown().optional(),
});

const TextPart = z.object({ type: z.literal('text'), text: z.string() });

/** Null for a value that is not such a conversation. */
export function parseClaudeConversation(value: unknown): ImportedConversation | null {
  const { data } = ExportedConversation.safeParse(value);
  if (data === undefined) return null;
  const turns = data.chat_messages.flatMap((message) => parseTurn(message) ?? []);
  return { id: data.uuid, title: data.name || null, source: 'claude', turns };
}

/** `text` also holds the output of tools; the parts, where present, separate it. */
function parseTurn(value: unknown): ConversationTurn | null {
  const { data } = ExportedMessage.safeParse(value);
  if (data === undefined) return null;
  const parts = (data.content ?? []).flatMap((part) => TextPart.safeParse(part).data?.text ?? []);
  const content = (parts.length > 0 ? parts.join('\n') : (data.text ?? '')).trim();
  const role = parseRole(data.sender);
  return role === null || content === ''
    ? null
    : { role, content, at: toUnixSeconds(data.created_at) };
}
