import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import * as z from 'zod';

/** The header at the start of each table. */
export const TableHeader = z.object({
  format: z.literal(1),
  dimension: z.int().min(1),
  bytes: z.int(),
  sha256: z.string(),
});

export type TableFile<Header> = { header: Header; body: Buffer };

export type OpenTableFile<Header> = {
  header: Header;
  /** Bytes of what follows the header. */
  read(from: number, length: number): Buffer;
  close(): void;
};

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
  const { header, read, close } = openTableFile(file, schema);
  try {
    const body = read(0, header.bytes);
    if (verify && createHash('sha256').update(body).digest('hex') !== header.sha256)
      throw new Error('its content does not match its hash');
    return { header, body };
  } finally {
    close();
  }
}

/** Opens a table to read parts of it. Throws if the file is missing or cut short. */
export function openTableFile<Header extends z.infer<typeof TableHeader>>(
  file: string,
  schema: z.ZodType<Header>,
): OpenTableFile<Header> {
  const descriptor = openSync(file, 'r');
  const close = () => closeSync(descriptor);
  try {
    const { size } = fstatSync(descriptor);
    const first = readBytes(descriptor, 0, Math.min(size, headerMaxBytes));
    const start = first.indexOf(0x0a) + 1;
    if (start === 0) throw new Error('it is not a table of mneme');
    const header = schema.parse(JSON.parse(first.toString('utf8', 0, start)));
    if (size - start !== header.bytes)
      throw new Error(`it has ${size - start} of ${header.bytes} bytes`);
    return { header, read: (from, length) => readBytes(descriptor, start + from, length), close };
  } catch (error) {
    close();
    throw error;
  }
}

const headerMaxBytes = 1024;

function readBytes(descriptor: number, from: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const byteCount = readSync(descriptor, bytes, at, length - at, from + at);
    if (byteCount === 0) throw new Error(`it has ${at} of ${length} bytes`);
    at += byteCount;
  }
  return bytes;
}
