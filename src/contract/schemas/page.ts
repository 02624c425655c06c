import * as z from 'zod';
import { limits } from '../limits.ts';

/** Page number, from 1. Query parameters arrive as text, so digits are read as a number. */
export const PageNumber = numeric(z.int().min(1).max(1_000_000_000)).describe('From 1');

export const PageSize = numeric(z.int().min(1).max(limits.page_size_max)).describe(
  `Default ${limits.page_size_default}`,
);

/** Reads digits in text as a number; text of anything else fails as text. */
export function numeric<T extends z.ZodNumber>(schema: T) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value),
    schema,
  );
}

/** Reads `true` and `false` in text as a boolean; query parameters arrive as text. */
export const Flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean(),
);

/** Names listed in text (`a,b`) are read as a list. */
export const NameList = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',').map((part) => part.trim()) : value),
  z.array(z.string().min(1).max(limits.category_max_chars)).min(1).max(limits.batch_size_max),
);

/** One page of a list: `total` counts all that match. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({
    results: z.array(item),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
  });
}
