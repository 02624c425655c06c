import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../contract/errors.ts';
import { type ConfigText, checkWritable, readConfig } from './config-text.ts';
import { applyEdits, type Edit, type Format, type Slot, SyntaxProblem } from './formats/format.ts';
import { loadFormat } from './formats/load.ts';
import { type Entry, isEntry } from './shape.ts';
import type { Target } from './target.ts';

/** What would become of a file. */
export type Change =
  | { kind: 'none' }
  | ({ kind: 'add' | 'replace' | 'remove'; config: ConfigText } & Rewritten);

/** A text, the edits to it, and the text that they make of it. */
export type Rewritten = { base: string; edits: Edit[]; text: string };

/**
 * Plans the entry of a target and changes nothing. Throws `conflict` with the reason when the file
 * cannot be changed without touching something else.
 */
export async function planEntry(target: Target): Promise<Change> {
  const { config, format, data } = await load(target);
  if (config.bytes === null && target.never !== undefined) {
    throw new ApiError('conflict', `there is no such file, and ${target.never}`);
  }
  const existing = entryIn(data, target.slot);
  const entry = target.entry(existing ?? undefined);
  if (existing !== null && isDeepStrictEqual(existing, entry)) return { kind: 'none' };
  checkWritable(config);
  const base = config.text.trim() === '' ? (target.start ?? '') : config.text;
  const edits = format.put(base, target.slot, entry);
  const text = applyEdits(base, edits);
  const before = base === config.text ? data : format.read(base);
  const expected = withEntry(before, target.slot, entry);
  checkOnly({ format, text, expected, slot: target.slot });
  return { kind: existing === null ? 'add' : 'replace', config, base, edits, text };
}

/** Plans to take the entry away, and nothing else. */
export async function planRemoval(target: Target): Promise<Change> {
  const { config, format, data } = await load(target);
  if (entryIn(data, target.slot) === null) return { kind: 'none' };
  checkWritable(config);
  const edits = format.remove(config.text, target.slot);
  const text = applyEdits(config.text, edits);
  checkOnly({ format, text, expected: withEntry(data, target.slot, null), slot: target.slot });
  return { kind: 'remove', config, base: config.text, edits, text };
}

/** What putting an entry into a text makes of it; null when that is not possible. */
export function textWith(format: Format, text: string, { slot, entry }: Put): string | null {
  try {
    return applyEdits(text, format.put(text, slot, entry));
  } catch (error) {
    if (error instanceof SyntaxProblem || error instanceof ApiError) return null;
    throw error;
  }
}

type Put = { slot: Slot; entry: Entry };

async function load({ file, format: name }: Target) {
  const format = await loadFormat(name);
  const config = await readConfig(file);
  return { config, format, data: read(format, config.text) };
}

function read(format: Format, text: string): unknown {
  try {
    return format.read(text);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const { message, line, column } = error;
    const problem = `line ${line}, column ${column}: ${message}`;
    throw new ApiError('conflict', `it is broken, ${problem}`, { cause: error });
  }
}

/** The entry of that name; null when there is none. */
export function entryIn(data: unknown, { keys, name, list }: Slot): Entry | null {
  const servers = keys.reduce<unknown>((inner, key) => (isEntry(inner) ? inner[key] : null), data);
  if (list) return listed(servers).find((item) => item.name === name) ?? null;
  const entry = isEntry(servers) && Object.hasOwn(servers, name) ? servers[name] : null;
  return isEntry(entry) ? entry : entry === null ? null : {};
}

function listed(servers: unknown): Entry[] {
  return Array.isArray(servers) ? servers.filter(isEntry) : [];
}

type Check = { format: Format; text: string; expected: unknown; slot: Slot };

/** Reads the new text as the client will: all but the entry has to be what it was. */
function checkOnly({ format, text, expected, slot }: Check): void {
  const found = withoutEmpty(read(format, text), slot.keys);
  if (isDeepStrictEqual(found, withoutEmpty(expected, slot.keys))) return;
  throw new ApiError('conflict', 'the entry is written there in a way that only you can change');
}

/** The data with that entry, or without any when it is null. */
function withEntry(data: unknown, slot: Slot, entry: Entry | null): unknown {
  const root = isEntry(data) ? data : {};
  const [key, ...keys] = slot.keys;
  if (key !== undefined) return { ...root, [key]: withEntry(root[key], { ...slot, keys }, entry) };
  if (!slot.list) {
    const { [slot.name]: _, ...others } = root;
    return entry === null ? others : { ...others, [slot.name]: entry };
  }
  const items: unknown[] = Array.isArray(data) ? data : [];
  const at = items.findIndex((item) => isEntry(item) && item.name === slot.name);
  const place = at === -1 ? items.length : at;
  return items.toSpliced(place, at === -1 ? 0 : 1, ...(entry === null ? [] : [entry]));
}

/** Whether servers are an empty object or absent makes no difference to a client. */
function withoutEmpty(data: unknown, keys: readonly string[]): unknown {
  const [key, ...rest] = keys;
  const root = isEntry(data) ? data : {};
  if (key === undefined) return data;
  const { [key]: inner, ...others } = root;
  const value = withoutEmpty(inner, rest);
  const isEmpty = value === null || value === undefined || Object.keys(value).length === 0;
  return isEmpty ? others : { ...others, [key]: value };
}
