import * as z from 'zod';
import { limits } from '../limits.ts';
import { numeric } from './query-values.ts';

/** Page number, from 1. */
export const PageNumber = numeric(z.int().min(1).max(1_000_000_000)).describe('Page, from 1');

export const PageSize = numeric(z.int().min(1).max(limits.page_size_max)).describe(
  `Default ${limits.page_size_default}`,
);

/** One page of a list; `total` counts all matches. */
export function pageSchema<T extends z.ZodType>(item: T) {
  return z.object({
    results: z.array(item),
    total: z.int(),
    page: z.int(),
    page_size: z.int(),
  });
}
