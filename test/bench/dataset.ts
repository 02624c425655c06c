import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { limits } from '../../src/contract/limits.ts';

/** Conversations with questions and gold evidence; where the file comes from: README.md. */
const Dataset = z.object({
  name: z.string(),
  conversations: z.array(
    z.object({
      id: z.string(),
      turns: z.array(
        z.object({
          id: z.string(),
          session: z.number(),
          time: z.string(),
          speaker: z.string(),
          role: z.string(),
          text: z.string(),
          image_caption: z.string().optional(),
        }),
      ),
      questions: z.array(
        z.object({
          question: z.string(),
          category: z.string(),
          evidence: z.array(z.string()),
        }),
      ),
    }),
  ),
});
export type Dataset = z.output<typeof Dataset>;
export type Conversation = Dataset['conversations'][number];
export type Turn = Conversation['turns'][number];
export type Question = Conversation['questions'][number];

/** Where the conversations are kept, beside the project unless MNEME_BENCH_DATA says another folder. */
export function namedDataset(name: string): string {
  const folder = process.env.MNEME_BENCH_DATA ?? join('..', 'shared', 'bench');
  return join(folder, `${name}.json.gz`);
}

export function loadDataset(path: string): Dataset {
  const bytes = readFileSync(path);
  const text = path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  return Dataset.parse(JSON.parse(text.toString('utf8')));
}

/** Whose memories the turns of a conversation are. */
export type OwnerOf = (conversation: Conversation) => string;

/** What `add_memory` gets for a turn: one input, or several for one over the length limit. */
export function addsOf(
  conversation: Conversation,
  turn: Turn,
  ownerOf: OwnerOf = ({ id }) => id,
): Record<string, unknown>[] {
  const caption = turn.image_caption ? ` [image: ${turn.image_caption}]` : '';
  const parts = splitAtSentences(turn.text + caption, limits.memory_text_max_chars);
  return parts.map((content) => ({
    messages: [{ role: turn.role, name: turn.speaker, content }],
    infer: false,
    user_id: ownerOf(conversation),
    run_id: `${conversation.id}:${turn.session}`,
    timestamp: secondsOf(turn.time),
  }));
}

/** Parts of at most so many characters, cut after a sentence, a line or at worst a word. */
export function splitAtSentences(text: string, max: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const head = rest.slice(0, max);
    const end = lastEnd(head, /[.!?][)"'\]]*\s|\n/g) || lastEnd(head, /\s/g) || max;
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...parts, rest];
}

function lastEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const found of text.matchAll(pattern)) end = found.index + found[0].length;
  return end;
}

/** Times are ISO 8601, or a date in words (`March 15 2024`), which is read as UTC. */
function secondsOf(time: string): number {
  const milliseconds = Date.parse(/\d{4}-\d\d-\d\dT/.test(time) ? time : `${time} UTC`);
  if (Number.isNaN(milliseconds)) throw new Error(`no time: ${time}`);
  return Math.floor(milliseconds / 1000);
}
