import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  type ConversationTurn,
  type ImportedConversation,
  parseRole,
  toUnixSeconds,
} from './conversation.ts';

/**
 * A conversation in `conversations.json` of ChatGPT's data export: a tree, in which each edit of a
 * question and each repeated answer is a branch. `current_node` ends the branch that was left open.
 */
const ExportedConversation = z.object({
  conversation_id: z.string().nullish(),
  id: z.string().nullish(),
  title: z.string().nullish(),
  create_time: z.unknown().optional(),
  current_node: z.string().nullish(),
  mapping: z.record(z.string(), z.unknown()),
});

const MappingNode = z.object({ parent: z.string().nullish(), message: z.unknown() });

const ExportedMessage = z.object({
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
export function parseChatGptConversation(value: unknown): ImportedConversation | null {
  const { data } = ExportedConversation.safeParse(value);
  if (data === undefined) return null;
  const start = toUnixSeconds(data.create_time);
  const turns = currentBranch(data).flatMap((message) => parseTurn(message) ?? []);
  for (const turn of turns) turn.at ??= start;
  const id = data.conversation_id ?? data.id ?? rootId(data);
  return { id, title: data.title || null, source: 'chatgpt', turns };
}

function rootId({ mapping }: z.output<typeof ExportedConversation>): string {
  const root = Object.keys(mapping)[0] ?? '';
  return createHash('sha256').update(root).digest('hex').slice(0, 32);
}

/** The messages from the root to the open end. A broken file may lead round in circles. */
function currentBranch({
  mapping,
  current_node,
}: z.output<typeof ExportedConversation>): unknown[] {
  const messages: unknown[] = [];
  const seen = new Set<string>();
  let at = current_node ?? Object.keys(mapping).at(-1) ?? null;
  while (at !== null && !seen.has(at)) {
    seen.add(at);
    const node = MappingNode.safeParse(Object.hasOwn(mapping, at) ? mapping[at] : null).data;
    if (node?.message) messages.push(node.message);
    at = node?.parent ?? null;
  }
  return messages.reverse();
}

function parseTurn(value: unknown): ConversationTurn | null {
  const { data } = ExportedMessage.safeParse(value);
  if (data === undefined || data.metadata?.is_visually_hidden_from_conversation) return null;
  // What is sent to a tool is no answer to anybody.
  if ((data.recipient ?? 'all') !== 'all') return null;
  const role = parseRole(data.author.role);
  const content = data.content.parts.map(partText).join('\n').replace(citation, '').trim();
  return role === null || content === ''
    ? null
    : { role, content, at: toUnixSeconds(data.create_time) };
}

/** Where the page showed a source: private characters around what a program reads. */
const citation = /\ue200[^\ue201]*\ue201|【[^】]*†[^】]*】/g;

/** Text and what was heard; images and files are pointers to what is not in the file. */
const AudioTranscription = z.object({
  content_type: z.literal('audio_transcription'),
  text: z.string(),
});

function partText(part: unknown): string {
  return typeof part === 'string' ? part : (AudioTranscription.safeParse(part).data?.text ?? '');
}
