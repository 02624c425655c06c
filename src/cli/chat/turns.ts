import { createHash } from 'node:crypto';
import * as z from 'zod';
import { isObject } from '../../contract/is-object.ts';
import { type Chat, roleOf, secondsOf, type Turn } from './chat.ts';

const Name = z.string().trim().min(1).nullish().catch(null);

/** A turn as most programs write it down, with the names that they give to its time. */
const Said = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]),
  name: Name,
  timestamp: z.unknown().optional(),
  created_at: z.unknown().optional(),
  time: z.unknown().optional(),
});

const Conversation = z.object({
  messages: z.array(z.unknown()),
  id: z
    .union([z.string().min(1), z.number()])
    .nullish()
    .catch(null),
  title: Name,
  timestamp: z.unknown().optional(),
  created_at: z.unknown().optional(),
});

/** `{ messages: [...] }`, or a line of a list of turns; null for what is neither. */
export function turnsChat(value: unknown): Chat | null {
  const { data } = Conversation.safeParse(value);
  if (data === undefined) return null;
  const turns = data.messages.flatMap((message) => turnOf(message) ?? []);
  const start = secondsOf(data.created_at ?? data.timestamp);
  for (const turn of turns) turn.at ??= start;
  const id = data.id === null || data.id === undefined ? idOf(data.title, turns) : String(data.id);
  return { id, title: data.title ?? null, source: 'turns', turns };
}

export function isTurn(value: unknown): boolean {
  return isObject(value) && 'role' in value && 'content' in value;
}

/** What a conversation is known by that has no id: it may grow, its beginning stays. */
export function idOf(title: string | null | undefined, turns: readonly Turn[]): string {
  const beginning = JSON.stringify([title ?? null, turns[0]?.content ?? null]);
  return createHash('sha256').update(beginning).digest('hex').slice(0, 32);
}

const Text = z.object({ text: z.string() });

function turnOf(value: unknown): Turn | null {
  const { data } = Said.safeParse(value);
  const role = roleOf(data?.role);
  if (data === undefined || role === null) return null;
  const parts = typeof data.content === 'string' ? [data.content] : data.content;
  const texts = parts.map((part) =>
    typeof part === 'string' ? part : Text.safeParse(part).data?.text,
  );
  const content = texts
    .filter((text) => text !== undefined)
    .join('\n')
    .trim();
  if (content === '') return null;
  const at = secondsOf(data.timestamp ?? data.created_at ?? data.time);
  return { role, content, at, ...(data.name && { name: data.name }) };
}
