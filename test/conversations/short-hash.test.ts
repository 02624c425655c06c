import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { shortHash } from '../../src/conversations/short-hash.ts';

// The notes of earlier imports name conversations by it.
it.each(['', 'I sail.', 'Åland 🏝️', 'half a sign \ud83c', 'long '.repeat(1000)])(
  'the hash of %j is the beginning of its SHA-256',
  (text) => {
    expect(shortHash(text)).toBe(createHash('sha256').update(text).digest('hex').slice(0, 32));
  },
);
