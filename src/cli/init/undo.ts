import { readFile } from 'node:fs/promises';
import { type Change, entryIn, planRemoval, textWith } from './change.ts';
import type { ConfigText } from './config-text.ts';
import type { Format } from './formats/format.ts';
import { loadFormat } from './formats/load.ts';
import type { Target } from './target.ts';
import { backupsOf } from './write.ts';

/** How to undo what `mneme init` did to a file. */
export type Undo =
  | { kind: 'none' }
  /** Nothing but our entry changed since: what was before comes back, byte by byte. */
  | { kind: 'restore'; config: ConfigText; bytes: Buffer | null; backups: string[] }
  | Extract<Change, { config: ConfigText }>;

/** Plans the undoing and changes nothing. */
export async function planUndo(target: Target): Promise<Undo> {
  const removal = await planRemoval(target);
  if (removal.kind === 'none') return removal;
  const { config } = removal;
  const format = await loadFormat(target.format);
  const trail = await walkBack(target, format, config);
  if (trail.backups.length > 0) return { kind: 'restore', config, ...trail };
  return isOurs(target, format, config)
    ? { kind: 'restore', config, bytes: null, backups: [] }
    : removal;
}

type Trail = { bytes: Buffer | null; backups: string[] };

/**
 * From the newest backup to older ones, as long as each with the entry of the next one is that
 * next one: then only `mneme init` came in between.
 */
async function walkBack(target: Target, format: Format, config: ConfigText): Promise<Trail> {
  const trail: Trail = { bytes: null, backups: [] };
  let text = config.text;
  for (const backup of await backupsOf(config.file)) {
    const entry = entryIn(format.read(text), target.slot);
    if (entry === null) break;
    const bytes = await readFile(backup);
    const before = bytes.toString('utf8').slice(config.mark.length);
    if (textWith(format, before, { slot: target.slot, entry }) !== text) break;
    trail.bytes = bytes;
    trail.backups.push(backup);
    text = before;
  }
  return trail;
}

/** A file that holds what `mneme init` writes into a new one, and nothing else. */
function isOurs({ slot, start = '' }: Target, format: Format, { text }: ConfigText): boolean {
  const entry = entryIn(format.read(text), slot);
  return entry !== null && textWith(format, start, { slot, entry }) === text;
}
