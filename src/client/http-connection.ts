import { ApiError, invalid } from '../contract/errors.ts';
import { outputMediaType, versionHeader } from '../contract/http-binding.ts';
import { cleanJson, cleanLine } from '../contract/schemas/text.ts';
import type { Log } from '../log.ts';
import { type Deadline, raceAbort, sleep } from './deadline.ts';
import { type Fetch, type FetchResponse, readBodyText } from './fetch.ts';
import { classifyNetworkError, errorFromResponse } from './remote-errors.ts';
import {
  isSafeToRetry,
  isTransientStatus,
  parseRetryAfter,
  type RetryPolicy,
  retryDelay,
} from './retry.ts';

export type HttpConnectionOptions = RetryPolicy & {
  /** The part before `/v1/`, with or without a final slash. */
  base_url: string;
  /** The key, or a function that returns one; it receives a refused key and may return another. */
  api_key: string | ((refused: string | null) => Promise<string>);
  fetch: Fetch;
  log?: Log | undefined;
  /** For tests: how to wait, and a number from 0 to 1. */
  sleep?: typeof sleep | undefined;
  random?: (() => number) | undefined;
  now: () => number;
};

/** One request. Its effect decides when it may be retried. */
export type OutgoingRequest = {
  method: string;
  path: string;
  body: unknown;
  /**
   * `reads`: changes nothing. `idempotent`: repeating it changes nothing more. `writes`: only an
   * idempotency key, if the remote supports it, makes repeating it safe.
   */
  effect: 'reads' | 'idempotent' | 'writes';
};

export type IncomingResponse = {
  status: number;
  /** The parsed JSON; undefined without a body. */
  body: unknown;
  /** The body is a complete output, not a published shape. */
  isOutput: boolean;
};

/** Sends requests to one remote, with retries: it may be busy, restart, or limit requests. */
export type HttpConnection = {
  /** Throws the error of {@link errorFromResponse}, or `unavailable` without a response. */
  send(request: OutgoingRequest, deadline: Deadline): Promise<IncomingResponse>;
  /** The version of mneme on the remote; null for another server, or without a response. */
  version(deadline: Deadline): Promise<string | null>;
  host: string;
};

/** The outcome of an attempt. */
type AttemptOutcome = { answer: IncomingResponse } | FailedAttempt;

type FailedAttempt = { problem: ApiError; retry: RetryableRequests; retry_after_ms: number | null };

/**
 * Which requests may be retried: `any` if nothing was done, `repeatable` if it may have been,
 * `reads` if it was started and failed.
 */
type RetryableRequests = 'any' | 'repeatable' | 'reads' | 'none';

export function createHttpConnection(options: HttpConnectionOptions): HttpConnection {
  const base = normalizeBaseUrl(options.base_url);
  const { host } = new URL(base);
  let version: string | null | undefined;
  const connection: ConnectionState = {
    options,
    base,
    host,
    onAnswer: ({ headers, status }) => {
      const serverVersion = headers.get(versionHeader);
      // A 502 comes from a proxy.
      if (serverVersion !== null) version = cleanLine(serverVersion);
      else if (status < 500) version ??= null;
    },
    version: async (deadline) => {
      if (version === undefined)
        await sendOnce(pingRequest, { ...connection, deadline }).catch(() => null);
      return version ?? null;
    },
  };
  return {
    send: (request, deadline) => sendWithRetries(request, { ...connection, deadline }),
    version: connection.version,
    host,
  };
}

/** A request that any caller may send, to identify the server. */
export const pingRequest: OutgoingRequest = {
  method: 'GET',
  path: '/v1/ping/',
  body: null,
  effect: 'reads',
};

function normalizeBaseUrl(url: string): string {
  const problem = baseUrlProblem(url);
  if (problem !== null) throw new ApiError('invalid', `the address ${problem}`);
  return new URL(url).href.replace(/(?<!\/)\/+$/, '');
}

