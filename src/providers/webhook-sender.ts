import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { ApiError } from '../contract/errors.ts';
import type { WebhookSender } from '../core/ports/index.ts';
import {
  isPublicAddress,
  privateAddressProblem,
  type UrlPolicy,
  urlProblem,
} from './url-policy.ts';

export type WebhookSenderOptions = UrlPolicy & {
  /** From connecting until the head of the response has arrived. */
  timeout_ms: number;
  /** How names are resolved; by default by the operating system. */
  lookup?: LookupFunction;
};

/**
 * Posts webhook deliveries: verifies certificates, follows no redirects, discards response bodies.
 */
export function createWebhookSender(
  options: WebhookSenderOptions,
): WebhookSender & { close(): Promise<void> } {
  const { timeout_ms } = options;
  const agent = new Agent({
    connect: createCheckedConnector(options),
    headersTimeout: timeout_ms,
    bodyTimeout: timeout_ms,
    // Deliveries go to many addresses, each rarely, so idle connections are not worth keeping.
    keepAliveTimeout: 1_000,
  });

  return {
    urlProblem: (url) => urlProblem(url, options),
    post: async ({ url, headers, body, signal }) => {
      const problem = urlProblem(url, options);
      if (problem !== null) throw new ApiError('unavailable', `the address ${problem}`);
      const late = AbortSignal.timeout(timeout_ms);
      const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
      try {
        const { origin, pathname, search } = new URL(url);
        const path = pathname + search;
        const answer = await agent.request({
          origin,
          path,
          method: 'POST',
          headers,
          body,
          signal: ended,
        });
        // The body does not matter, even if it is incomplete.
        await answer.body.dump({ limit: responseMaxBytes }).catch(() => {});
        return { status: answer.statusCode };
      } catch (error) {
        throw new ApiError('unavailable', failureReason(error, timeout_ms), { cause: error });
      }
    },
    close: () => agent.destroy(),
  };
}

const responseMaxBytes = 64 * 1024;

/**
 * Connects only to checked addresses: the check is part of resolving the name for this connection,
 * so a name can't change its address in between.
 */
function createCheckedConnector(options: WebhookSenderOptions): buildConnector.connector {
  const { timeout_ms, allow_private, lookup = systemLookup } = options;
  const connect = buildConnector({
    timeout: timeout_ms,
    lookup: checkedLookup(lookup, { allow_private }),
  });
  return (to, callback) => {
    // A numeric address is not resolved, so it is checked here.
    if (isIP(to.hostname) !== 0 && !allow_private && !isPublicAddress(to.hostname)) {
      callback(new ForbiddenAddress(), null);
      return;
    }
    connect(to, callback);
  };
}

function checkedLookup(
  lookup: LookupFunction,
  { allow_private }: Pick<UrlPolicy, 'allow_private'>,
): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, address, family) => {
      const addresses = typeof address === 'string' ? [address] : (address ?? []).map(addressOf);
      if (error || allow_private || addresses.every(isPublicAddress))
        callback(error, address, family);
      else callback(new ForbiddenAddress(), '');
    });
}

function addressOf({ address }: { address: string }): string {
  return address;
}

class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** The reason for the delivery log, without details of this network. */
function failureReason(error: unknown, timeout_ms: number): string {
  const late = `no response within ${timeout_ms} ms`;
  if (!(error instanceof Error)) return requestFailed;
  if (error.name === 'TimeoutError') return late;
  if (error.name === 'AbortError') return 'the server is shutting down';
  const code = 'code' in error ? String(error.code) : '';
  if (code.includes('TIMEOUT') || code === 'ETIMEDOUT') return late;
  if (/CERT|SELF_SIGNED|LEAF_SIGNATURE/.test(code)) return 'the certificate is not valid';
  if (/^ERR_(SSL|TLS)|^EPROTO$/.test(code)) return 'a secure connection could not be established';
  return reasonByCode.get(code) ?? requestFailed;
}

const requestFailed = 'the request failed';
const connectionClosed = 'the connection was closed before a response';
const hostUnreachable = 'the host cannot be reached';

const reasonByCode = new Map([
  ['FORBIDDEN_ADDRESS', `the address ${privateAddressProblem}`],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name could not be resolved'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', connectionClosed],
  ['EPIPE', connectionClosed],
  ['UND_ERR_SOCKET', connectionClosed],
  ['EHOSTUNREACH', hostUnreachable],
  ['ENETUNREACH', hostUnreachable],
]);
