import type { FilterScalar } from '../../contract/schemas/filter.ts';
import type { JsonText } from './schema/columns.ts';

export function toJson(value: unknown): JsonText {
  return JSON.stringify(value);
}

/** Parses what {@link toJson} wrote. Nothing else writes these columns, so the type is right. */
export function fromJson<T>(text: JsonText): T {
  return JSON.parse(text) as T;
}

/** Null for an empty list, which takes no space. */
export function toJsonList(list: readonly string[]): JsonText | null {
  return list.length === 0 ? null : toJson(list);
}

/** Parses what {@link toJsonList} wrote. */
export function fromJsonList(text: JsonText | null): string[] {
  return text === null ? [] : fromJson<string[]>(text);
}

/** Parses the list columns of a row; a missing text is an empty list. */
export function listsFromJson<T extends object>(row: { [N in keyof T]: JsonText | null }): T {
  const columns = Object.entries<JsonText | null>(row);
  return Object.fromEntries(columns.map(([name, text]) => [name, JSON.parse(text ?? '[]')])) as T;
}

/** The values by their type in JSON, which decides what they can be equal to. */
export function scalarsByType(values: readonly FilterScalar[]) {
  return {
    texts: values.filter((value) => typeof value === 'string'),
    numbers: values.filter((value) => typeof value === 'number'),
    flags: values.filter((value) => typeof value === 'boolean').map(String),
    nulls: values.includes(null) ? ['null'] : [],
  };
}

/** The same text for equal values, whatever the order of their keys, for comparison as text. */
export function toSortedJson(value: unknown): JsonText {
  return JSON.stringify(value, (_, part: unknown) => (isPlainObject(part) ? sortKeys(part) : part));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortKeys(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
