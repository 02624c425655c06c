import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { type Check, failed, ok, warning } from './check.ts';

const handshakeTimeoutMs = 5_000;

/** Warns this long before a certificate expires. */
const renewWithinDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Checks the certificate of an https address. Returns no check if the server can't be reached
 * directly; requests then report what is wrong.
 */
export async function checkCertificate(base_url: string): Promise<Check[]> {
  const { protocol, hostname, port } = new URL(base_url);
  if (protocol !== 'https:') return [];
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false, // only inspected; nothing is sent
  });
  try {
    const signal = AbortSignal.timeout(handshakeTimeoutMs);
    await once(socket, 'secureConnect', { signal });
    return [describeCertificate(socket)];
  } catch {
    return [];
  } finally {
    socket.destroy();
  }
}

function describeCertificate(socket: TLSSocket): Check {
  const name = 'Remote certificate';
  if (!socket.authorized) {
    const reason: unknown = socket.authorizationError;
    const found = `not valid: ${reason instanceof Error ? reason.message : String(reason)}`;
    const advice =
      'Ask the administrator of the remote to fix it. For a private certificate authority, set ' +
      'NODE_EXTRA_CA_CERTS=FILE.';
    return failed(name, found, advice);
  }
  const ends = new Date(socket.getPeerCertificate().valid_to);
  const found = `${socket.getProtocol()}, valid until ${ends.toISOString().slice(0, 10)}`;
  if (ends.getTime() - Date.now() > renewWithinDays * dayMs) return ok(name, found);
  return warning(name, found, 'Renew it soon.');
}
