import { createHash } from 'node:crypto';

/**
 * The number by which a published shape names something: 48 bits of the SHA-256 of its ids, exact
 * in JSON. One that counts would tell each tenant how many all the others make.
 */
export function publicNumber(...ids: readonly string[]): number {
  return createHash('sha256').update(JSON.stringify(ids)).digest().readUIntBE(0, 6);
}
