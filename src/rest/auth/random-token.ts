import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, so that a plain hash is enough to keep them. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
