import { signal } from '@preact/signals';
import { limits } from '../../contract/limits.ts';
import type { ImportedConversation } from '../../conversations/conversation.ts';
import {
  type ConversationStore,
  storeConversation,
  zeroCounts,
} from '../../conversations/store-conversation.ts';
import { messageOf } from '../parts/message-of.ts';
import { client, viewer } from '../parts/session.ts';
import type { ConversationsFile, FileLine, LinesFile, RecognizedFile } from './recognize-file.ts';

/** The outcome of an import, or of its check. */
export type ImportTotals = {
  added: number;
  updated: number;
  unchanged: number;
  /** Lines or messages that are left out. */
  refused: number;
  redacted: number;
  not_trusted: number;
  problems: string[];
};

export type ImportRun = {
  name: string;
  file: RecognizedFile | null;
  phase: 'reading' | 'checking' | 'ready' | 'running' | 'stopped' | 'done';
  /** Why it stopped; empty if somebody stopped it. */
  problem: string;
  /** Its lines were looked at, all of them. */
  isChecked: boolean;
  /** Lines or conversations, of all of them. */
  doneCount: number;
  /** Messages of the next conversation that are stored already. */
  storedTurns: number;
  totals: ImportTotals;
};

/** The owner of lines that name none, and whether messages are stored word for word. */
export type ImportChoices = { user_id: string; verbatim: boolean };

/** The import of this page; it goes on while other views are shown. */
export const importRun = signal<ImportRun | null>(null);

let choices: ImportChoices = { user_id: '', verbatim: false };

/** Whether an attempt is still the last one: answers to an earlier one are ignored. */
type IsLast = () => boolean;
let attempts = 0;

/** Reads a file, and checks each line of an export, before anything is stored. */
export async function takeFile(file: File): Promise<void> {
  const { name } = file;
  importRun.value = { ...freshProgress(), name, file: null, phase: 'reading', problem: '' };
  await attempt(async (isLast) => {
    const { recognizeDropped } = await import('./recognize-file.ts'); // with all formats
    const content = await recognizeDropped(file);
    if (!isLast()) return;
    change({ file: content, totals: initialTotals(content) });
    await check(content, isLast);
  });
}

async function check(file: RecognizedFile, isLast: IsLast): Promise<void> {
  if (file.format === 'mneme') {
    change({ phase: 'checking' });
    await sendLines(file, { dry_run: true, isLast });
  }
  if (isLast()) change({ phase: 'ready', isChecked: true, doneCount: 0 });
}

/** Stores what the file holds. */
export async function startImport(input: ImportChoices): Promise<void> {
  choices = input;
  change({ totals: initialTotals(importRun.value?.file), doneCount: 0, storedTurns: 0 });
  await runOrResume();
}

/** The attempt to store that was made last. */
let lastStore: Promise<void> = Promise.resolve();

/** Goes on where it stopped, after the request that was under way then. */
export async function runOrResume(): Promise<void> {
  const { file, isChecked } = importRun.value ?? {};
  if (!file) return;
  if (!isChecked) return attempt((isLast) => check(file, isLast));
  change({ phase: 'running', problem: '' });
  addEventListener('beforeunload', askToStay);
  const earlier = lastStore;
  lastStore = attempt(async (isLast) => {
    await earlier;
    if (!isLast()) return;
    if (file.format === 'conversations') await storeChats(file, isLast);
    else await sendLines(file, { dry_run: false, isLast });
    if (isLast()) change({ phase: 'done' });
  });
  await lastStore;
  if (importRun.value?.phase !== 'running') removeEventListener('beforeunload', askToStay);
}

/** Stops the import after the request that is under way. */
export function stopImport(): void {
  attempts += 1;
  change({ phase: 'stopped', problem: '' });
}

export function forgetImport(): void {
  attempts += 1;
  importRun.value = null;
}

function askToStay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

async function attempt(work: (isLast: IsLast) => Promise<void>): Promise<void> {
  attempts += 1;
  const number = attempts;
  const isLast = () => number === attempts;
  try {
    await work(isLast);
  } catch (error) {
    if (isLast()) change({ phase: 'stopped', problem: messageOf(error) });
  }
}

function change(part: Partial<ImportRun>): void {
  const run = importRun.value;
  if (run !== null) importRun.value = { ...run, ...part };
}

function freshProgress(): Pick<ImportRun, 'isChecked' | 'doneCount' | 'storedTurns' | 'totals'> {
  return { isChecked: false, doneCount: 0, storedTurns: 0, totals: zeroTotals() };
}