/** What is wrong with the address of an instance, as the end of a sentence; null if valid. */
export function baseUrlProblem(url: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    return 'must start with https:// or http://';
  }
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    return 'must not contain a user, query or fragment';
  }
  return null;
}

type ConnectionState = {
  options: HttpConnectionOptions;
  base: string;
  host: string;
  onAnswer: (answer: FetchResponse) => void;
  version: HttpConnection['version'];
};
type SendContext = ConnectionState & { deadline: Deadline };

async function sendWithRetries(
  request: OutgoingRequest,
  sending: SendContext,
): Promise<IncomingResponse> {
  const { options, deadline } = sending;
  const keyed = { ...request, key: request.effect === 'reads' ? null : newIdempotencyKey() };
  let unsure = false;
  for (let tries = 1; ; tries += 1) {
    const outcome = await sendOnce(keyed, sending);
    if ('answer' in outcome) return outcome.answer;
    const { retry, retry_after_ms, problem } = outcome;
    const pause = retryDelay(tries, options, {
      asked_ms: retry_after_ms,
      random: options.random ?? Math.random,
    });
    const isOver = retry === 'none' || tries >= options.tries_max || pause > deadline.remainingMs();
    if (isOver || !(await mayRetry(keyed, retry, sending))) {
      throw finalError(outcome, { ...request, unsure });
    }
    unsure ||= retry !== 'any';
    options.log?.('warn', 'request failed, retrying', {
      reason: problem.message,
      in_ms: Math.round(pause),
    });
    await (options.sleep ?? sleep)(pause, deadline.signal).catch((error: unknown) => {
      throw deadline.isExpired() ? problem : error;
    });
  }
}

async function mayRetry(
  { effect }: OutgoingRequest,
  again: RetryableRequests,
  { deadline, version }: SendContext,
): Promise<boolean> {
  if (again === 'any' || effect === 'reads') return true;
  if (again === 'reads') return false;
  return effect === 'idempotent' || (await version(deadline)) !== null;
}

type KeyedRequest = OutgoingRequest & { key?: string | null };

async function sendOnce(request: KeyedRequest, sending: SendContext): Promise<AttemptOutcome> {
  const { options, base, host, deadline, onAnswer } = sending;
  const api_key = await resolveApiKey(options, deadline);
  try {
    const answer = await options.fetch(base + request.path, {
      method: request.method,
      headers: requestHeaders(request, api_key),
      ...(request.body !== null && { body: JSON.stringify(request.body) }),
      signal: deadline.signal,
      redirect: 'manual',
    });
    onAnswer(answer);
    return await classifyResponse(answer, { options, host, api_key, deadline });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (deadline.isExpired())
      return lost(`gave no answer within ${deadline.timeout_ms} ms`, 'none');
    if (deadline.signal.aborted) throw deadline.signal.reason;
    const { problem, notSent, transient } = classifyNetworkError(error);
    return lost(problem, notSent ? (transient ? 'any' : 'none') : 'repeatable');
  }

  function lost(problem: string, retry: RetryableRequests): AttemptOutcome {
    return {
      problem: unavailableError(`the remote at ${host} ${problem}`),
      retry,
      retry_after_ms: null,
    };
  }
}

function requestHeaders({ body, key }: KeyedRequest, api_key: string): Record<string, string> {
  return {
    Authorization: `Token ${api_key}`,
    Accept: `${outputMediaType}, application/json`,
    ...(body !== null && { 'Content-Type': 'application/json' }),
    ...(typeof key === 'string' && { 'Idempotency-Key': key }),
  };
}

async function resolveApiKey(
  { api_key }: HttpConnectionOptions,
  deadline: Deadline,
): Promise<string> {
  const key = typeof api_key === 'string' ? api_key : await waitForApiKey(api_key(null), deadline);
  // Other characters are not valid in a header. The error does not repeat the key.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalid('api_key', key === '' ? 'is empty' : 'must be ASCII without white space');
}

