import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { configuredScope } from '../context/command-config.ts';
import { type ScopedInvoke, withScopedInvoke } from '../context/scoped-invoke.ts';
import { createProgressReporter } from '../io/progress.ts';
import { type Chunk, splitIntoChunks, type TurnPart } from './chunks.ts';
import type { ImportedConversation } from './conversation.ts';
import { type ImportLedger, ledgerFile, openLedger } from './import-ledger.ts';
import { findRejectedTurns, type RejectedMessage, type RejectedTurns } from './rejected-turns.ts';

export type ChatImportOptions = {
  /** Store each turn as it is, in place of what it states. */
  verbatim: boolean;
  /** Count what there is to do, and do nothing. */
  dry_run: boolean;
  /** Store again what an earlier run stored. */
  again: boolean;
  /** Called with each message that may not be stored. */
  onRejected?: (refusal: RejectedMessage) => void;
};

export type ChatImportReport = {
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
export async function importConversations(
  loaded: LoadedConfig,
  chats: readonly ImportedConversation[],
  options: ChatImportOptions,
): Promise<ChatImportReport> {
  const noted = await openLedger(ledgerFileFor(loaded, options));
  const report = emptyReport();
  const work: { chat: ImportedConversation; chunks: Chunk[] }[] = [];
  for (const chat of chats) {
    const chunks = splitIntoChunks(chat, options.again ? 0 : noted.nextTurn(chat));
    if (chunks.length === 0) report.known += 1;
    else work.push({ chat, chunks });
  }
  if (options.dry_run) return { ...report, ...countWork(work) };
  if (work.length === 0) return report;
  await withScopedInvoke(loaded, async (call) => {
    const progress = createProgressReporter();
    for (const { chat, chunks } of work) {
      for (const chunk of chunks) {
        await storeChunk({ call, noted, report }, { chat, chunk, options });
        progress(() => progressText(report, work.length));
      }
      report.conversations += 1;
    }
  });
  return report;
}

function ledgerFileFor({ values }: LoadedConfig, { verbatim }: ChatImportOptions): string {
  const { base_url, data_dir } = values;
  return ledgerFile(data_dir, [base_url, configuredScope(values), verbatim]);
}

function emptyReport(): ChatImportReport {
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

function countWork(work: readonly { chunks: readonly Chunk[] }[]) {
  const chunks = work.flatMap((part) => part.chunks);
  const turns = chunks.reduce((sum, { from, to }) => sum + to - from, 0);
  return { conversations: work.length, turns };
}

type ImportState = { call: ScopedInvoke; noted: ImportLedger; report: ChatImportReport };
type ImportChunk = { chat: ImportedConversation; chunk: Chunk; options: ChatImportOptions };

async function storeChunk(place: ImportState, piece: ImportChunk): Promise<void> {
  const { noted, report } = place;
  const { chat, chunk } = piece;
  const left = await storeParts(place, piece, chunk.turns);
  report.turns += chunk.to - chunk.from - left;
  await noted.record(chat, chunk.to);
}

/** Stores turns, but for those that may not be; answers how many these are. */
async function storeParts(
  place: ImportState,
  piece: ImportChunk,
  parts: readonly TurnPart[],
): Promise<number> {
  if (parts.length === 0) return 0;
  const { call, report } = place;
  try {
    const answer = await call('add_memory', toAddInput(piece, parts));
    if (answer.status === 'FAILED') throw new ApiError('unavailable', answer.message);
    for (const { event } of answer.results) report[counterByEvent[event]] += 1;
    return 0;
  } catch (error) {
    const refused = findRejectedTurns(error, parts);
    if (refused === 'halve') {
      const [first, second] = splitInHalf(parts);
      const left = await storeParts(place, piece, first);
      return left + (await storeParts(place, piece, second));
    }
    if (refused === null || hasNothingToOmit(refused, piece)) throw error;
    const left = reportRejected(piece, { report, refused });
    const rest = omitRejectedTitle(piece, refused);
    return left + (await storeParts(place, rest, omitRejectedTurns(parts, refused)));
  }
}

/** What is refused once more without what was refused is refused for another reason. */
function hasNothingToOmit({ turns, hasTitle }: RejectedTurns, { chat }: ImportChunk): boolean {
  return turns.size === 0 && (!hasTitle || chat.title === null);
}

function omitRejectedTitle(piece: ImportChunk, { hasTitle }: RejectedTurns): ImportChunk {
  return hasTitle ? { ...piece, chat: { ...piece.chat, title: null } } : piece;
}

function omitRejectedTurns(parts: readonly TurnPart[], { turns }: RejectedTurns): TurnPart[] {
  return parts.filter(({ number }) => !turns.has(number));
}

/** Cut between turns: what belongs to one is refused or stored together. */
function splitInHalf(parts: readonly TurnPart[]): [first: TurnPart[], second: TurnPart[]] {
  const numbers = [...new Set(parts.map(({ number }) => number))];
  const middle = numbers[Math.ceil(numbers.length / 2)] ?? 0;
  return [
    parts.filter(({ number }) => number < middle),
    parts.filter(({ number }) => number >= middle),
  ];
}

function reportRejected(
  { chat, options }: ImportChunk,
  { report, refused }: { report: ChatImportReport; refused: RejectedTurns },
): number {
  const conversation = chat.id.slice(0, idMaxChars);
  for (const [number, problem] of refused.turns) {
    report.refused += 1;
    options.onRejected?.({ conversation, message: number + 1, problem });
  }
  return refused.turns.size;
}

const counterByEvent = {
  ADD: 'added',
  UPDATE: 'updated',
  DELETE: 'deleted',
  NOOP: 'unchanged',
} as const satisfies Record<WriteResult['event'], keyof ChatImportReport>;

function toAddInput({ chat, options }: ImportChunk, parts: readonly TurnPart[]) {
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

function progressText(report: ChatImportReport, all: number): string {
  const [done, of, added] = [report.conversations, all, report.added].map((count) =>
    count.toLocaleString('en'),
  );
  return `stored ${done} of ${of} conversations, ${added} memories`;
}
