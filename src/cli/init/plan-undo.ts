import type { ConfigFormat } from '../../client-entries/formats/format.ts';
import { loadFormat } from '../../client-entries/formats/load-format.ts';
import { readRegularFile } from '../../regular-file.ts';
import { type ConfigChange, findConfigEntry, planRemoval, textWithEntry } from './plan-entry.ts';
import { type ConfigText, clientConfigMaxBytes } from './read-config.ts';
import type { InitTarget } from './target.ts';
import { listBackups } from './write-config.ts';

/** How to undo what `mneme init` did to a file. */
export type UndoPlan =
  | { kind: 'none' }
  /** Only our entry has changed since: the earlier file is restored byte by byte. */
  | { kind: 'restore'; config: ConfigText; bytes: Buffer | null; backups: string[] }
  | Extract<ConfigChange, { config: ConfigText }>;

/** Plans the undo without changing anything. */
export async function planUndo(target: InitTarget): Promise<UndoPlan> {
  const removal = await planRemoval(target);
  if (removal.kind === 'none') return removal;
  const { config } = removal;
  const format = await loadFormat(target.format);
  const trail = await traceBackups(target, format, config);
  if (trail.backups.length > 0) return { kind: 'restore', config, ...trail };
  return isCreatedByInit(target, format, config)
    ? { kind: 'restore', config, bytes: null, backups: [] }
    : removal;
}

type BackupTrail = { bytes: Buffer | null; backups: string[] };

/**
 * Follows backups from the newest to older ones, as long as adding the entry to each gives the
 * next one: then only `mneme init` has changed the file.
 */
async function traceBackups(
  target: InitTarget,
  format: ConfigFormat,
  config: ConfigText,
): Promise<BackupTrail> {
  const trail: BackupTrail = { bytes: null, backups: [] };
  let text = config.text;
  for (const backup of await listBackups(config.file)) {
    const entry = findConfigEntry(format.read(text), target.slot);
    if (entry === null) break;
    const bytes = readRegularFile(backup, { bytesMax: clientConfigMaxBytes });
    const before = bytes.toString('utf8').slice(config.mark.length);
    if (textWithEntry(format, before, { slot: target.slot, entry }) !== text) break;
    trail.bytes = bytes;
    trail.backups.push(backup);
    text = before;
  }
  return trail;
}

/** Whether the file holds only what `mneme init` writes into a new one. */
function isCreatedByInit(
  { slot, start = '' }: InitTarget,
  format: ConfigFormat,
  { text }: ConfigText,
): boolean {
  const entry = findConfigEntry(format.read(text), slot);
  return entry !== null && textWithEntry(format, start, { slot, entry }) === text;
}
