import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** What each table starts with. */
export const TableHeader = z.object({
  format: z.literal(1),
  dimension: z.int().min(1),
  bytes: z.int(),
  sha256: z.string(),
});

export type TableFile<Header> = { header: Header; body: Buffer };

/**
 * Reads a table that a tool of `tools/` wrote: a line of JSON, and what it describes. Throws if
 * the file is missing or cut short, and with `verify`, which takes as long as the rest, if it was
 * changed.
 */
export function readTableFile<Header extends z.infer<typeof TableHeader>>(
  file: string,
  schema: z.ZodType<Header>,
  { verify = false } = {},
): TableFile<Header> {
  const content = readFileSync(file);
  const start = content.indexOf(0x0a) + 1;
  if (start === 0 || start > headerMaxBytes) throw new Error('it is not a table of mneme');
  const header = schema.parse(JSON.parse(content.toString('utf8', 0, start)));
  const body = content.subarray(start);
  if (body.length !== header.bytes)
    throw new Error(`it has ${body.length} of ${header.bytes} bytes`);
  if (verify && createHash('sha256').update(body).digest('hex') !== header.sha256)
    throw new Error('its content does not match its hash');
  return { header, body };
}

const headerMaxBytes = 1024;
