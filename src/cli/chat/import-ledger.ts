import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { errorCodeOf } from '../../contract/errors.ts';
import type { ImportedConversation } from '../../conversations/conversation.ts';
import { shortHash } from '../../conversations/short-hash.ts';

/** How many turns of a conversation are stored, with a hash of the last of them. */
const LedgerEntry = z.object({ chat: z.string(), turns: z.int().min(1), last: z.string() });
type LedgerEntry = z.output<typeof LedgerEntry>;

/** How far each conversation was stored; kept in a file between runs. */
export type ImportLedger = {
  /** The first turn that is not stored yet. */
  nextTurn(chat: ImportedConversation): number;
  record(chat: ImportedConversation, turns: number): Promise<void>;
};

/** The file for one destination: the memories of another user have another file. */
export function ledgerFile(data_dir: string, destination: readonly unknown[]): string {
  return join(data_dir, 'imports', `${shortHash(JSON.stringify(destination))}.jsonl`);
}

export async function openLedger(file: string): Promise<ImportLedger> {
  const notes = new Map<string, LedgerEntry>();
  for (const line of (await readLedgerText(file)).split('\n')) {
    const note = parseLedgerEntry(line);
    if (note !== null) notes.set(note.chat, note);
  }
  return {
    nextTurn: (chat) => {
      const note = notes.get(chat.id);
      // If that turn has changed, it is a different conversation.
      const isSame = note !== undefined && lastTurnHash(chat, note.turns) === note.last;
      return isSame ? note.turns : 0;
    },
    record: async (chat, turns) => {
      const note = { chat: chat.id, turns, last: lastTurnHash(chat, turns) };
      notes.set(chat.id, note);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    },
  };
}

async function readLedgerText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error) => {
    if (errorCodeOf(error) === 'ENOENT') return '';
    throw error;
  });
}

/** A killed process may leave half a line; its turns are stored again, and recognized. */
function parseLedgerEntry(line: string): LedgerEntry | null {
  try {
    return LedgerEntry.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function lastTurnHash({ turns }: ImportedConversation, count: number): string {
  return shortHash(turns[count - 1]?.content ?? '');
}
