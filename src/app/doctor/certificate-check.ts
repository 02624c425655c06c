import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { reasonOf } from '../../contract/errors.ts';
import { dayMs, isoDayOf } from '../../contract/wall-clock.ts';
import { type Check, failed, ok, warning } from './check.ts';

const handshakeTimeoutMs = 5_000;

/** An operator who renews certificates late still has this long to notice. */
const renewWithinDays = 14;
/**
 * Checks the certificate of an https address. Finds nothing when the address cannot be reached
 * directly: then the requests report what is wrong.
 */
export async function checkCertificate(base_url: string): Promise<Check[]> {
  const { protocol, hostname, port } = new URL(base_url);
  if (protocol !== 'https:') return [];
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false, // the check reports what is wrong, and sends nothing
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
    const finding = `not valid: ${reasonOf(reason)}`;
    const advice =
      'Ask the operator of the remote to fix it. For your own certificate authority, set ' +
      'NODE_EXTRA_CA_CERTS=FILE.';
    return failed(name, finding, advice);
  }
  const ends = new Date(socket.getPeerCertificate().valid_to);
  const finding = `${socket.getProtocol()}, valid until ${isoDayOf(ends.toISOString())}`;
  if (ends.getTime() - Date.now() > renewWithinDays * dayMs) return ok(name, finding);
  return warning(name, finding, 'Renew it soon.');
}
