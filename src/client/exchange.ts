import { outputMediaType, versionHeader } from '../contract/binding.ts';
import { ApiError, invalid } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import { type Deadline, sleep, unlessEnded } from './deadline.ts';
import { failureOf, lossOf } from './failure.ts';
import { type Fetch, type FetchAnswer, readText } from './fetch.ts';
import { isPassing, isUndone, type Patience, pauseOf, readRetryAfter } from './retry.ts';

export type ExchangeOptions = Patience & {
  /** What stands before `/v1/`, with or without a slash at its end. */
  base_url: string;
  /** The key; or a way to get it, which is told the one that was refused and may know another. */
  api_key: string | ((refused: string | null) => Promise<string>);
  fetch: Fetch;
  log?: Log | undefined;
  /** For tests: how to wait, and a number from 0 to 1. */
  sleep?: typeof sleep | undefined;
  random?: (() => number) | undefined;
  now: () => number;
};

/** One request. What it does when it arrives twice decides when it may be sent again. */
export type Outgoing = {
  method: string;
  path: string;
  body: unknown;
  /**
   * `reads`: changes nothing. `ends_alike`: a second time changes nothing more. `writes`: only the
   * key tells a second time from a second request, where the remote knows such keys.
   */
  effect: 'reads' | 'ends_alike' | 'writes';
};

export type Incoming = {
  status: number;
  /** What its JSON says; undefined where there was none. */
  body: unknown;
  /** The body is an output as it is, not a published shape. */
  whole: boolean;
};

/** Sends requests to one remote, patiently: it may be busy, restart, or limit requests. */
export type Exchange = {
  /** Throws what {@link failureOf} makes of a refusal, and `unavailable` when none came. */
  send(request: Outgoing, deadline: Deadline): Promise<Incoming>;
  /** The version of mneme that answers there; null when it is another server, or none answers. */
  version(deadline: Deadline): Promise<string | null>;
  host: string;
};

/** What an attempt came to. */
type Outcome = { answer: Incoming } | Failed;

type Failed = { problem: ApiError; again: Again; asked_ms: number | null };

/**
 * Which requests may be sent again: `any` when nothing was done, `repeatable` when it may have
 * been, `reads` when it was begun and failed.
 */
type Again = 'any' | 'repeatable' | 'reads' | 'none';

export function createExchange(options: ExchangeOptions): Exchange {
  const base = baseOf(options.base_url);
  const { host } = new URL(base);
  let version: string | null | undefined;
  const connection: Connection = {
    options,
    base,
    host,
    onAnswer: ({ headers, status }) => {
      const named = headers.get(versionHeader);
      // What answers 502 is in between.
      if (named !== null || status < 500) version = named ?? version ?? null;
    },
    version: async (deadline) => {
      if (version === undefined) await attempt(ping, { ...connection, deadline }).catch(() => null);
      return version ?? null;
    },
  };
  return {
    send: (request, deadline) => patiently(request, { ...connection, deadline }),
    version: connection.version,
    host,
  };
}

/** Answers who is there, whoever asks. */
export const ping: Outgoing = { method: 'GET', path: '/v1/ping/', body: null, effect: 'reads' };

function baseOf(url: string): string {
  const problem = addressProblem(url);
  if (problem !== null) throw new ApiError('invalid', `the address ${problem}`);
  return new URL(url).href.replace(/\/+$/, '');
}

/** What is wrong with an address of an instance, as the end of a sentence; null for a good one. */
export function addressProblem(url: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    return 'must start with https:// or http://';
  }
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    return 'must hold neither user, query nor fragment';
  }
  return null;
}

type Connection = {
  options: ExchangeOptions;
  base: string;
  host: string;
  onAnswer: (answer: FetchAnswer) => void;
  version: Exchange['version'];
};
type Sending = Connection & { deadline: Deadline };

async function patiently(request: Outgoing, sending: Sending): Promise<Incoming> {
  const { options, deadline } = sending;
  const keyed = { ...request, key: request.effect === 'reads' ? null : newKey() };
  let unsure = false;
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(keyed, sending);
    if ('answer' in outcome) return outcome.answer;
    const { again, asked_ms, problem } = outcome;
    const pause = pauseOf(tries, options, { asked_ms, random: options.random ?? Math.random });
    const isOver = again === 'none' || tries >= options.tries_max || pause > deadline.left();
    if (isOver || !(await mayRepeat(keyed, again, sending))) {
      throw explained(outcome, { ...request, unsure });
    }
    unsure ||= again !== 'any';
    options.log?.('warn', 'trying again', { reason: problem.message, in_ms: Math.round(pause) });
    await (options.sleep ?? sleep)(pause, deadline.signal).catch((error: unknown) => {
      throw deadline.isLate() ? problem : error;
    });
  }
}

async function mayRepeat(
  { effect }: Outgoing,
  again: Again,
  { deadline, version }: Sending,
): Promise<boolean> {
  if (again === 'any' || effect === 'reads') return true;
  if (again === 'reads') return false;
  return effect === 'ends_alike' || (await version(deadline)) !== null;
}

type Keyed = Outgoing & { key?: string | null };

