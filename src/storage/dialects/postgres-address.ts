import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ApiError } from '../../contract/errors.ts';

/** A database's address, with what TLS needs; `shown` is what may be told of it. */
export type PostgresAddress = {
  connectionString: string;
  ssl: ConnectionOptions | false;
  shown: string;
  /** False where what travels can be read on the way. */
  isPrivate: boolean;
};

/**
 * Reads an address as libpq does: `sslmode` and the files of `sslrootcert`, `sslcert` and `sslkey`
 * are its parameters. Without `sslmode` there is no TLS.
 *
 * @throws {ApiError} invalid
 */
export function readAddress(address: string): PostgresAddress {
  const url = parse(address);
  const tls = takeParameters(url, ['sslmode', 'sslrootcert', 'sslcert', 'sslkey']);
  const socket = url.searchParams.get('host');
  const host = socket ?? url.hostname;
  const shown = `${host}${url.port === '' ? '' : `:${url.port}`}${url.pathname}`;
  const ssl = tlsOf(tls);
  const isHere = socket?.startsWith('/') || /^(localhost|127(\.\d+){3}|\[::1\]|)$/.test(host);
  return { connectionString: url.href, ssl, shown, isPrivate: isHere || ssl !== false };
}

function parse(address: string): URL {
  try {
    return new URL(address);
  } catch (error) {
    throw new ApiError('invalid', 'database_url is no address; write postgres://user@host/name', {
      cause: error,
    });
  }
}

type Name = 'sslmode' | 'sslrootcert' | 'sslcert' | 'sslkey';

/** The driver has its own reading of them: it never sees them. */
function takeParameters(url: URL, names: readonly Name[]): Partial<Record<Name, string>> {
  const taken: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = url.searchParams.get(name);
    if (value !== null) taken[name] = value;
    url.searchParams.delete(name);
  }
  return taken;
}

function tlsOf(given: Partial<Record<Name, string>>): ConnectionOptions | false {
  const { sslmode = 'disable', sslrootcert, sslcert, sslkey } = given;
  const files = {
    ...(sslrootcert !== undefined && { ca: contentOf('sslrootcert', sslrootcert) }),
    ...(sslcert !== undefined && { cert: contentOf('sslcert', sslcert) }),
    ...(sslkey !== undefined && { key: contentOf('sslkey', sslkey) }),
  };
  switch (sslmode) {
    case 'disable':
      return false;
    case 'require':
      // As libpq: who names an authority wants it checked.
      return files.ca === undefined
        ? { ...files, rejectUnauthorized: false }
        : { ...files, checkServerIdentity: () => undefined };
    case 'verify-ca':
      return { ...files, checkServerIdentity: () => undefined };
    case 'verify-full':
      return files;
    default:
      throw new ApiError(
        'invalid',
        'sslmode of database_url must be disable, require, verify-ca or verify-full',
      );
  }
}

function contentOf(name: Name, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ApiError('invalid', `${name} of database_url names a file that cannot be read`, {
      cause: error,
    });
  }
}
