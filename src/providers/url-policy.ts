import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type UrlPolicy = {
  /** Allows plain http, as on a private network. */
  allow_http: boolean;
  /** Allows loopback, private and all other addresses that are not publicly routed. */
  allow_private: boolean;
};

/**
 * All that is wrong with a URL, judged without resolving its name, and the options that would allow
 * it; null if it is allowed.
 */
export function urlProblem(url: string, { allow_http, allow_private }: UrlPolicy): string | null {
  const { protocol, hostname, username, password } = new URL(url);
  const problems = [
    schemeProblem(protocol, allow_http),
    allow_private || !isLocalHost(hostname) ? null : privateAddressProblem,
    // Everybody who can read webhooks can read their addresses.
    username === '' && password === '' ? null : credentialsProblem,
  ].filter((problem) => problem !== null);
  return problems.length === 0 ? null : problems.join('; ');
}

function schemeProblem(protocol: string, allow_http: boolean): string | null {
  if (protocol === 'https:' || (allow_http && protocol === 'http:')) return null;
  if (allow_http) return 'must be an http or https address';
  return `must be an https address${protocol === 'http:' ? ' (webhook_allow_http allows http)' : ''}`;
}

function isLocalHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isNamed = host === 'localhost' || host.endsWith('.localhost');
  return isNamed || (isIP(host) !== 0 && !isPublicAddress(host));
}

const credentialsProblem =
  'must not contain a user name or password (receivers verify deliveries by signature)';

export const privateAddressProblem =
  'must not resolve to a private, loopback or otherwise local address ' +
  '(webhook_allow_private allows it)';

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
