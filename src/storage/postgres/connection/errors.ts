import { ApiError } from '../../../contract/errors.ts';

/** Describes a failure of the database to the operator; returns other errors unchanged. */
export function translatePostgresError(error: unknown, shown: string): unknown {
  if (error instanceof ApiError) return error;
  const problem = findProblem(error);
  return problem === null ? error : postgresUnavailable(shown, problem, error);
}

/** A problem of the database; only the operator is shown its address and what to do. */
export function postgresUnavailable(shown: string, problem: string, cause?: unknown): ApiError {
  const [what = problem] = problem.split(/[;,:(]/);
  const elsewhere = `the store ${what}; try again later`;
  return new ApiError('unavailable', `the database ${shown} ${problem}`, { elsewhere, cause });
}

/** True if the same transaction may succeed when it is retried. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** True if the connection lacks a prepared statement it should have, or already has it. */
export function isStatementMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === '26000' || code === '42P05';
}

/** True if the server rejects a cached plan because the columns of a table have changed. */
export function isPlanOutdated(error: unknown): boolean {
  // Other errors with this code cannot be fixed by a retry.
  const routine = error instanceof Error && 'routine' in error ? error.routine : null;
  return codeOf(error) === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * The same, unnoticed by the server: behind a pooler, another connection prepared the statement
 * after this one had learned its columns.
 */
export class ColumnsChangedError extends Error {}

/** True if a connection's prepared statement is unusable: another connection can run it. */
export function isStatementStale(error: unknown): boolean {
  return isStatementMissing(error) || isPlanOutdated(error) || error instanceof ColumnsChangedError;
}

/** True if the connection is lost: another one may work. */
export function isDisconnection(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== null && sqlState.test(code)) return disconnectionStates.test(code);
  if (code !== null && networkErrorCodes.has(code)) return true;
  if (findTlsProblem(error, code) !== null) return false;
  return error instanceof Error && /connection|timeout expired/i.test(error.message);
}

const sqlState = /^[0-9A-Z]{5}$/;
/** Ended by an administrator, crashed, starting up, or broken. */
const disconnectionStates = /^(57P0[123]|08...)$/;
const networkErrorCodes = new Set(
  (
    'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH ' +
    'ENOENT'
  ).split(' '),
);

const userRefused = 'refuses this user; check user name and password in database_url';
const problems: readonly [states: RegExp, message: string][] = [
  [/^28/, userRefused],
  [/^3D000$/, 'does not exist; create it, or correct the name in database_url'],
  [/^42501$/, 'denies this user a right that mneme needs; see docs/postgres.md for the roles'],
  [/^55P03$/, 'is busy: another process holds a lock; try again'],
  [/^57014$/, 'took too long; raise database_timeout_ms, or ask for less'],
  [/^53100$/, 'has no disk space left; free some'],
  [/^53300$/, 'accepts no more connections; lower database_pool_size or raise max_connections'],
  [/^53/, 'is out of resources; try again'],
  [/^25006$/, 'is read-only; use the address of the primary server'],
  [/^40/, 'had too many transactions in conflict; try again'],
];

/** The pool's message when no connection is returned to it in time. */
const poolTimeoutMessage = 'timeout exceeded when trying to connect';

function findProblem(error: unknown): string | null {
  if (error instanceof Error && error.message === poolTimeoutMessage) {
    return 'has no free connection in this process; raise database_pool_size, or try again';
  }
  const code = codeOf(error);
  const ofTls = findTlsProblem(error, code);
  if (ofTls !== null) return ofTls;
  const ofPooler = code === '08P01' ? findPoolerProblem(error) : undefined;
  if (ofPooler !== undefined) return ofPooler;
  const problem = problems.find(([states]) => code !== null && states.test(code));
  if (problem !== undefined) return problem[1];
  return isDisconnection(error)
    ? 'cannot be reached; is it running, and is the address right?'
    : null;
}

/** PgBouncer's own errors: all have the same code, and English messages. */
const poolerProblems: readonly [said: RegExp, message: string][] = [
  [/authentication failed|no such user/, userRefused],
  [
    /unsupported startup parameter/,
    'is behind a pooler that rejects these options; remove them from database_url, or add them ' +
      'to its ignore_startup_parameters',
  ],
  [
    /max_client_conn|max_.*_connections|query_wait_timeout/,
    'is behind a pooler with no free connection; raise its max_client_conn or ' +
      'default_pool_size, or lower database_pool_size',
  ],
];

function findPoolerProblem(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  return poolerProblems.find(([one]) => one.test(message))?.[1];
}

/** Recognizes OpenSSL codes as Node.js reports them, and messages of Node.js and the driver. */
function findTlsProblem(error: unknown, code: string | null): string | null {
  if (!(error instanceof Error)) return null;
  if (error.message === noTlsMessage) {
    return 'does not support TLS; enable it on the server (ssl = on), or remove sslmode';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'presents a certificate for another host name; use the name in the certificate';
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return 'presents an expired certificate; renew it on the server';
  }
  if (code !== null && /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code)) {
    return `presents a certificate that is not trusted (${code}); check sslrootcert in database_url`;
  }
  const lost = /ALERT_CERTIFICATE_(EXPIRED|REVOKED)$/.exec(code ?? '')?.[1];
  if (lost !== undefined)
    return certificateRejected(lost === 'EXPIRED' ? 'has expired' : 'was revoked');
  if (code !== null && clientCertificateAlert.test(code)) return certificateNotTrusted;
  return code === '28000' ? explainRefusal(error) : null;
}

/** Alerts that a server sends about a client certificate. */
const clientCertificateAlert = /^ERR_SSL_.*ALERT_(UNKNOWN_CA|.*CERTIFICATE.*)$/;
const certificateNotTrusted =
  'does not trust the client certificate; check sslcert in database_url, and ' +
  'ssl_ca_file on the server';

function certificateRejected(why: string): string {
  return `rejects the client certificate, which ${why}; renew sslcert of database_url`;
}

/** Why a user is refused, whatever the password. */
function explainRefusal(error: Error): string | null {
  // Messages are translated; names of files and functions are not.
  if (error.message.includes('pg_hba.conf')) {
    return error.message.includes('no encryption')
      ? 'refuses this user without TLS; add ?sslmode=verify-full to database_url'
      : 'refuses this user from this machine; see pg_hba.conf on the server';
  }
  if ('routine' in error && error.routine === 'ClientAuthentication') {
    return 'requires a client certificate; add sslcert and sslkey to database_url';
  }
  return error.message.includes('certificate')
    ? 'does not accept this certificate for this user; see pg_hba.conf on the server'
    : null;
}

/** The driver's message. */
const noTlsMessage = 'The server does not support SSL connections';

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
