import type { Config } from '../../config/options.ts';
import { openHttpPool } from '../http-pool.ts';
import { isLoopbackHost } from '../loopback.ts';
import { type Check, ok, warning } from './check.ts';

type RestServerConfig = Pick<Config, 'host' | 'port' | 'cors_origins'>;

const name = 'REST service';

/** Checks how the REST service can be reached, and whether a server uses its port already. */
export async function checkRestServer(config: RestServerConfig): Promise<Check> {
  const { host, port, cors_origins } = config;
  const user = port === 0 ? null : await findPortUser(config);
  if (user === 'another program') {
    const advice = 'Stop that program, or choose another port with --port or MNEME_PORT.';
    const finding = `another program listens on ${host}, port ${port}: mneme serve cannot start there`;
    return warning(name, finding, advice);
  }
  const who = user === null ? 'mneme serve would listen' : `${user} is running, and listens`;
  const finding = `${who} on ${host}, port ${port === 0 ? 'any free one' : port}`;
  if (cors_origins.includes('*')) {
    const advice = 'Name the origins of your own pages instead of * with --cors-origins.';
    return warning(name, `${finding}, for pages of any origin`, advice);
  }
  if (isLoopbackHost(host)) return ok(name, `${finding}: this machine only`);
  const advice = 'Keys travel unencrypted: put a TLS proxy in front of it.';
  return warning(name, `${finding}: reachable from other machines`, advice);
}

/** A server on this machine answers much sooner. */
const probeTimeoutMs = 2000;

/** What uses the port: `mneme 0.1.0`, `another program`, or null for a free port. */
async function findPortUser({ host, port }: RestServerConfig): Promise<string | null> {
  const url = `http://${hostToConnect(host)}:${port}`;
  const { fetch, close } = openHttpPool({ url, timeout_ms: probeTimeoutMs });
  try {
    const { signal } = new AbortController(); // The pool has its own time limits.
    const init = { method: 'GET', headers: {}, redirect: 'manual', signal } as const;
    const { headers } = await fetch(`${url}/healthz`, init);
    const version = headers.get('x-mneme-version');
    return version === null ? 'another program' : `mneme ${version}`;
  } catch (error) {
    return isListening(error) ? 'another program' : null;
  } finally {
    await close();
  }
}

/** An address for all interfaces is not one to connect to. */
function hostToConnect(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** Whether a failed request reached a program, which then did not answer as HTTP servers do. */
function isListening(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause ? String(cause.code) : '';
  const isCut = ['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT'].includes(code);
  return isCut || cause.name === 'HTTPParserError';
}