function zeroTotals(): ImportTotals {
  return {
    added: 0,
    updated: 0,
    unchanged: 0,
    refused: 0,
    redacted: 0,
    not_trusted: 0,
    problems: [],
  };
}

/** The lines that cannot be read are left out before any is sent. */
function initialTotals(file: RecognizedFile | null | undefined): ImportTotals {
  const problems = file && 'problems' in file ? file.problems : [];
  return { ...zeroTotals(), refused: problems.length, problems: firstOf(problems) };
}

type SendOptions = { dry_run: boolean; isLast: IsLast };

/** Whether it is still the file of this page: answers about another file are ignored. */
function isShown(file: RecognizedFile): boolean {
  return importRun.value?.file === file;
}

async function sendLines(file: LinesFile, { dry_run, isLast }: SendOptions): Promise<void> {
  const { format, lines } = file;
  for (;;) {
    const doneCount = importRun.value?.doneCount ?? 0;
    const batch = batchFrom(lines, doneCount);
    if (batch.length === 0) return;
    const answer = await client.importMemories({
      lines: batch.map(({ value }) => value),
      format,
      dry_run,
      skip_invalid: true,
      ...(format === 'server-memory' && { user_id: choices.user_id }),
    });
    const { memories, refused, redacted, not_trusted } = answer;
    if (!isShown(file)) return;
    const reports = answer.problems.map((problem) => inFile(problem, batch));
    change({ doneCount: doneCount + batch.length });
    addTotals({ ...memories, refused, redacted, not_trusted, problems: reports });
    if (!isLast()) return;
  }
}

/** Well under the default limit of a request, 4 MiB: a letter may take 3 bytes. */
const batchMaxChars = 1_000_000;

function batchFrom(lines: readonly FileLine[], start: number): FileLine[] {
  const batch: FileLine[] = [];
  let chars = 0;
  for (const line of lines.slice(start, start + limits.import_lines_max)) {
    chars += line.chars;
    if (batch.length > 0 && chars > batchMaxChars) break;
    batch.push(line);
  }
  return batch;
}

/** The server counts the lines of a request. */
function inFile(problem: string, batch: readonly FileLine[]): string {
  return problem.replace(/^line (\d+)/, (whole, number: string) => {
    const line = batch[Number(number) - 1];
    return line === undefined ? whole : `line ${line.number}`;
  });
}

async function storeChats(file: ConversationsFile, isLast: IsLast): Promise<void> {
  for (;;) {
    const { doneCount = 0, storedTurns = 0 } = importRun.value ?? {};
    const chat = file.chats[doneCount];
    if (chat === undefined) return;
    await storeChat(file, chat, { storedTurns, isLast });
    if (!isLast()) return;
    change({ doneCount: doneCount + 1, storedTurns: 0 });
  }
}

type StoreChatOptions = { storedTurns: number; isLast: IsLast };

/** Stores what is left of a conversation; ends with an error when somebody stops it. */
async function storeChat(
  file: ConversationsFile,
  chat: ImportedConversation,
  { storedTurns: start, isLast }: StoreChatOptions,
): Promise<void> {
  const { user_id, verbatim } = choices;
  const counts = zeroCounts();
  const problems: string[] = [];
  const store: ConversationStore = {
    add: async (input) => client.addMemory({ ...input, user_id }),
    verbatim,
    timezone: viewer.value?.timezone ?? 'UTC',
    counts,
    onStored: (storedTurns) => {
      if (!isShown(file)) throw new Error('another file is imported');
      const { added, updated, unchanged, refused } = counts;
      change({ storedTurns });
      addTotals({ ...zeroTotals(), added, updated, unchanged, refused, problems });
      Object.assign(counts, zeroCounts());
      problems.length = 0;
      if (!isLast()) throw new Error('somebody stopped it');
    },
    onRejected: ({ conversation, message, problem }) => {
      problems.push(`message ${message} of “${chat.title ?? conversation}”: ${problem}`);
    },
  };
  await storeConversation(store, chat, start);
}

function addTotals(more: ImportTotals): void {
  const { totals = zeroTotals() } = importRun.value ?? {};
  const { problems, ...counts } = more;
  const sums = Object.entries(counts).map(([name, count]) => {
    return [name, totals[name as keyof typeof counts] + count] as const; // its own fields
  });
  const reports = firstOf([...totals.problems, ...problems]);
  change({ totals: { ...zeroTotals(), ...Object.fromEntries(sums), problems: reports } });
}

function firstOf(problems: readonly string[]): string[] {
  return problems.slice(0, limits.import_problems_max);
}
