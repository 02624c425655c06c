import { reasonOf } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';

export const valueKinds = ['text', 'number', 'yes or no', 'JSON'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** A key and its value as they are typed. */
export type MetadataRow = { key: string; kind: ValueKind; text: string };

/** What was typed: rows, or the JSON of the whole. */
export type TypedMetadata = { rows: readonly MetadataRow[] } | { json: string };

export function rowsOf(metadata: Record<string, unknown>): MetadataRow[] {
  return Object.entries(metadata).map(([key, value]) => ({ key, ...typedValue(value) }));
}

function typedValue(value: unknown): Pick<MetadataRow, 'kind' | 'text'> {
  if (typeof value === 'string') return { kind: 'text', text: value };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { kind: 'yes or no', text: value ? 'yes' : 'no' };
  return { kind: 'JSON', text: JSON.stringify(value) };
}

/** @throws {Error} that says which key or value is wrong, and what it may be */
export function readMetadata(input: TypedMetadata): Record<string, unknown> {
  return 'json' in input ? readJson(input.json) : readRows(input.rows);
}

function readJson(json: string): Record<string, unknown> {
  const value = parsed(json.trim() || '{}', 'Metadata');
  if (isObject(value)) return value;
  throw new Error('Metadata must be a JSON object, such as {"source": "mail"}.');
}

function readRows(rows: readonly MetadataRow[]): Record<string, unknown> {
  const read = new Map<string, unknown>();
  for (const row of rows) {
    const key = row.key.trim();
    if (key === '' && row.text.trim() === '') continue;
    if (key === '') throw new Error(`Metadata: the value "${row.text}" has no key.`);
    if (read.has(key)) throw new Error(`Metadata: the key "${key}" is there twice.`);
    read.set(key, readValue(row));
  }
  return Object.fromEntries(read);
}

function readValue({ key, kind, text }: MetadataRow): unknown {
  if (kind === 'text') return text;
  if (kind === 'JSON') return parsed(text, `The value of "${key}"`);
  if (kind === 'yes or no') return text === 'yes';
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new Error(`The value of "${key}" must be a number, such as 7 or 2.5.`);
}

function parsed(json: string, what: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${reasonOf(error)}`);
  }
}
