import * as z from 'zod';
import {
  type ConversationTurn,
  type ImportedConversation,
  parseRole,
  toUnixSeconds,
} from './conversation.ts';
import { type ChatLeftOut, countLeftOut, mediaKind } from './left-out.ts';
import { shortHash } from './short-hash.ts';

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
  attachments: z.array(z.unknown()).nullish().catch(null),
  files: z.array(z.unknown()).nullish().catch(null),
});

/** Pasted text and documents, which Claude keeps as text. */
const Attachment = z.object({
  file_name: z.string().nullish(),
  extracted_content: z.string().nullish(),
});

const TextPart = z.object({ type: z.literal('text'), text: z.string() });

/** Null for a value that is not such a conversation. */
export function parseClaudeConversation(
  value: unknown,
  left_out: ChatLeftOut,
): ImportedConversation | null {
  const { data } = ExportedConversation.safeParse(value);
  if (data === undefined) return null;
  const turns = data.chat_messages.flatMap((message) => parseTurn(message, left_out) ?? []);
  return { id: data.uuid, title: data.name || null, source: 'claude', turns };
}

/** `text` also holds the output of tools; the parts, where present, separate it. */
function parseTurn(value: unknown, left_out: ChatLeftOut): ConversationTurn | null {
  const { data } = ExportedMessage.safeParse(value);
  if (data === undefined) return null;
  const parts = (data.content ?? []).flatMap((part) => TextPart.safeParse(part).data?.text ?? []);
  const message = (parts.length > 0 ? parts.join('\n') : (data.text ?? '')).trim();
  const attached = attachedTexts(data, left_out);
  const content = [message, ...attached].filter((text) => text !== '').join('\n\n');
  const role = parseRole(data.sender);
  return role === null || content === ''
    ? null
    : { role, content, at: toUnixSeconds(data.created_at) };
}

function attachedTexts(
  { attachments, files }: z.output<typeof ExportedMessage>,
  left_out: ChatLeftOut,
): string[] {
  const all = (attachments ?? []).map((each) => Attachment.safeParse(each).data);
  const texts = all.map((each) => each?.extracted_content?.trim() ?? '');
  const unread = all.filter((_, index) => texts[index] === '');
  for (const each of [...unread, ...(files ?? []).map((file) => Attachment.safeParse(file).data)])
    countLeftOut(left_out, mediaKind(each?.file_name ?? '') ?? 'document');
  return texts;
}

/** `memories.json`: what Claude keeps of all conversations, and of each project. */
const ExportedMemories = z.object({
  conversations_memory: z.string().nullish(),
  project_memories: z.record(z.string(), z.unknown()).nullish(),
});

/** Null for a value that is not such a file. What it says is about the user, in paragraphs. */
export function parseClaudeMemories(value: unknown): ImportedConversation | null {
  const { data } = ExportedMemories.safeParse(value);
  if (data === undefined) return null;
  const texts = [data.conversations_memory, ...Object.values(data.project_memories ?? {})];
  const paragraphs = texts.flatMap((text) => (typeof text === 'string' ? text.split('\n') : []));
  const turns = paragraphs
    .map((paragraph) => paragraph.replace(/^[\s#*-]+|[\s*]+$/g, ''))
    .filter((paragraph) => /[.!?]$|\s\S+\s/.test(paragraph))
    .map((content) => ({ role: 'user' as const, content, at: null }));
  // The whole text is the id: a file that was changed is read again.
  const id = `memories-${shortHash(JSON.stringify(turns))}`;
  return { id, title: 'Memory of Claude', source: 'claude', turns };
}
