import type { LoadedConfig } from '../../config/load.ts';
import { ApiError } from '../../contract/errors.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { scopeOf } from '../configured.ts';
import { createProgress } from '../progress.ts';
import { type Scoped, withScoped } from '../scoped.ts';
import type { Chat } from './chat.ts';
import { type Chunk, chunksOf, type Part } from './chunks.ts';
import { type Noted, notesFile, readNotes } from './noted.ts';
import { type Refusal, type Refused, refusedOf } from './refused.ts';

export type ChatOptions = {
  /** Store each turn as it is, in place of what it states. */
  verbatim: boolean;
  /** Count what there is to do, and do nothing. */
  dry_run: boolean;
  /** Store again what an earlier run stored. */
  again: boolean;
  /** Called with each message that may not be stored. */
  onRefusal?: (refusal: Refusal) => void;
};

export type ChatReport = {
  /** Conversations that were stored, or are to be. */
  conversations: number;
  /** Conversations that an earlier run had stored, all of them. */
  known: number;
  turns: number;
  added: number;
  updated: number;
  deleted: number;
  /** Statements that were stored already, or hold nothing to remember. */
  unchanged: number;
  /** Messages that are left out, because they may not be stored. */
  refused: number;
};

/**
 * Stores conversations in the configured scope, the oldest first, add by add, and notes how far it
 * is: what is stopped goes on there. A conversation that grew is read from its first new turn. What
 * of a conversation may not be stored is left out, and told. Throws what the adds throw else.
 */
export async function importChats(
  loaded: LoadedConfig,
  chats: readonly Chat[],
  options: ChatOptions,
): Promise<ChatReport> {
  const noted = await readNotes(notesOf(loaded, options));
  const report = emptyReport();
  const work: { chat: Chat; chunks: Chunk[] }[] = [];
  for (const chat of chats) {
    const chunks = chunksOf(chat, options.again ? 0 : noted.startOf(chat));
    if (chunks.length === 0) report.known += 1;
    else work.push({ chat, chunks });
  }
  if (options.dry_run) return { ...report, ...counted(work) };
  if (work.length === 0) return report;
  await withScoped(loaded, async (call) => {
    const progress = createProgress();
    for (const { chat, chunks } of work) {
      for (const chunk of chunks) {
        await storeChunk({ call, noted, report }, { chat, chunk, options });
        progress(() => progressOf(report, work.length));
      }
      report.conversations += 1;
    }
  });
  return report;
}

function notesOf({ values }: LoadedConfig, { verbatim }: ChatOptions): string {
  const { base_url, data_dir } = values;
  return notesFile(data_dir, [base_url, scopeOf(values), verbatim]);
}

function emptyReport(): ChatReport {
  return {
    conversations: 0,
    known: 0,
    turns: 0,
    added: 0,
    updated: 0,
    deleted: 0,
    unchanged: 0,
    refused: 0,
  };
}

function counted(work: readonly { chunks: readonly Chunk[] }[]) {
  const chunks = work.flatMap((part) => part.chunks);
  const turns = chunks.reduce((sum, { from, to }) => sum + to - from, 0);
  return { conversations: work.length, turns };
}

type Place = { call: Scoped; noted: Noted; report: ChatReport };
type Piece = { chat: Chat; chunk: Chunk; options: ChatOptions };

async function storeChunk(place: Place, piece: Piece): Promise<void> {
  const { noted, report } = place;
  const { chat, chunk } = piece;
  const left = await storeParts(place, piece, chunk.turns);
  report.turns += chunk.to - chunk.from - left;
  await noted.note(chat, chunk.to);
}

/** Stores turns, but for those that may not be; answers how many these are. */
async function storeParts(place: Place, piece: Piece, parts: readonly Part[]): Promise<number> {
  if (parts.length === 0) return 0;
  const { call, report } = place;
  try {
    const answer = await call('add_memory', inputOf(piece, parts));
    if (answer.status === 'FAILED') throw new ApiError('unavailable', answer.message);
    for (const { event } of answer.results) report[outcomes[event]] += 1;
    return 0;
  } catch (error) {
    const refused = refusedOf(error, parts);
    if (refused === 'halve') {
      const [first, second] = halvesOf(parts);
      const left = await storeParts(place, piece, first);
      return left + (await storeParts(place, piece, second));
    }
    if (refused === null || isNothing(refused, piece)) throw error;
    const left = tell(piece, { report, refused });
    const rest = withoutTitle(piece, refused);
    return left + (await storeParts(place, rest, without(parts, refused)));
  }
}

/** What is refused once more without what was refused is refused for another reason. */
function isNothing({ turns, hasTitle }: Refused, { chat }: Piece): boolean {
  return turns.size === 0 && (!hasTitle || chat.title === null);
}

function withoutTitle(piece: Piece, { hasTitle }: Refused): Piece {
  return hasTitle ? { ...piece, chat: { ...piece.chat, title: null } } : piece;
}

function without(parts: readonly Part[], { turns }: Refused): Part[] {
  return parts.filter(({ number }) => !turns.has(number));
}

/** Cut between turns: what belongs to one is refused or stored together. */
function halvesOf(parts: readonly Part[]): [first: Part[], second: Part[]] {
  const numbers = [...new Set(parts.map(({ number }) => number))];
  const middle = numbers[Math.ceil(numbers.length / 2)] ?? 0;
  return [
    parts.filter(({ number }) => number < middle),
    parts.filter(({ number }) => number >= middle),
  ];
}

function tell(
  { chat, options }: Piece,
  { report, refused }: { report: ChatReport; refused: Refused },
): number {
  const conversation = chat.id.slice(0, idMaxChars);
  for (const [number, problem] of refused.turns) {
    report.refused += 1;
    options.onRefusal?.({ conversation, message: number + 1, problem });
  }
  return refused.turns.size;
}

const outcomes = {
  ADD: 'added',
  UPDATE: 'updated',
  DELETE: 'deleted',
  NOOP: 'unchanged',
} as const satisfies Record<WriteResult['event'], keyof ChatReport>;

function inputOf({ chat, options }: Piece, parts: readonly Part[]) {
  const [first] = parts;
  const title = chat.title === null ? {} : { title: chat.title.slice(0, titleMaxChars) };
  return {
    messages: parts.map(({ role, content, name }) => ({
      role,
      content,
      ...(name !== undefined && { name }),
    })),
    infer: !options.verbatim,
    async_mode: false,
    // No session (`run_id`): what is said in one conversation corrects what was said in another.
    metadata: { source: chat.source, conversation: chat.id.slice(0, idMaxChars), ...title },
    ...(first !== undefined && first.at !== null && { timestamp: first.at }),
  };
}

const titleMaxChars = 200;

const idMaxChars = 200;

function progressOf(report: ChatReport, all: number): string {
  const [done, of, added] = [report.conversations, all, report.added].map((count) =>
    count.toLocaleString('en'),
  );
  return `stored ${done} of ${of} conversations, ${added} memories`;
}
