import * as z from 'zod';
import { limits } from '../limits.ts';
import { parseIfJson } from './json.ts';

/** Parses a number in text, as in query parameters; other text fails as text. */
export function numeric<T extends z.ZodNumber>(schema: T) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    schema,
  );
}

/** Parses `true` and `false` in text, as in query parameters. */
export const Flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

/** A list of names, also accepted as text (`a,b`, or JSON). */
export const NameList = z.preprocess(
  readNames,
  z.array(z.string().min(1).max(limits.category_max_chars)).min(1).max(limits.batch_size_max),
);

/** Reads names in text. */
export function readNames(value: unknown): unknown {
  const read = parseIfJson(value);
  if (Array.isArray(read) || typeof value !== 'string') return read;
  return value.split(',').map((part) => part.trim());
}
