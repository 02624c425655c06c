import { isDeepStrictEqual } from 'node:util';
import {
  applyEdits,
  type ConfigFormat,
  ConfigSyntaxError,
  isServerEntry,
  type ServerEntry,
  type Slot,
  type TextEdit,
} from '../../client-entries/formats/format.ts';
import { loadFormat } from '../../client-entries/formats/load-format.ts';
import { ApiError } from '../../contract/errors.ts';

import { type ConfigText, checkWritable, readClientConfig } from './read-config.ts';
import type { InitTarget } from './target.ts';

/** The planned change of a file. */
export type ConfigChange =
  | { kind: 'none' }
  | ({ kind: 'add' | 'replace' | 'remove'; config: ConfigText } & EditedText);

/** A text, the edits to it, and the resulting text. */
export type EditedText = { base: string; edits: TextEdit[]; text: string };

/**
 * Plans the entry of a target without changing anything. Throws `conflict` with the reason when
 * the file cannot be changed without touching other content.
 */
export async function planEntry(target: InitTarget): Promise<ConfigChange> {
  const { config, format, data } = await loadTarget(target);
  if (config.bytes === null && target.cannotCreate !== undefined) {
    throw new ApiError('conflict', `the file does not exist, and ${target.cannotCreate}`);
  }
  const current = findConfigEntry(data, target.slot);
  const entry = target.entry(current ?? undefined);
  if (current !== null && isDeepStrictEqual(current, entry)) return { kind: 'none' };
  checkWritable(config);
  const base = config.text.trim() === '' ? (target.start ?? '') : config.text;
  const edits = format.put(base, target.slot, entry);
  const text = applyEdits(base, edits);
  const before = base === config.text ? data : format.read(base);
  const result = withEntry(before, target.slot, entry);
  checkOnlyEntryChanged({ format, text, expected: result, slot: target.slot });
  return { kind: current === null ? 'add' : 'replace', config, base, edits, text };
}

/** Plans to remove the entry, and nothing else. */
export async function planRemoval(target: InitTarget): Promise<ConfigChange> {
  const { config, format, data } = await loadTarget(target);
  if (findConfigEntry(data, target.slot) === null) return { kind: 'none' };
  checkWritable(config);
  const edits = format.remove(config.text, target.slot);
  const text = applyEdits(config.text, edits);
  checkOnlyEntryChanged({
    format,
    text,
    expected: withEntry(data, target.slot, null),
    slot: target.slot,
  });
  return { kind: 'remove', config, base: config.text, edits, text };
}

/** The text with the entry; null when it cannot be inserted. */
export function textWithEntry(
  format: ConfigFormat,
  text: string,
  { slot, entry }: SlotEntry,
): string | null {
  try {
    return applyEdits(text, format.put(text, slot, entry));
  } catch (error) {
    if (error instanceof ConfigSyntaxError || error instanceof ApiError) return null;
    throw error;
  }
}

type SlotEntry = { slot: Slot; entry: ServerEntry };

async function loadTarget({ file, format: name }: InitTarget) {
  const format = await loadFormat(name);
  const config = await readClientConfig(file);
  return { config, format, data: readConfigData(format, config.text) };
}

function readConfigData(format: ConfigFormat, text: string): unknown {
  try {
    return format.read(text);
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    const { message, line, column } = error;
    const what = `it is not valid ${format.title} (line ${line}, column ${column}: ${message})`;
    const problem = `${what}; correct it, then run mneme init again`;
    throw new ApiError('conflict', problem, { cause: error });
  }
}

export function findConfigEntry(data: unknown, { keys, name, list }: Slot): ServerEntry | null {
  const servers = keys.reduce<unknown>(
    (inner, key) => (isServerEntry(inner) ? inner[key] : null),
    data,
  );
  if (list) return listedEntries(servers).find((item) => item.name === name) ?? null;
  const entry = isServerEntry(servers) && Object.hasOwn(servers, name) ? servers[name] : null;
  return isServerEntry(entry) ? entry : entry === null ? null : {};
}

function listedEntries(servers: unknown): ServerEntry[] {
  return Array.isArray(servers) ? servers.filter(isServerEntry) : [];
}

type EntryCheck = { format: ConfigFormat; text: string; expected: unknown; slot: Slot };

/** Parses the new text as the client will, and checks that only the entry has changed. */
function checkOnlyEntryChanged({ format, text, expected, slot }: EntryCheck): void {
  const config = withoutEmptyServers(readConfigData(format, text), slot.keys);
  if (isDeepStrictEqual(config, withoutEmptyServers(expected, slot.keys))) return;
  throw new ApiError(
    'conflict',
    'the entry is written in a way that mneme cannot change; edit it yourself',
  );
}

/** The data with the entry, or without it when it is null. */
function withEntry(data: unknown, slot: Slot, entry: ServerEntry | null): unknown {
  const root = isServerEntry(data) ? data : {};
  const [key, ...keys] = slot.keys;
  if (key !== undefined) return { ...root, [key]: withEntry(root[key], { ...slot, keys }, entry) };
  if (!slot.list) {
    const { [slot.name]: _, ...others } = root;
    return entry === null ? others : { ...others, [slot.name]: entry };
  }
  const items: unknown[] = Array.isArray(data) ? data : [];
  const at = items.findIndex((item) => isServerEntry(item) && item.name === slot.name);
  const index = at === -1 ? items.length : at;
  return items.toSpliced(index, at === -1 ? 0 : 1, ...(entry === null ? [] : [entry]));
}

/** Clients treat an empty object of servers like a missing one. */
function withoutEmptyServers(data: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  const root = isServerEntry(data) ? data : {};
  if (key === undefined) return data;
  const { [key]: inner, ...others } = root;
  const value = withoutEmptyServers(inner, rest);
  const isEmpty = value === null || value === undefined || Object.keys(value).length === 0;
  return isEmpty ? others : { ...others, [key]: value };
}