async function attempt(request: Keyed, sending: Sending): Promise<Outcome> {
  const { options, base, host, deadline, onAnswer } = sending;
  const api_key = await keyOf(options, deadline);
  try {
    const answer = await options.fetch(base + request.path, {
      method: request.method,
      headers: headersOf(request, api_key),
      ...(request.body !== null && { body: JSON.stringify(request.body) }),
      signal: deadline.signal,
      redirect: 'manual',
    });
    onAnswer(answer);
    return await outcomeOf(answer, { options, host, api_key, deadline });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (deadline.isLate()) return lost(`gave no answer within ${deadline.timeout_ms} ms`, 'none');
    if (deadline.signal.aborted) throw deadline.signal.reason;
    const { problem, unsent, passing } = lossOf(error);
    return lost(problem, unsent ? (passing ? 'any' : 'none') : 'repeatable');
  }

  function lost(problem: string, again: Again): Outcome {
    return { problem: unavailable(`the remote at ${host} ${problem}`), again, asked_ms: null };
  }
}

function headersOf({ body, key }: Keyed, api_key: string): Record<string, string> {
  return {
    Authorization: `Token ${api_key}`,
    Accept: `${outputMediaType}, application/json`,
    ...(body !== null && { 'Content-Type': 'application/json' }),
    ...(typeof key === 'string' && { 'Idempotency-Key': key }),
  };
}

async function keyOf({ api_key }: ExchangeOptions, deadline: Deadline): Promise<string> {
  const key = typeof api_key === 'string' ? api_key : await inTime(api_key(null), deadline);
  // Nothing else may stand in a header; what stands there instead is not repeated.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalid('api_key', key === '' ? 'is empty' : 'must be ASCII without white space');
}

/** Somebody may have to unlock a store of keys; whoever asks later gets the key at once. */
async function inTime(key: Promise<string>, deadline: Deadline): Promise<string> {
  try {
    return await unlessEnded(key, deadline.signal);
  } catch (error) {
    if (!deadline.isLate()) throw error;
    throw unavailable(`no API key came within ${deadline.timeout_ms} ms`);
  }
}

type Answered = { options: ExchangeOptions; host: string; api_key: string; deadline: Deadline };

async function outcomeOf(
  answer: FetchAnswer,
  { options, host, api_key, deadline }: Answered,
): Promise<Outcome> {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return readAnswer(answer, host);
  const text = (await readText(answer, refusalMaxBytes)) ?? '';
  // Browsers hide where a redirect leads, and show it as status 0.
  const problem = failureOf({ status: status || 302, text }, host);
  const asked_ms = readRetryAfter(headers.get('Retry-After'), options.now());
  const outcome = (again: Again): Outcome => ({ problem, again, asked_ms });
  if (isUndone(status, asked_ms)) return outcome('any');
  // The first request with this key is still at work.
  if (status === 409 && asked_ms !== null) return outcome('any');
  if (status === 401)
    return outcome((await hasNewKey(options, { refused: api_key, deadline })) ? 'any' : 'none');
  if (status === 500) return outcome('reads');
  return outcome(isPassing(status) ? 'repeatable' : 'none');
}

async function hasNewKey(
  { api_key }: ExchangeOptions,
  { refused, deadline }: { refused: string; deadline: Deadline },
): Promise<boolean> {
  return typeof api_key !== 'string' && (await inTime(api_key(refused), deadline)) !== refused;
}

/** Larger than any page of memories. */
const answerMaxBytes = 64 * 1024 * 1024;
const refusalMaxBytes = 64 * 1024;

async function readAnswer(answer: FetchAnswer, host: string): Promise<Outcome> {
  const { status, headers } = answer;
  const unread = (what: string): Outcome => {
    const problem = unavailable(`the remote at ${host} answered ${what}`);
    return { problem, again: 'none', asked_ms: null };
  };
  const text = await readText(answer, answerMaxBytes);
  if (text === null) return unread(`more than ${answerMaxBytes} bytes`);
  const whole = headers.get('Content-Type')?.startsWith(outputMediaType) ?? false;
  if (text.trim() === '') return { answer: { status, body: undefined, whole } };
  try {
    return { answer: { status, body: JSON.parse(text), whole } };
  } catch {
    return unread('something that is no JSON; is base_url the address of an API?');
  }
}

/** What is left to say once no further try follows. */
function explained(
  { problem, again, asked_ms }: Failed,
  { effect, unsure }: Outgoing & { unsure: boolean },
): ApiError {
  const { code, message, fields } = problem;
  if (code === 'not_found' && unsure) {
    return new ApiError(code, `${message} (an earlier try was cut off and may have deleted it)`);
  }
  const mayBeDone =
    code === 'unavailable' && (unsure || again !== 'any') && problem.next === undefined;
  if (effect !== 'reads' && mayBeDone) return unavailable(message, lookFirst);
  if (asked_ms === null || asked_ms === 0) return problem;
  const next = `Try again in ${Math.ceil(asked_ms / 1000)} seconds.`;
  return new ApiError(code, message, { ...(fields && { fields }), next });
}

/** What to do when nobody knows whether a write was carried out. */
export const lookFirst =
  'It may have been carried out: look at what is stored before you repeat it.';

function unavailable(message: string, next?: string): ApiError {
  return new ApiError('unavailable', message, { ...(next !== undefined && { next }) });
}

const keyBytes = 16;

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
