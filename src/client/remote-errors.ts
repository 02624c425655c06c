import { ApiError, type ErrorCode, type FieldErrors } from '../contract/errors.ts';
import { isObject } from '../contract/is-object.ts';
import { parseIfJson } from '../contract/schemas/json.ts';
import { cleanText } from '../contract/schemas/text.ts';

/** A response other than success. `text` is the body, possibly cut off. */
export type ErrorResponse = { status: number; text: string };

/**
 * The error for a remote's response. The remote's message about a request is passed on, shortened
 * and cleaned; its message about its own failure is not.
 */
export function errorFromResponse({ status, text }: ErrorResponse, host: string): ApiError {
  const remote = `the remote at ${host}`;
  if (status >= 300 && status < 400) {
    const next = 'Set base_url to that address.';
    return new ApiError('unavailable', `${remote} sends requests to another address`, { next });
  }
  if (status === 401) {
    const next = 'Ask the user to check api_key (MNEME_API_KEY) or api_key_command.';
    return new ApiError('unauthorized', `${remote} refused the API key`, { next });
  }
  const body = parseIfJson(text);
  if (unknownPathStatuses.has(status) || (status === 404 && !isObject(body))) {
    const code = status === 404 ? 'not_found' : 'unavailable';
    return new UnknownPathError(code, `${remote} has no such path (status ${status})`);
  }
  if (status >= 500 || status === 408 || status === 425) {
    return new ApiError('unavailable', `${remote} returned status ${status}`);
  }
  const code = codeByStatus.get(status) ?? 'invalid';
  const message = messageIn(body) ?? `${remote} refused this with status ${status}`;
  const fields = fieldErrorsIn(body);
  return new ApiError(code, message, { ...(fields && { fields }) });
}

/** The remote does not know the path; an alternate path may work. */
class UnknownPathError extends ApiError {
  constructor(code: 'not_found' | 'unavailable', message: string) {
    const next = 'Check base_url: it is the part before /v1/. Or the remote does not support this.';
    super(code, message, { next });
  }
}

/** True for a 404, which means an unknown path or resource. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof UnknownPathError || (error instanceof ApiError && error.code === 'not_found')
  );
}

const unknownPathStatuses = new Set([405, 410, 501]);

const codeByStatus = new Map<number, ErrorCode>([
  [402, 'forbidden'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [413, 'too_large'],
  [429, 'rate_limited'],
]);

/** Long enough to explain, short enough for a model to read. */
const messageMaxChars = 500;
const messageLevelsMax = 3;

/** The message of a body, under any of the keys that servers use; null without one. */
function messageIn(body: unknown): string | null {
  if (!isObject(body)) return null;
  const { message, detail, error, errors } = body;
  const messages = [message, detail, error, errors, body].map((value) =>
    flattenMessage(value, messageLevelsMax),
  );
  const words = messages.find((text) => text !== '');
  return words === undefined ? null : truncateLine(words, messageMaxChars);
}

/** Text, a list of texts, or texts by field, as one line. */
function flattenMessage(value: unknown, levels: number): string {
  if (typeof value === 'string') return value;
  if (levels === 0 || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value))
    return joinMessages(value.map((item) => flattenMessage(item, levels - 1)));
  const { loc, msg } = value as { loc?: unknown; msg?: unknown }; // either may be missing
  if (typeof msg === 'string') return Array.isArray(loc) ? `${loc.join('.')}: ${msg}` : msg;
  return joinMessages(
    Object.entries(value).map(([field, inner]) => {
      const words = flattenMessage(inner, levels - 1);
      return words === '' ? '' : `${field}: ${words}`;
    }),
  );
}

function joinMessages(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

function truncateLine(text: string, chars: number): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length > chars ? `${line.slice(0, chars).toWellFormed()}…` : line;
}

const errorFieldsMax = 20;

function fieldErrorsIn(body: unknown): FieldErrors | undefined {
  if (!isObject(body) || !isObject(body.errors)) return undefined;
  const entries = Object.entries(body.errors).slice(0, errorFieldsMax);
  return Object.fromEntries(
    entries.map(([field, problems]) => {
      const texts = [problems].flat().map((problem) => flattenMessage(problem, 1));
      const short = texts.map((problem) => truncateLine(problem, messageMaxChars));
      return [truncateLine(field, 60), short];
    }),
  );
}

/** A request without a response. */
export type NetworkError = {
  problem: string;
  /** The remote never saw it. */
  notSent: boolean;
  /** It may work in a moment. */
  transient: boolean;
};

/** Classifies a failed connection by its error code. */
export function classifyNetworkError(error: unknown): NetworkError {
  const code = systemErrorCode(error);
  const networkError = networkErrors.find(({ codes: own }) => own.test(code));
  if (networkError !== undefined) return networkError;
  return { problem: 'closed the connection before it answered', notSent: false, transient: true };
}

const networkErrors: readonly (NetworkError & { codes: RegExp })[] = [
  {
    codes: /^(ENOTFOUND|ERR_INVALID_URL)$/,
    problem: 'has an unknown host name: check base_url',
    notSent: true,
    transient: false,
  },
  {
    codes: /^EAI_/,
    problem: 'has a host name that cannot be resolved now',
    notSent: true,
    transient: true,
  },
  { codes: /^ECONNREFUSED$/, problem: 'refused the connection', notSent: true, transient: true },
  {
    codes: /^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT)$/,
    problem: 'cannot be reached',
    notSent: true,
    transient: true,
  },
  {
    codes: /CERT|SELF_SIGNED|LEAF_SIGNATURE/,
    problem: 'has a certificate that is not valid',
    notSent: true,
    transient: false,
  },
  {
    codes: /^ERR_(SSL|TLS)|^EPROTO$/,
    problem: 'does not speak TLS: check whether base_url is https or http',
    notSent: true,
    transient: false,
  },
  {
    codes: /TIMEOUT|ETIMEDOUT/,
    problem: 'stopped answering',
    notSent: false,
    transient: true,
  },
];

/** HTTP clients wrap system errors, some more than once. */
function systemErrorCode(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; depth += 1) {
    if ('code' in at && typeof at.code === 'string') return at.code;
    const [first] = at instanceof AggregateError ? at.errors : [];
    at = first ?? at.cause;
  }
  return '';
}
