import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { configuredScope } from '../../contract/scope/memory-scope.ts';
import type { ImportedConversation } from '../../conversations/conversation.ts';
import type { RejectedMessage } from '../../conversations/rejected-turns.ts';
import {
  type ConversationStore,
  type StoredCounts,
  storeConversation,
  zeroCounts,
} from '../../conversations/store-conversation.ts';
import { withScopedInvoke } from '../context/scoped-invoke.ts';
import { createProgressReporter } from '../io/progress.ts';
import { type ImportLedger, ledgerFile, openLedger } from './import-ledger.ts';

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

export type ChatImportReport = StoredCounts & {
  /** Conversations that were stored; in a dry run, those to store. */
  conversations: number;
  /** Conversations that earlier runs stored completely. */
  known: number;
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
  const report: ChatImportReport = { conversations: 0, known: 0, ...zeroCounts() };
  const pending: PendingConversation[] = [];
  for (const chat of chats) {
    const start = options.again ? 0 : ledger.nextTurn(chat);
    if (start >= chat.turns.length) report.known += 1;
    else pending.push({ chat, start });
  }
  if (pending.length === 0) return options.dry_run ? { ...report, memories: [] } : report;
  if (options.dry_run) return importIntoScratch(loaded, pending, { report, options });
  await importPending(loaded, pending, { ledger, report, options });
  return report;
}

type PendingConversation = { chat: ImportedConversation; start: number };
type ImportTarget = {
  ledger: ImportLedger;
  report: ChatImportReport;
  options: ChatImportOptions;
  onResult?: ConversationStore['onResult'];
};

async function importPending(
  loaded: LoadedConfig,
  pending: readonly PendingConversation[],
  { ledger, report, options, onResult }: ImportTarget,
): Promise<void> {
  const { verbatim, onRejected } = options;
  await withScopedInvoke(loaded, async (call) => {
    const progress = createProgressReporter();
    const store: ConversationStore = {
      add: (input) => call('add_memory', input),
      verbatim,
      timezone: loaded.values.timezone,
      counts: report,
      onRejected,
      onResult,
      onStored: async (turns, chat) => {
        await ledger.record(chat, turns);
        progress(() => progressText(report, pending.length, options));
      },
    };
    for (const { chat, start } of pending) {
      await storeConversation(store, chat, start);
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
  pending: readonly PendingConversation[],
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
    await importPending({ ...loaded, values }, pending, {
      ledger: forgetful,
      report,
      options,
      onResult,
    });
    return { ...report, memories: [...memories.values()] };
  } finally {
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A dry run records no progress. */
const forgetful: ImportLedger = { nextTurn: () => 0, record: async () => {} };

function ledgerFileFor({ values }: LoadedConfig, { verbatim }: ChatImportOptions): string {
  const { base_url, data_dir } = values;
  return ledgerFile(data_dir, [base_url, configuredScope(values), verbatim]);
}

function progressText(
  report: ChatImportReport,
  all: number,
  { dry_run }: Pick<ChatImportOptions, 'dry_run'>,
): string {
  const { conversations, turns, added } = report;
  const show = (count: number) => count.toLocaleString('en');
  const read = `read ${show(conversations)} of ${show(all)} conversations, ${show(turns)} turns`;
  return `${read}; ${dry_run ? 'would store' : 'stored'} ${show(added)} memories`;
}
