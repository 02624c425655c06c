import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type UrlPolicy = {
  /** Allows plain http, as on a private network. */
  allow_http: boolean;
  /** Allows loopback, private and all other addresses that are not publicly routed. */
  allow_private: boolean;
};

/** Why a URL is not allowed, judged without resolving its name; null if it is allowed. */
export function urlProblem(url: string, { allow_http, allow_private }: UrlPolicy): string | null {
  const { protocol, hostname, username, password } = new URL(url);
  // Everybody who can read webhooks can read their addresses.
  if (username !== '' || password !== '') return credentialsProblem;
  if (protocol !== 'https:' && !(allow_http && protocol === 'http:')) {
    return allow_http ? 'must be an http or https address' : 'must be an https address';
  }
  if (allow_private) return null;
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const isForbidden = isLocal || (isIP(host) !== 0 && !isPublicAddress(host));
  return isForbidden ? privateAddressProblem : null;
}

const credentialsProblem =
  'must not contain a user name or password; receivers verify deliveries by signature';

export const privateAddressProblem =
  'must not resolve to a private, loopback or otherwise local address';

/**
 * True for publicly routed addresses. It is an allow list, so ranges that embed an IPv4 address
 * (mapped, compatible, translated, tunnelled) can't bypass it. Of version 6, only 2000::/3 is
 * routed.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  const isRouted = address.kind() === 'ipv4' || address.match(routedIpv6);
  return isRouted && address.range() === 'unicast';
}

const routedIpv6 = ipaddr.parseCIDR('2000::/3');
