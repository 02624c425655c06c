import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/**
 * 32 hexadecimal digits for a text. Browsers have a SHA-256 of their own on secure pages only, and
 * a server in the same network may be reached by plain HTTP.
 */
export function shortHash(text: string): string {
  return bytesToHex(sha256(new TextEncoder().encode(text))).slice(0, 32);
}
