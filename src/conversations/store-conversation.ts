import { ApiError } from '../contract/errors.ts';
import type { WriteResult } from '../contract/schemas/change.ts';
import type { Output } from '../contract.ts';
import { type Chunk, splitIntoChunks, type TurnPart } from './chunks.ts';
import type { ImportedConversation } from './conversation.ts';
import { findRejectedTurns, type RejectedMessage, type RejectedTurns } from './rejected-turns.ts';
import { timestampOf } from './said-together.ts';

/** Counts of what was stored, summed over conversations. */
export type StoredCounts = {
  turns: number;
  added: number;
  updated: number;
  deleted: number;
  /** Statements that were stored already, or hold nothing to remember. */
  unchanged: number;
  /** Messages that are left out, because they may not be stored. */
  refused: number;
};

/** The target and the options of storing conversations; `counts` grow with each add. */
export type ConversationStore = {
  /** `add_memory`, for the user that the memories are about. */
  add: (input: ConversationAdd) => Promise<Output<'add_memory'>>;
  /** Store each turn as it is, instead of extracting facts. */
  verbatim: boolean;
  /** The turns of one add are all of the same day in this time zone. */
  timezone: string;
  counts: StoredCounts;
  /** Called after each add, with how many turns of the conversation are stored by now. */
  onStored?: ((turns: number, chat: ImportedConversation) => Promise<void> | void) | undefined;
  /** Called for each message that is refused. */
  onRejected?: ((refusal: RejectedMessage) => void) | undefined;
  onResult?: ((result: WriteResult, chat: ImportedConversation) => void) | undefined;
};

/** Some turns of a conversation, as `add_memory` takes them. */
export type ConversationAdd = ReturnType<typeof toAddInput>;

export function zeroCounts(): StoredCounts {
  return { turns: 0, added: 0, updated: 0, deleted: 0, unchanged: 0, refused: 0 };
}

/**
 * Stores the turns of a conversation from `start`, in as many adds as they need. Refused messages
 * are reported and skipped; any other error of an add is thrown.
 */
export async function storeConversation(
  store: ConversationStore,
  chat: ImportedConversation,
  start = 0,
): Promise<void> {
  for (const chunk of splitIntoChunks(chat, start, store.timezone)) {
    await storeChunk(store, chat, chunk);
    await store.onStored?.(chunk.to, chat);
  }
}

async function storeChunk(
  store: ConversationStore,
  chat: ImportedConversation,
  { turns, from, to }: Chunk,
): Promise<void> {
  const skipped = await storeParts(store, chat, turns);
  store.counts.turns += to - from - skipped;
}

/** Stores turns, except those that are refused; returns how many were refused. */
async function storeParts(
  store: ConversationStore,
  chat: ImportedConversation,
  parts: readonly TurnPart[],
): Promise<number> {
  if (parts.length === 0) return 0;
  try {
    const answer = await store.add(toAddInput(store, chat, parts));
    if (answer.status === 'FAILED') throw new ApiError('unavailable', answer.message);
    for (const result of answer.results) {
      store.counts[counterByEvent[result.event]] += 1;
      store.onResult?.(result, chat);
    }
    return 0;
  } catch (error) {
    const refused = findRejectedTurns(error, parts);
    if (refused === 'halve') {
      const [first, second] = splitInHalf(parts);
      const skipped = await storeParts(store, chat, first);
      return skipped + (await storeParts(store, chat, second));
    }
    if (refused === null || hasNothingToOmit(refused, chat)) throw error;
    const skipped = reportRejected(store, chat, refused);
    const rest = omitRejectedTitle(chat, refused);
    return skipped + (await storeParts(store, rest, omitRejectedTurns(parts, refused)));
  }
}

/** Nothing left to omit means that the add was refused for another reason. */
function hasNothingToOmit(
  { turns, hasTitle }: RejectedTurns,
  { title }: ImportedConversation,
): boolean {
  return turns.size === 0 && (!hasTitle || title === null);
}

function omitRejectedTitle(
  chat: ImportedConversation,
  { hasTitle }: RejectedTurns,
): ImportedConversation {
  return hasTitle ? { ...chat, title: null } : chat;
}

function omitRejectedTurns(parts: readonly TurnPart[], { turns }: RejectedTurns): TurnPart[] {
  return parts.filter(({ number }) => !turns.has(number));
}

/** Splits between turns: the parts of one turn stay together. */
function splitInHalf(parts: readonly TurnPart[]): [first: TurnPart[], second: TurnPart[]] {
  const numbers = [...new Set(parts.map(({ number }) => number))];
  const middle = numbers[Math.ceil(numbers.length / 2)] ?? 0;
  return [
    parts.filter(({ number }) => number < middle),
    parts.filter(({ number }) => number >= middle),
  ];
}

function reportRejected(
  { counts, onRejected }: ConversationStore,
  { id }: ImportedConversation,
  { turns }: RejectedTurns,
): number {
  const conversation = id.slice(0, idMaxChars);
  for (const [number, problem] of turns) {
    counts.refused += 1;
    onRejected?.({ conversation, message: number + 1, problem });
  }
  return turns.size;
}

const counterByEvent = {
  ADD: 'added',
  UPDATE: 'updated',
  DELETE: 'deleted',
  NOOP: 'unchanged',
} as const satisfies Record<WriteResult['event'], keyof StoredCounts>;

function toAddInput(
  { verbatim }: ConversationStore,
  chat: ImportedConversation,
  parts: readonly TurnPart[],
) {
  const [first] = parts;
  const title = chat.title === null ? {} : { title: chat.title.slice(0, titleMaxChars) };
  return {
    messages: parts.map(({ role, content, name }) => ({
      role,
      content,
      ...(name !== undefined && { name }),
    })),
    source_class: 'import' as const,
    infer: !verbatim,
    async_mode: false,
    // No `run_id`: a fact in one conversation may correct a fact in another.
    metadata: { source: chat.source, conversation: chat.id.slice(0, idMaxChars), ...title },
    ...timestampOf(first?.at ?? null),
  };
}

const titleMaxChars = 200;

const idMaxChars = 200;
