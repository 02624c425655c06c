import type * as z from 'zod';

/** What a caller asked for: an input without the fields that have the value of an absent one. */
export function withoutDefaults<S extends z.ZodObject>(
  schema: S,
  input: object,
): Record<string, unknown> {
  const absent = defaultsOf(schema);
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !isSame(value, absent[name])),
  );
}

/** Defaults are JSON. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const known = new WeakMap<z.ZodObject, Record<string, unknown>>();

function defaultsOf(schema: z.ZodObject): Record<string, unknown> {
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  const fields = Object.entries(schema.shape).flatMap(([name, field]) => {
    const absent = (field as z.ZodType).safeParse(undefined);
    return absent.success ? [[name, absent.data] as const] : [];
  });
  const defaults = Object.fromEntries(fields);
  known.set(schema, defaults);
  return defaults;
}
