import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Chat, roleOf, secondsOf, type Turn } from './chat.ts';

/**
 * A conversation in `conversations.json` of ChatGPT's data export: a tree, in which each edit of a
 * question and each repeated answer is a branch. `current_node` ends the branch that was left open.
 */
const Exported = z.object({
  conversation_id: z.string().nullish(),
  id: z.string().nullish(),
  title: z.string().nullish(),
  create_time: z.unknown().optional(),
  current_node: z.string().nullish(),
  mapping: z.record(z.string(), z.unknown()),
});

const Node = z.object({ parent: z.string().nullish(), message: z.unknown() });

const Said = z.object({
  author: z.object({ role: z.string() }),
  recipient: z.string().nullish(),
  create_time: z.unknown().optional(),
  metadata: z.object({ is_visually_hidden_from_conversation: z.boolean().nullish() }).nullish(),
  content: z.object({
    content_type: z.enum(['text', 'multimodal_text']),
    parts: z.array(z.unknown()),
  }),
});

/** Null for what is no conversation of this kind. */
export function chatGptChat(value: unknown): Chat | null {
  const { data } = Exported.safeParse(value);
  if (data === undefined) return null;
  const start = secondsOf(data.create_time);
  const turns = openBranch(data).flatMap((message) => turnOf(message) ?? []);
  for (const turn of turns) turn.at ??= start;
  const id = data.conversation_id ?? data.id ?? idOf(data);
  return { id, title: data.title || null, source: 'chatgpt', turns };
}

function idOf({ mapping }: z.output<typeof Exported>): string {
  const root = Object.keys(mapping)[0] ?? '';
  return createHash('sha256').update(root).digest('hex').slice(0, 32);
}

/** The messages from the root to the open end. A broken file may lead round in circles. */
function openBranch({ mapping, current_node }: z.output<typeof Exported>): unknown[] {
  const messages: unknown[] = [];
  const seen = new Set<string>();
  let at = current_node ?? Object.keys(mapping).at(-1) ?? null;
  while (at !== null && !seen.has(at)) {
    seen.add(at);
    const node = Node.safeParse(Object.hasOwn(mapping, at) ? mapping[at] : null).data;
    if (node?.message) messages.push(node.message);
    at = node?.parent ?? null;
  }
  return messages.reverse();
}

function turnOf(value: unknown): Turn | null {
  const { data } = Said.safeParse(value);
  if (data === undefined || data.metadata?.is_visually_hidden_from_conversation) return null;
  // What is sent to a tool is no answer to anybody.
  if ((data.recipient ?? 'all') !== 'all') return null;
  const role = roleOf(data.author.role);
  const content = data.content.parts.map(textIn).join('\n').replace(citation, '').trim();
  return role === null || content === ''
    ? null
    : { role, content, at: secondsOf(data.create_time) };
}

/** Where the page showed a source: private characters around what a program reads. */
const citation = /\ue200[^\ue201]*\ue201|【[^】]*†[^】]*】/g;

/** Text and what was heard; images and files are pointers to what is not in the file. */
const Heard = z.object({ content_type: z.literal('audio_transcription'), text: z.string() });

function textIn(part: unknown): string {
  return typeof part === 'string' ? part : (Heard.safeParse(part).data?.text ?? '');
}
