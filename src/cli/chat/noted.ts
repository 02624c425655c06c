import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Chat } from './chat.ts';

/** So many turns of a conversation are stored; the last of them is known by its hash. */
const Note = z.object({ chat: z.string(), turns: z.int().min(1), last: z.string() });
type Note = z.output<typeof Note>;

/** How far each conversation was stored, kept in a file from run to run. */
export type Noted = {
  /** The first turn that is not stored yet. */
  startOf(chat: Chat): number;
  note(chat: Chat, turns: number): Promise<void>;
};

/** The file for what goes to one place: another user's memories are another file. */
export function notesFile(data_dir: string, place: readonly unknown[]): string {
  return join(data_dir, 'imports', `${hashOf(JSON.stringify(place))}.jsonl`);
}

export async function readNotes(file: string): Promise<Noted> {
  const notes = new Map<string, Note>();
  for (const line of (await contentOf(file)).split('\n')) {
    const note = noteIn(line);
    if (note !== null) notes.set(note.chat, note);
  }
  return {
    startOf: (chat) => {
      const note = notes.get(chat.id);
      // A conversation that was changed before that turn is another one.
      const isSame = note !== undefined && lastOf(chat, note.turns) === note.last;
      return isSame ? note.turns : 0;
    },
    note: async (chat, turns) => {
      const note = { chat: chat.id, turns, last: lastOf(chat, turns) };
      notes.set(chat.id, note);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await appendFile(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
    },
  };
}

async function contentOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

/** A killed process may leave half a line; what it was about is stored again, and recognized. */
function noteIn(line: string): Note | null {
  try {
    return Note.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function lastOf({ turns }: Chat, count: number): string {
  return hashOf(turns[count - 1]?.content ?? '');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