/** A person may have to unlock a password store; later calls get the key at once. */
async function waitForApiKey(key: Promise<string>, deadline: Deadline): Promise<string> {
  try {
    return await raceAbort(key, deadline.signal);
  } catch (error) {
    if (!deadline.isExpired()) throw error;
    throw unavailableError(`no API key came within ${deadline.timeout_ms} ms`);
  }
}

type ResponseContext = {
  options: HttpConnectionOptions;
  host: string;
  api_key: string;
  deadline: Deadline;
};

async function classifyResponse(
  answer: FetchResponse,
  { options, host, api_key, deadline }: ResponseContext,
): Promise<AttemptOutcome> {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return parseResponse(answer, host);
  const text = (await readBodyText(answer, errorBodyMaxBytes)) ?? '';
  // Browsers hide redirects and report status 0.
  const problem = errorFromResponse({ status: status || 302, text }, host);
  const retry_after_ms = parseRetryAfter(headers.get('Retry-After'), options.now());
  const outcome = (retry: RetryableRequests): AttemptOutcome => ({
    problem,
    retry,
    retry_after_ms,
  });
  if (isSafeToRetry(status, retry_after_ms)) return outcome('any');
  // The first request with this key is still running.
  if (status === 409 && retry_after_ms !== null) return outcome('any');
  if (status === 401)
    return outcome((await hasNewApiKey(options, { refused: api_key, deadline })) ? 'any' : 'none');
  if (status === 500) return outcome('reads');
  return outcome(isTransientStatus(status) ? 'repeatable' : 'none');
}

async function hasNewApiKey(
  { api_key }: HttpConnectionOptions,
  { refused, deadline }: { refused: string; deadline: Deadline },
): Promise<boolean> {
  return (
    typeof api_key !== 'string' && (await waitForApiKey(api_key(refused), deadline)) !== refused
  );
}

/** Larger than any page of memories. */
const responseMaxBytes = 64 * 1024 * 1024;
const errorBodyMaxBytes = 64 * 1024;

async function parseResponse(answer: FetchResponse, host: string): Promise<AttemptOutcome> {
  const { status, headers } = answer;
  const unread = (what: string): AttemptOutcome => {
    const problem = unavailableError(`the remote at ${host} returned ${what}`);
    return { problem, retry: 'none', retry_after_ms: null };
  };
  const text = await readBodyText(answer, responseMaxBytes);
  if (text === null) return unread(`more than ${responseMaxBytes} bytes`);
  const isOutput = headers.get('Content-Type')?.startsWith(outputMediaType) ?? false;
  if (text.trim() === '') return { answer: { status, body: undefined, isOutput } };
  try {
    return { answer: { status, body: cleanJson(JSON.parse(text)), isOutput } };
  } catch {
    return unread('a body that is not JSON; check base_url');
  }
}

/** The error after the last try. */
function finalError(
  { problem, retry, retry_after_ms }: FailedAttempt,
  { effect, unsure }: OutgoingRequest & { unsure: boolean },
): ApiError {
  const { code, message, fields } = problem;
  if (code === 'not_found' && unsure) {
    return new ApiError(code, `${message} (an earlier try was cut off and may have deleted it)`);
  }
  const mayBeDone =
    code === 'unavailable' && (unsure || retry !== 'any') && problem.next === undefined;
  if (effect !== 'reads' && mayBeDone) return unavailableError(message, uncertainWriteHint);
  if (retry_after_ms === null || retry_after_ms === 0) return problem;
  const next = `Try again in ${Math.ceil(retry_after_ms / 1000)} seconds.`;
  return new ApiError(code, message, { ...(fields && { fields }), next });
}

/** What to do if it is unknown whether a write was carried out. */
export const uncertainWriteHint =
  'It may have been carried out: check what is stored before you repeat it.';

function unavailableError(message: string, next?: string): ApiError {
  return new ApiError('unavailable', message, { ...(next !== undefined && { next }) });
}

const idempotencyKeyBytes = 16;

function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(idempotencyKeyBytes));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
