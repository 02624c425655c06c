import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../contract/is-object.ts';

/** Bytes of the HMAC: short enough for a model to repeat, too long to guess. */
const macBytes = 16;

/** A confirmation is valid for exactly this request. */
export type SignedRequest = { secret: string; request: unknown; now: number };

/** Creates a token that confirms exactly this request for a limited time: `expiry.mac`. */
export function signRequest({ secret, request, now }: SignedRequest, lifetimeMs: number): string {
  const expiry = Math.ceil((now + lifetimeMs) / 1000).toString(36);
  return `${expiry}.${computeMac(secret, expiry, request)}`;
}

/** Whether a token was made for this request and has not expired. */
export function verifyToken(token: string, { secret, request, now }: SignedRequest): boolean {
  const [expiry = '', mac = ''] = token.trim().split('.');
  const expected = Buffer.from(computeMac(secret, expiry, request));
  const actual = Buffer.from(mac);
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return false;
  return Number.parseInt(expiry, 36) * 1000 >= now;
}

function computeMac(secret: string, expiry: string, request: unknown): string {
  const signature = createHmac('sha256', secret)
    .update(`${expiry}\n${canonicalJson(request)}`)
    .digest();
  return signature.subarray(0, macBytes).toString('base64url');
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
