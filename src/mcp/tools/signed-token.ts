import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../contract/is-object.ts';

/** Of the HMAC's 32 bytes: short enough for a model to repeat, too many to guess. */
const macBytes = 16;

/** What a confirmation is good for: the exact request, and until when. */
export type SignedRequest = { secret: string; request: unknown; now: number };

/** A token that confirms exactly this request for a while: `expiry.mac`. */
export function signRequest({ secret, request, now }: SignedRequest, lifetimeMs: number): string {
  const expiry = Math.ceil((now + lifetimeMs) / 1000).toString(36);
  return `${expiry}.${computeMac(secret, expiry, request)}`;
}

/** True when a token was made for this request and has not expired. */
export function verifyToken(token: string, { secret, request, now }: SignedRequest): boolean {
  const [expiry = '', mac = ''] = token.trim().split('.');
  const expected = Buffer.from(computeMac(secret, expiry, request));
  const given = Buffer.from(mac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return Number.parseInt(expiry, 36) * 1000 >= now;
}

function computeMac(secret: string, expiry: string, request: unknown): string {
  const signed = createHmac('sha256', secret)
    .update(`${expiry}\n${canonicalJson(request)}`)
    .digest();
  return signed.subarray(0, macBytes).toString('base64url');
}

/** JSON with sorted keys, so that the same request always reads the same. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(byKey)) : inner,
  );
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
