import * as z from 'zod';
import { type Chat, roleOf, secondsOf, type Turn } from './chat.ts';

/** A conversation in `conversations.json` of Claude's data export. */
const Exported = z.object({
  uuid: z.string(),
  name: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
});

const Said = z.object({
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  created_at: z.unknown().optional(),
});

const Text = z.object({ type: z.literal('text'), text: z.string() });

/** Null for what is no conversation of this kind. */
export function claudeChat(value: unknown): Chat | null {
  const { data } = Exported.safeParse(value);
  if (data === undefined) return null;
  const turns = data.chat_messages.flatMap((message) => turnOf(message) ?? []);
  return { id: data.uuid, title: data.name || null, source: 'claude', turns };
}

/** `text` also holds what tools did; the parts tell them apart, where there are any. */
function turnOf(value: unknown): Turn | null {
  const { data } = Said.safeParse(value);
  if (data === undefined) return null;
  const parts = (data.content ?? []).flatMap((part) => Text.safeParse(part).data?.text ?? []);
  const content = (parts.length > 0 ? parts.join('\n') : (data.text ?? '')).trim();
  const role = roleOf(data.sender);
  return role === null || content === '' ? null : { role, content, at: secondsOf(data.created_at) };
}
