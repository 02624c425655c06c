import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { configuredScope } from '../context/command-config.ts';
import { timestampOf } from '../context/said-together.ts';
import { type ScopedInvoke, withScopedInvoke } from '../context/scoped-invoke.ts';
import { createProgressReporter } from '../io/progress.ts';
import { type Chunk, splitIntoChunks, type TurnPart } from './chunks.ts';
import type { ImportedConversation } from './conversation.ts';
import { type ImportLedger, ledgerFile, openLedger } from './import-ledger.ts';
import { findRejectedTurns, type RejectedMessage, type RejectedTurns } from './rejected-turns.ts';

export type ChatImportOptions = {
  /** Store each turn as it is, instead of extracting facts. */
  verbatim: boolean;
  /** Store nothing; the report says what would be remembered. */
  dry_run: boolean;
  /** Store again what an earlier run stored. */
  again: boolean;
  /** Called for each message that is refused. */
  onRejected?: (refusal: RejectedMessage) => void;
};

export type ChatImportReport = {
  /** Conversations that were stored; in a dry run, those to store. */
  conversations: number;
  /** Conversations that earlier runs stored completely. */
  known: number;
  turns: number;
  added: number;
  updated: number;
  deleted: number;
  /** Statements that were stored already, or hold nothing to remember. */
  unchanged: number;
  /** Messages that are left out, because they may not be stored. */
  refused: number;
  /** In a dry run: what would be remembered. */
  memories?: DryRunMemory[];
};

export type DryRunMemory = { conversation: string; title: string | null; memory: string };

/**
 * Stores conversations in the configured scope, oldest first, and records its progress after each
 * add, so that an interrupted import continues there. Of a conversation that has grown, only the
 * new turns are stored. Refused messages are reported and skipped; any other error of an add is
 * thrown.
 */
export async function importConversations(
  loaded: LoadedConfig,
  chats: readonly ImportedConversation[],
  options: ChatImportOptions,
): Promise<ChatImportReport> {
  const ledger = await openLedger(ledgerFileFor(loaded, options));
  const report = emptyReport();
  const work: ConversationWork[] = [];
  for (const chat of chats) {
    const start = options.again ? 0 : ledger.nextTurn(chat);
    if (start >= chat.turns.length) report.known += 1;
    else work.push({ chat, start });
  }
  if (work.length === 0) return options.dry_run ? { ...report, memories: [] } : report;
  if (options.dry_run) return importIntoScratch(loaded, work, { report, options });
  await importWork(loaded, work, { ledger, report, options });
  return report;
}

type ConversationWork = { chat: ImportedConversation; start: number };
type ImportTarget = Pick<ImportState, 'ledger' | 'report' | 'onResult'> & {
  options: ChatImportOptions;
};

async function importWork(
  loaded: LoadedConfig,
  work: readonly ConversationWork[],
  { options, ...target }: ImportTarget,
): Promise<void> {
  const { report } = target;
  await withScopedInvoke(loaded, async (call) => {
    const progress = createProgressReporter();
    for (const { chat, start } of work) {
      for (const chunk of splitIntoChunks(chat, start, loaded.values.timezone)) {
        await storeChunk({ call, ...target }, { chat, chunk, options });
        progress(() => progressText(report, work.length, options));
      }
      report.conversations += 1;
    }
  });
}

/**
 * Stores the conversations in an empty store that is removed afterwards, by the same rules or
 * model. What is remembered already, and the settings of the project, are not known there.
 */
async function importIntoScratch(
  loaded: LoadedConfig,
  work: readonly ConversationWork[],
  { report, options }: Pick<ImportTarget, 'report' | 'options'>,
): Promise<ChatImportReport> {
  const data_dir = await mkdtemp(join(tmpdir(), 'mneme-dry-run-'));
  const values = { ...loaded.values, data_dir, base_url: null, database_url: null };
  const memories = new Map<string, DryRunMemory>();
  const onResult = (
    { event, id, memory }: WriteResult,
    { id: chat, title }: ImportedConversation,
  ) => {
    if (id === null || event === 'NOOP') return;
    if (event === 'DELETE') memories.delete(id);
    else memories.set(id, { conversation: chat, title, memory });
  };
  try {
    await importWork({ ...loaded, values }, work, { ledger: forgetful, report, options, onResult });
    return { ...report, memories: [...memories.values()] };
  } finally {
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Nothing goes on where a dry run ended. */
const forgetful: ImportLedger = { nextTurn: () => 0, record: async () => {} };

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

type ImportState = {
  call: ScopedInvoke;
  ledger: ImportLedger;
  report: ChatImportReport;
  onResult?: ((result: WriteResult, chat: ImportedConversation) => void) | undefined;
};
type ImportChunk = { chat: ImportedConversation; chunk: Chunk; options: ChatImportOptions };

async function storeChunk(state: ImportState, job: ImportChunk): Promise<void> {
  const { ledger, report } = state;
  const { chat, chunk } = job;
  const skipped = await storeParts(state, job, chunk.turns);
  report.turns += chunk.to - chunk.from - skipped;
  await ledger.record(chat, chunk.to);
}

/** Stores turns, except those that are refused; returns how many were refused. */
async function storeParts(
  state: ImportState,
  job: ImportChunk,
  parts: readonly TurnPart[],
): Promise<number> {
  if (parts.length === 0) return 0;
  const { call, report } = state;
  try {
    const answer = await call('add_memory', toAddInput(job, parts));
    if (answer.status === 'FAILED') throw new ApiError('unavailable', answer.message);
    for (const result of answer.results) {
      report[counterByEvent[result.event]] += 1;
      state.onResult?.(result, job.chat);
    }
    return 0;
  } catch (error) {
    const refused = findRejectedTurns(error, parts);
    if (refused === 'halve') {
      const [first, second] = splitInHalf(parts);
      const skipped = await storeParts(state, job, first);
      return skipped + (await storeParts(state, job, second));
    }
    if (refused === null || hasNothingToOmit(refused, job)) throw error;
    const skipped = reportRejected(job, { report, refused });
    const rest = omitRejectedTitle(job, refused);
    return skipped + (await storeParts(state, rest, omitRejectedTurns(parts, refused)));
  }
}

/** Nothing left to omit means that the add was refused for another reason. */
function hasNothingToOmit({ turns, hasTitle }: RejectedTurns, { chat }: ImportChunk): boolean {
  return turns.size === 0 && (!hasTitle || chat.title === null);
}

function omitRejectedTitle(job: ImportChunk, { hasTitle }: RejectedTurns): ImportChunk {
  return hasTitle ? { ...job, chat: { ...job.chat, title: null } } : job;
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
    source_class: 'import' as const,
    infer: !options.verbatim,
    async_mode: false,
    // No `run_id`: a fact in one conversation may correct a fact in another.
    metadata: { source: chat.source, conversation: chat.id.slice(0, idMaxChars), ...title },
    ...timestampOf(first?.at ?? null),
  };
}

const titleMaxChars = 200;

const idMaxChars = 200;

function progressText(
  report: ChatImportReport,
  all: number,
  { dry_run }: Pick<ChatImportOptions, 'dry_run'>,
): string {
  const { conversations, turns } = report;
  const [done, of, read, added] = [conversations, all, turns, report.added].map((count) =>
    count.toLocaleString('en'),
  );
  const stored = dry_run ? 'would store' : 'stored';
  return `read ${done} of ${of} conversations, ${read} turns; ${stored} ${added} memories`;
}
