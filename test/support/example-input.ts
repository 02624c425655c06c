import * as z from 'zod';
import type { Operation } from '../../src/contract/operation.ts';

/** The fields that every call of the operation needs. */
export function requiredFields({ input, routes }: Operation): string[] {
  const inPath = [...(routes[0]?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
  return Object.entries(input.shape).flatMap(([field, schema]) =>
    inPath.includes(field) || !z.safeParse(schema, undefined).success ? [field] : [],
  );
}

/** An input with each of the fields, from the values of that name. */
export function pickFields<T>(
  fields: readonly string[],
  values: Readonly<Record<string, T>>,
): Record<string, T> {
  const entries = fields.map((field) => {
    const value = values[field];
    if (value === undefined) throw new Error(`no value for the field ${field}`);
    return [field, value] as const;
  });
  return Object.fromEntries(entries);
}
