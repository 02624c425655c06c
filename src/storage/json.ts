import type { Json } from './schema.ts';

export function toJson(value: unknown): Json {
  return JSON.stringify(value);
}

/** Reads what {@link toJson} wrote: nobody else writes these columns, so the type holds. */
export function fromJson<T>(text: Json): T {
  return JSON.parse(text) as T;
}
