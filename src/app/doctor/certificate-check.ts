import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { type Check, failed, ok, warning } from './check.ts';

const handshakeTimeoutMs = 5_000;

/** Who renews certificates late has this long to notice. */
const renewWithinDays = 14;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Looks at the certificate that an https address shows. Finds nothing where it is not reached, or
 * not directly: then requests say what is wrong.
 */
export async function checkCertificate(base_url: string): Promise<Check[]> {
  const { protocol, hostname, port } = new URL(base_url);
  if (protocol !== 'https:') return [];
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false, // what is wrong with it is told, and nothing is sent
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
      'Whoever runs the remote has to mend it. An authority of your own is named by ' +
      'NODE_EXTRA_CA_CERTS=FILE.';
    return failed(name, found, advice);
  }
  const ends = new Date(socket.getPeerCertificate().valid_to);
  const found = `${socket.getProtocol()}, valid until ${ends.toISOString().slice(0, 10)}`;
  if (ends.getTime() - Date.now() > renewWithinDays * dayMs) return ok(name, found);
  return warning(name, found, 'It has to be renewed soon.');
}
