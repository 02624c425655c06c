import { X509Certificate } from 'node:crypto';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { ApiError } from '../../../contract/errors.ts';
import { configFileMaxBytes, readRegularFile } from '../../../regular-file.ts';

/** The address of a database with its TLS settings; `shown` holds no secret. */
export type PostgresAddress = {
  connectionString: string;
  ssl: ConnectionOptions | false;
  shown: string;
  /** False if the connection can be read on the way. */
  isPrivate: boolean;
};

/**
 * Parses an address as libpq does, with the parameters `sslmode`, `sslrootcert`, `sslcert`,
 * `sslkey` (files) and `sslpassword` (of the key). Without `sslmode`, TLS is not used.
 *
 * @throws {ApiError} invalid
 */
export function readPostgresAddress(address: string): PostgresAddress {
  const url = parse(address);
  const tls = takeParameters(url);
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
    throw new ApiError(
      'invalid',
      'database_url is not an address; write postgres://user@host/name',
      {
        cause: error,
      },
    );
  }
}

const tlsParameterNames = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslpassword'] as const;
type TlsParameterName = (typeof tlsParameterNames)[number];
type TlsParameters = Partial<Record<TlsParameterName, string>>;

/** Removes the TLS parameters, because the driver would read them differently. */
function takeParameters(url: URL): TlsParameters {
  const taken: TlsParameters = {};
  for (const name of tlsParameterNames) {
    const value = url.searchParams.get(name);
    if (value !== null) taken[name] = value;
    url.searchParams.delete(name);
  }
  return taken;
}

function tlsOf(parameters: TlsParameters): ConnectionOptions | false {
  const { sslmode } = parameters;
  if (sslmode === undefined) refuseTlsFiles(parameters);
  if (sslmode === undefined || sslmode === 'disable') return false;
  const files = filesOf(parameters);
  switch (sslmode) {
    case 'require':
      // As in libpq, a named authority is checked.
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

/** Refuses TLS files without `sslmode`: they would have no effect. */
function refuseTlsFiles(parameters: TlsParameters): void {
  const fileParameters = tlsParameterNames.filter((name) => parameters[name] !== undefined);
  if (fileParameters.length === 0) return;
  throw new ApiError(
    'invalid',
    `${fileParameters.join(', ')} of database_url: TLS is not used without sslmode; ` +
      'add sslmode=verify-full, verify-ca or require',
  );
}

/** Reads and checks the TLS files, so that a faulty one is reported before connecting. */
function filesOf({ sslrootcert, sslcert, sslkey, sslpassword }: TlsParameters): ConnectionOptions {
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new ApiError('invalid', 'database_url needs both sslcert and sslkey, or neither');
  }
  const authority = sslrootcert !== undefined && {
    ca: readCertificate('sslrootcert', sslrootcert),
  };
  const certificate = sslcert !== undefined && { cert: readCertificate('sslcert', sslcert) };
  const key = sslkey !== undefined && {
    key: readTlsFile('sslkey', sslkey),
    ...(sslpassword !== undefined && { passphrase: sslpassword }),
  };
  tryWithProblem(
    // Node.js takes an empty key for none, without an error.
    () => createSecureContext(key === false ? {} : { ...key, key: key.key || 'none' }),
    'sslkey of database_url is not a readable key; an encrypted one needs sslpassword',
  );
  tryWithProblem(
    () => createSecureContext({ ...certificate, ...key }),
    'sslkey of database_url is not the key of sslcert',
  );
  return { ...authority, ...certificate, ...key };
}

function readCertificate(name: TlsParameterName, path: string): string {
  const content = readTlsFile(name, path);
  const problem = `${name} of database_url names a file without a certificate`;
  tryWithProblem(() => new X509Certificate(content), problem);
  return content;
}

function tryWithProblem(read: () => unknown, problem: string): void {
  try {
    read();
  } catch (error) {
    throw new ApiError('invalid', problem, { cause: error });
  }
}

function readTlsFile(name: TlsParameterName, path: string): string {
  const label = `${name} of database_url`;
  try {
    return readRegularFile(path, { bytesMax: configFileMaxBytes, label }).toString('utf8');
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('invalid', `${label} names a file that cannot be read`, {
      cause: error,
    });
  }
}
