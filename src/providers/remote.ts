import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import type { Log, Remote } from '../core/ports.ts';

export type RemoteOptions = {
  /** Base address: what stands before `/v1/`. */
  url: string;
  api_key: string;
  log: Log;
  /** Until the head of an answer has arrived, and between two parts of its body. */
  timeout_ms?: number;
  /** How long the first pause between two tries is; each further one is twice as long. */
  pause_ms?: number;
};

type Call = Parameters<Remote['request']>[0];

/** Calls an instance that speaks the API, patiently: it may be busy, or limit requests. */
export function createRemote(options: RemoteOptions): Remote & { close(): Promise<void> } {
  const { timeout_ms = 30_000 } = options;
  const base = baseOf(options.url);
  const timeouts = { headersTimeout: timeout_ms, bodyTimeout: timeout_ms };
  const dispatcher = new Agent({ ...timeouts, connect: { timeout: timeout_ms } });
  return {
    request: (call) => patiently(options, () => send(call, { base, dispatcher, options })),
    close: () => dispatcher.destroy(),
  };
}

function baseOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new ApiError('invalid', 'the address must start with https:// or http://');
  }
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '') {
    throw new ApiError('invalid', 'the address must hold neither user, query nor fragment');
  }
  return parsed.href.replace(/\/+$/, '');
}

/** An answer, or why to try again: in `wait_ms`, where the instance says how long. */
type Outcome = { answer: unknown } | { problem: ApiError; wait_ms: number | null };

async function patiently(
  { log, pause_ms = 500 }: RemoteOptions,
  attempt: () => Promise<Outcome>,
): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if ('answer' in outcome) return outcome.answer;
    const { problem, wait_ms } = outcome;
    if (tries === triesMax || (wait_ms ?? 0) > waitMaxMs) throw problem;
    // Uneven, so that several imports do not come back together.
    const pause = wait_ms ?? pause_ms * 2 ** (tries - 1) * (1 + Math.random());
    log('warn', 'trying again', { reason: problem.message, in_ms: Math.round(pause) });
    await sleep(pause);
  }
}

const triesMax = 6;
/** Whoever asks for more patience than this is told to come back another day. */
const waitMaxMs = 5 * 60 * 1000;

type Connection = { base: string; dispatcher: Dispatcher; options: RemoteOptions };

async function send(
  { method, path, query = {}, body }: Call,
  { base, dispatcher, options }: Connection,
): Promise<Outcome> {
  const search = new URLSearchParams(query).toString();
  const headers = {
    authorization: `Token ${options.api_key}`,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  try {
    const target = `${base}${path}${search === '' ? '' : `?${search}`}`;
    const answer = await request(target, { method, headers, dispatcher, ...payload });
    return await outcomeOf(answer);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { problem: unavailable(`can't be reached (${code || 'no answer'})`), wait_ms: null };
  }
}

async function outcomeOf(answer: Dispatcher.ResponseData): Promise<Outcome> {
  const { statusCode: status, headers } = answer;
  if (status === 200) return { answer: await readJson(answer) };
  await answer.body.dump({ limit: errorMaxBytes }).catch(() => {});
  if (status === 429 || status >= 500) {
    const problem = unavailable(`answers with status ${status}`);
    return { problem, wait_ms: waitOf(headers['retry-after']) };
  }
  if (status >= 300 && status < 400) {
    throw unavailable('sends requests to another address: give that one');
  }
  const code = codes.get(status) ?? 'unavailable';
  const hint = status === 401 || status === 403 ? ': check the API key' : '';
  throw new ApiError(code, `the other instance answers with status ${status}${hint}`);
}

const codes = new Map<number, ErrorCode>([
  [400, 'invalid'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
]);

const errorMaxBytes = 64 * 1024;

/** Larger than any page of memories. */
const answerMaxBytes = 64 * 1024 * 1024;

async function readJson({ body }: Dispatcher.ResponseData): Promise<unknown> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length > answerMaxBytes) throw unavailable(`answers more than ${answerMaxBytes} bytes`);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'));
  } catch (error) {
    const problem = 'does not answer JSON; is the address that of an API?';
    throw new ApiError('unavailable', `the other instance ${problem}`, { cause: error });
  }
}

/** `Retry-After` in seconds or as a date. */
function waitOf(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

function unavailable(what: string): ApiError {
  return new ApiError('unavailable', `the other instance ${what}`);
}
