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

/**
 * A conversation in `conversations.json` of ChatGPT's data export: a tree, in which each edited
 * question and each regenerated answer is a branch. `current_node` is the end of the visible
 * branch; where it is missing, that is the end with the newest message.
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
  metadata: z
    .object({
      is_visually_hidden_from_conversation: z.boolean().nullish(),
      attachments: z.array(z.unknown()).nullish().catch(null),
    })
    .nullish(),
  content: z.object({
    content_type: z.enum(['text', 'multimodal_text']),
    parts: z.array(z.unknown()),
  }),
});

/** Null for a value that is not such a conversation. */
export function parseChatGptConversation(
  value: unknown,
  left_out: ChatLeftOut,
): ImportedConversation | null {
  const { data } = ExportedConversation.safeParse(value);
  if (data === undefined) return null;
  const start = toUnixSeconds(data.create_time);
  const turns = currentBranch(data).flatMap((message) => parseTurn(message, left_out) ?? []);
  for (const turn of turns) turn.at ??= start;
  const id = data.conversation_id ?? data.id ?? rootId(data);
  return { id, title: data.title || null, source: 'chatgpt', turns };
}

function rootId({ mapping }: z.output<typeof ExportedConversation>): string {
  return shortHash(Object.keys(mapping)[0] ?? '');
}

/** The messages from the root to the current node. A broken file may contain a cycle. */
function currentBranch({
  mapping,
  current_node,
}: z.output<typeof ExportedConversation>): unknown[] {
  const messages: unknown[] = [];
  const seen = new Set<string>();
  const isKnown = typeof current_node === 'string' && Object.hasOwn(mapping, current_node);
  let at = isKnown ? current_node : newestEnd(mapping);
  while (at !== null && !seen.has(at)) {
    seen.add(at);
    const node = MappingNode.safeParse(Object.hasOwn(mapping, at) ? mapping[at] : null).data;
    if (node?.message) messages.push(node.message);
    at = node?.parent ?? null;
  }
  return messages.reverse();
}

/** The newest message; the last one listed if several have the same time. */
function newestEnd(mapping: Readonly<Record<string, unknown>>): string | null {
  const nodes = Object.entries(mapping).map(([id, node]) => ({
    id,
    ...(MappingNode.safeParse(node).data ?? { message: null }),
  }));
  const parents = new Set(nodes.map(({ parent }) => parent));
  let newest: { id: string; at: number } | null = null;
  for (const { id, message } of nodes) {
    if (parents.has(id)) continue;
    const at = toUnixSeconds(isObject(message) ? message.create_time : null) ?? 0;
    if (newest === null || at >= newest.at) newest = { id, at };
  }
  return newest?.id ?? Object.keys(mapping).at(-1) ?? null;
}

function parseTurn(value: unknown, left_out: ChatLeftOut): ConversationTurn | null {
  const { data } = ExportedMessage.safeParse(value);
  if (data === undefined || data.metadata?.is_visually_hidden_from_conversation) return null;
  // Messages to a tool are not part of the conversation.
  if ((data.recipient ?? 'all') !== 'all') return null;
  const role = parseRole(data.author.role);
  if (role !== null) countAttachments(data, left_out);
  const content = data.content.parts.map(partText).join('\n').replace(citation, '').trim();
  return role === null || content === ''
    ? null
    : { role, content, at: toUnixSeconds(data.create_time) };
}

/** Citations, which the page shows as links: private characters around a reference. */
const citation = /\ue200[^\ue200\ue201]*\ue201|【(?=[^【】]*†)[^【】]*】/g;

/** Text, and transcripts of speech; images and files are only pointers. */
const AudioTranscription = z.object({
  content_type: z.literal('audio_transcription'),
  text: z.string(),
});

function partText(part: unknown): string {
  return typeof part === 'string' ? part : (AudioTranscription.safeParse(part).data?.text ?? '');
}

const MediaPart = z.object({ content_type: z.string() });
const AttachedFile = z.object({ name: z.string(), mime_type: z.string().nullish() });

/** Pictures stand among the parts and the attachments; speech often has its words beside it. */
function countAttachments(
  { content, metadata }: z.output<typeof ExportedMessage>,
  left_out: ChatLeftOut,
): void {
  for (const part of content.parts) {
    const type = MediaPart.safeParse(part).data?.content_type ?? '';
    if (type === 'image_asset_pointer') countLeftOut(left_out, 'image');
    if (/^(?:audio|real_time_user_audio_video)_asset_pointer$/.test(type))
      countLeftOut(left_out, 'voice');
  }
  for (const file of metadata?.attachments ?? []) {
    const { data } = AttachedFile.safeParse(file);
    const kind = mediaKind(data?.mime_type || data?.name || '') ?? 'document';
    if (kind !== 'image' && kind !== 'voice') countLeftOut(left_out, kind);
  }
}
