import { ApiError } from '../../../contract/errors.ts';

/** What went wrong at the database, said to whoever runs the server; others stay themselves. */
export function translatePostgresError(error: unknown, shown: string): unknown {
  if (error instanceof ApiError) return error;
  const problem = findProblem(error);
  return problem === null ? error : postgresUnavailable(shown, problem, error);
}

/** A problem of the database; only who runs the server reads where that is, and what to do. */
export function postgresUnavailable(shown: string, problem: string, cause?: unknown): ApiError {
  const [what = problem] = problem.split(/[;,:(]/);
  const elsewhere = `the store ${what}; try again later`;
  return new ApiError('unavailable', `the database ${shown} ${problem}`, { elsewhere, cause });
}

/** True where the same transaction may succeed when it is begun again. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01';
}

/** True where a connection has not the statement under this name that it was given, or has it. */
export function isStatementMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === '26000' || code === '42P05';
}

/** True where the server refuses the plan of a statement: tables have got other columns since. */
export function isPlanOutdated(error: unknown): boolean {
  // Others with this code are not to be mended.
  const routine = error instanceof Error && 'routine' in error ? error.routine : null;
  return codeOf(error) === '0A000' && routine === 'RevalidateCachedQuery';
}

/**
 * The same, only that the server has not noticed: a pooler had another connection plan the
 * statement, after this one was told what it answers.
 */
export class ColumnsChangedError extends Error {}

/** True where what a connection keeps of a statement is of no use: another one carries it out. */
export function isStatementStale(error: unknown): boolean {
  return isStatementMissing(error) || isPlanOutdated(error) || error instanceof ColumnsChangedError;
}

/** True when the connection is gone: another one may work. */
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
const networkErrorCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
]);

const userRefused = 'refuses this user; check user name and password in database_url';
const problems: readonly [states: RegExp, message: string][] = [
  [/^28/, userRefused],
  [/^3D000$/, 'does not exist; make it, or correct its name in database_url'],
  [/^42501$/, 'does not let this user do what is needed; see docs/postgres.md for its roles'],
  [/^55P03$/, 'is busy: another process does not let go; try again'],
  [/^57014$/, 'took too long; raise database_timeout_ms, or ask for less'],
  [/^53100$/, 'has no space left on its disk; free some'],
  [/^53300$/, 'takes no more connections; lower database_pool_size or raise max_connections'],
  [/^53/, 'has no resources left; try again'],
  [/^25006$/, 'is read-only; use the address of the primary server'],
  [/^40/, 'had too many transactions in conflict; try again'],
];

/** What the pool says when nobody gives a connection back in time. */
const poolTimeoutMessage = 'timeout exceeded when trying to connect';

function findProblem(error: unknown): string | null {
  if (error instanceof Error && error.message === poolTimeoutMessage) {
    return 'has all its connections of this process in use; raise database_pool_size, or try again';
  }
  const code = codeOf(error);
  const ofTls = findTlsProblem(error, code);
  if (ofTls !== null) return ofTls;
  const ofPooler = code === '08P01' ? findPoolerProblem(error) : undefined;
  if (ofPooler !== undefined) return ofPooler;
  const known = problems.find(([states]) => code !== null && states.test(code));
  if (known !== undefined) return known[1];
  return isDisconnection(error)
    ? 'cannot be reached; is it running, and is the address right?'
    : null;
}

/** What PgBouncer says of its own, under one code and in English. */
const poolerProblems: readonly [said: RegExp, message: string][] = [
  [/authentication failed|no such user/, userRefused],
  [
    /unsupported startup parameter/,
    'has a pooler in front that takes no such options; leave them out of database_url, or name ' +
      'them in its ignore_startup_parameters',
  ],
  [
    /max_client_conn|max_.*_connections|query_wait_timeout/,
    'has a pooler in front that has no connection free; raise its max_client_conn or ' +
      'default_pool_size, or lower database_pool_size',
  ],
];

function findPoolerProblem(error: unknown): string | undefined {
  const said = error instanceof Error ? error.message : '';
  return poolerProblems.find(([one]) => one.test(said))?.[1];
}

/** Codes of OpenSSL as Node.js has them, and what it and the driver say themselves. */
function findTlsProblem(error: unknown, code: string | null): string | null {
  if (!(error instanceof Error)) return null;
  if (error.message === noTlsMessage) {
    return 'does not speak TLS; turn it on at the server (ssl = on), or leave sslmode out';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'shows a certificate for another host name; write the name that the certificate has';
  }
  if (code === 'CERT_HAS_EXPIRED') {
    return 'shows a certificate that has ended; it has to be renewed at the server';
  }
  if (code !== null && /^(CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(code)) {
    return `shows a certificate that is not trusted (${code}); check sslrootcert in database_url`;
  }
  const lost = /ALERT_CERTIFICATE_(EXPIRED|REVOKED)$/.exec(code ?? '')?.[1];
  if (lost !== undefined)
    return certificateRejected(lost === 'EXPIRED' ? 'has ended' : 'was revoked');
  if (code !== null && clientCertificateAlert.test(code)) return certificateNotTrusted;
  return code === '28000' ? explainRefusal(error) : null;
}

/** Alerts that a server sends about the certificate of its client. */
const clientCertificateAlert = /^ERR_SSL_.*ALERT_(UNKNOWN_CA|.*CERTIFICATE.*)$/;
const certificateNotTrusted =
  'does not trust the certificate of this program; check sslcert in database_url, and ' +
  'ssl_ca_file at the server';

function certificateRejected(why: string): string {
  return (
    `does not take the certificate of this program any more, for it ${why}; renew sslcert of ` +
    'database_url'
  );
}

/** Why a user is not let in, whatever the password. */
function explainRefusal(error: Error): string | null {
  // Servers speak many languages; the names of their files and functions stay.
  if (error.message.includes('pg_hba.conf')) {
    return error.message.includes('no encryption')
      ? 'does not let this user in without TLS; add ?sslmode=verify-full to database_url'
      : 'does not let this user in from this machine; see pg_hba.conf at the server';
  }
  if ('routine' in error && error.routine === 'ClientAuthentication') {
    return 'asks for a certificate of this program; add sslcert and sslkey to database_url';
  }
  return error.message.includes('certificate')
    ? 'does not take this certificate for this user; see pg_hba.conf at the server'
    : null;
}

/** What the driver says. */
const noTlsMessage = 'The server does not support SSL connections';

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error && 'code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
