import { createHash } from 'node:crypto';

/** MD5 of the text in NFC, trimmed, white space collapsed: the published clients' hash. */
export function contentHash(text: string): string {
  const normalised = text.normalize('NFC').trim().replace(/\s+/g, ' ');
  return createHash('md5').update(normalised).digest('hex');
}
