import * as z from 'zod';
import type { Operation } from '../../src/contract/operation.ts';

/** The fields that no call of the operation can do without. */
export function requiredFields({ input, routes }: Operation): string[] {
  const inPath = [...(routes[0]?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
  return Object.entries(input.shape).flatMap(([field, schema]) =>
    inPath.includes(field) || !z.safeParse(schema, undefined).success ? [field] : [],
  );
}

/** An input that holds each of the fields, by what `values` has under its name. */
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
