import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type UrlPolicy = {
  /** Plain http is fine, as on a network of one's own. */
  allow_http: boolean;
  /** So are loopback, private and every other address that the public network does not route. */
  allow_private: boolean;
};

/** What forbids a URL, as far as its own words tell; a name's addresses show once resolved. */
export function urlProblem(url: string, { allow_http, allow_private }: UrlPolicy): string | null {
  const { protocol, hostname, username, password } = new URL(url);
  // All who may read webhooks read their addresses.
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
  'must hold no user name and no password; a receiver knows deliveries by their signature';

export const privateAddressProblem =
  'must not lead to a private, loopback or otherwise local address';

/**
 * True for addresses that the public network routes. The list is of what is allowed: ranges that
 * carry an IPv4 address inside (mapped, translated, tunnelled) are no way around it.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
}
