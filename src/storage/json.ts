import type { Json } from './schema.ts';

export function toJson(value: unknown): Json {
  return JSON.stringify(value);
}

/** Reads what {@link toJson} wrote: the type is the writer's, and nobody else writes these columns. */
export function fromJson<T>(text: Json): T {
  return JSON.parse(text) as T;
}
